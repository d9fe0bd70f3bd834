import type { JsonObject } from '../chat.ts'
import { field } from '../dialects/event.ts'
import { estimateTokens } from '../estimate.ts'
import { inTokens, listOf, mostTokens, tokensUsed } from './work.ts'
import type { Work } from './work.ts'

type Texts = string | string[]
type Tokens = number[] | number[][]

/** Vectors of texts (https://platform.openai.com/docs/api-reference/embeddings); of tokens, where a client has made them. */
export function embeddingsWork(model: string, json: JsonObject & { input: Texts | Tokens }): Work {
  const inputs = inputsOf(json.input)
  const tokens = sum(inputs, (input) =>
    typeof input === 'string' ? estimateTokens(input, model) : input.length,
  )
  const most = sum(inputs, (input) => (typeof input === 'string' ? mostTokens(input) : input.length + 16))
  const priced = inTokens(tokens)
  return {
    path: '/embeddings',
    body: { json },
    answer: 'json',
    ...priced,
    measure(answer) {
      listOf(answer, 'data', inputs.length)
      const usage = answer.usage
      return tokensUsed(field(usage, 'prompt_tokens') ?? field(usage, 'total_tokens'), most, priced.counted)
    },
  }
}

/** What becomes one vector each: a text, or a list of tokens. */
export function inputsOf(input: Texts | Tokens): (string | number[])[] {
  if (typeof input === 'string') return [input]
  const [first] = input
  return typeof first === 'number' ? [input as number[]] : (input as (string | number[])[])
}

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0)
