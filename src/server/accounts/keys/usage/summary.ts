import type { KeyUsage } from '#contract/keys.ts'
import { toExactCoins } from '#server/core/coins.ts'
import type { UsageFigures, ModelDay, Usage } from './store.ts'

const DAYS = 30
const DAY_MS = 86_400_000

/** A key's usage by period, in all and by model (the most expensive of the month first), and by day, today last. */
export function summarizeUsage({ today, rows }: Usage): KeyUsage {
  const byModel = Map.groupBy(rows, ({ model }) => model)
  const models = [...byModel].map(([model, modelRows]) => ({ model, ...toPeriods(modelRows) }))
  const byAge = Map.groupBy(rows, ({ age }) => age)
  const ages = Array.from({ length: DAYS }, (_, index) => DAYS - 1 - index)
  return {
    ...toPeriods(rows),
    models: models.sort((a, b) => b.month.amount - a.month.amount),
    days: ages.map((age) => ({ date: subtractDays(today, age), ...sumFigures(byAge.get(age) ?? []) })),
  }
}

function toPeriods(rows: ModelDay[]): Omit<KeyUsage, 'models' | 'days'> {
  const within = (days: number) => sumFigures(rows.filter(({ age }) => age < days))
  return { today: within(1), week: within(7), month: within(DAYS) }
}

const subtractDays = (date: string, days: number): string =>
  new Date(Date.parse(date) - days * DAY_MS).toISOString().slice(0, 10)

function sumFigures(rows: UsageFigures[]) {
  const addUp = (read: (row: UsageFigures) => number) => rows.reduce((total, row) => total + read(row), 0)
  return {
    requests: addUp(({ requests }) => requests),
    tokens: addUp(({ tokens }) => tokens),
    amount: toExactCoins(rows.reduce((total, { amount }) => total + amount, 0n)),
  }
}
