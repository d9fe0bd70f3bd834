import type { ChatModel } from '#contract/models.ts'
import { listMakers } from './chatModels.ts'

/** A contract is read and five questions are asked, each of which sends it again. Input and output of a question, tokens. */
const CONTRACT = { questions: 5, input: 8_000, output: 400 }
export const exampleTokens = {
  input: CONTRACT.questions * CONTRACT.input,
  output: CONTRACT.questions * CONTRACT.output,
}

const MAX_ROWS = 6
const COINS_PER_YUAN = 100

/** Prices for a million tokens and for the example, yuan. */
export type ExampleRow = {
  id: string
  name: string
  maker: string
  input: number
  output: number
  total: number
}

/** Cost of the example with the first model of each maker, the cheapest first. */
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
