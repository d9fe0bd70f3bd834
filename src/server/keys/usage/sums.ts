import type { KeyUsage } from '#contract/keys.ts'
import { exactCoins } from '../../core/coins.ts'
import type { Figures, ModelDay, Usage } from './store.ts'

const DAYS = 30
const DAY_MS = 86_400_000

/** A key's usage: by period, whole and by model, the most expensive of the month first; and by day, today last. */
export function sumUsage({ today, rows }: Usage): KeyUsage {
  const byModel = Map.groupBy(rows, ({ model }) => model)
  const models = [...byModel].map(([model, own]) => ({ model, ...periodsOf(own) }))
  const byAge = Map.groupBy(rows, ({ age }) => age)
  const ages = Array.from({ length: DAYS }, (_, nth) => DAYS - 1 - nth)
  return {
    ...periodsOf(rows),
    models: models.sort((a, b) => b.month.amount - a.month.amount),
    days: ages.map((age) => ({ date: dayBefore(today, age), ...sum(byAge.get(age) ?? []) })),
  }
}

function periodsOf(rows: ModelDay[]): Omit<KeyUsage, 'models' | 'days'> {
  const within = (days: number) => sum(rows.filter(({ age }) => age < days))
  return { today: within(1), week: within(7), month: within(DAYS) }
}

const dayBefore = (date: string, days: number): string =>
  new Date(Date.parse(date) - days * DAY_MS).toISOString().slice(0, 10)

function sum(rows: Figures[]) {
  const add = (read: (row: Figures) => number) => rows.reduce((total, row) => total + read(row), 0)
  return {
    requests: add(({ requests }) => requests),
    tokens: add(({ tokens }) => tokens),
    amount: exactCoins(rows.reduce((total, { amount }) => total + amount, 0n)),
  }
}
