import type { ChatModel } from '#contract/models.ts'
import { listMakers } from './chatModels.ts'

/** A contract that is read, and five questions about it: each sends it again. Tokens. */
const CONTRACT = { questions: 5, input: 8_000, output: 400 }
export const exampleTokens = {
  input: CONTRACT.questions * CONTRACT.input,
  output: CONTRACT.questions * CONTRACT.output,
}

const MAX_ROWS = 6
const COINS_PER_YUAN = 100

/** Yuan for a million tokens, and for the example. */
export type ExampleRow = {
  id: string
  name: string
  maker: string
  input: number
  output: number
  total: number
}

/** What the example costs by the first model of each maker, the cheapest first. */
export function calculateExample(models: readonly ChatModel[]): { isReached: boolean; rows: ExampleRow[] } {
  const { isReached, makers } = listMakers(models)
  const rows = makers.slice(0, MAX_ROWS).flatMap(({ name: maker, models: [model] }) => {
    if (!model) return []
    const [input, output] = [model.input_price / COINS_PER_YUAN, model.output_price / COINS_PER_YUAN]
    const total = (input * exampleTokens.input + output * exampleTokens.output) / 1_000_000
    return [{ id: model.id, name: model.name, maker, input, output, total }]
  })
  return { isReached, rows: rows.sort((a, b) => a.total - b.total) }
}
