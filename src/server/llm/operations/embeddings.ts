import { getField } from '#server/core/json.ts'
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
  const max_tokens = sum(inputs, (input) =>
    typeof input === 'string' ? getMaxTokens(input) : input.length + 16,
  )
  const pricing = toTokenPricing(tokens)
  return {
    path: '/embeddings',
    body: { json },
    response_type: 'json',
    ...pricing,
    parseUsage(answer) {
      getList(answer, 'data', inputs.length)
      const usage = answer.usage
      return toTokenUsage(
        getField(usage, 'prompt_tokens') ?? getField(usage, 'total_tokens'),
        max_tokens,
        pricing.counted,
      )
    },
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
