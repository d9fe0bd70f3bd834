import { filterObjects, getField } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import { estimateTokens } from '../tokens/estimate.ts'
import { toTokenPricing, getList, getMaxTokens, toTokenUsage } from './operation.ts'
import type { Operation } from './operation.ts'

type Texts = string | string[]
type Tokens = number[] | number[][]

/** Vectors of texts, or of tokens where the client tokenized (https://platform.openai.com/docs/api-reference/embeddings). */
export function createEmbeddingsOperation(
  model: string,
  json: JsonObject & { input: Texts | Tokens },
): Operation {
  const inputs = listInputs(json.input)
  const tokens = sum(inputs, (input) =>
    typeof input === 'string' ? estimateTokens(input, model) : input.length,
  )
  const maxTokens = sum(inputs, (input) =>
    typeof input === 'string' ? getMaxTokens(input) : input.length + 16,
  )
  const pricing = toTokenPricing(tokens)
  return {
    path: '/embeddings',
    body: { json },
    response_type: 'json',
    ...pricing,
    batches: { split: (max) => splitInputs(json, inputs, max), join: joinAnswers },
    parseUsage(answer) {
      getList(answer, 'data', inputs.length)
      const usage = answer.usage
      return toTokenUsage(
        getField(usage, 'prompt_tokens') ?? getField(usage, 'total_tokens'),
        maxTokens,
        pricing.counted,
      )
    },
  }
}

function splitInputs(json: JsonObject, inputs: (string | number[])[], max: number): JsonObject[] {
  const count = Math.ceil(inputs.length / max)
  return Array.from({ length: count }, (_, nth) => ({
    ...json,
    input: inputs.slice(nth * max, (nth + 1) * max),
  }))
}

/** Joins the vectors of all answers, in the order of the inputs, and sums their usage. */
function joinAnswers(answers: JsonObject[]): JsonObject {
  const data = answers
    .flatMap((answer) =>
      filterObjects(answer['data']).toSorted((a, b) => Number(a['index']) - Number(b['index'])),
    )
    .map((entry, index) => ({ ...entry, index }))
  const counts = answers.map(
    ({ usage }) => getField(usage, 'prompt_tokens') ?? getField(usage, 'total_tokens'),
  )
  const tokens = counts.every((count) => typeof count === 'number') ? sum(counts, (count) => count) : null
  return {
    ...answers[0],
    data,
    usage: tokens === null ? {} : { prompt_tokens: tokens, total_tokens: tokens },
  }
}

/** The inputs that become one vector each: texts, or lists of tokens. */
export function listInputs(input: Texts | Tokens): (string | number[])[] {
  if (typeof input === 'string') return [input]
  const [first] = input
  return typeof first === 'number' ? [input as number[]] : (input as (string | number[])[])
}

const sum = <T>(items: readonly T[], count: (item: T) => number): number =>
  items.reduce((total, item) => total + count(item), 0)
