import type { KeyUsage } from '#contract/keys.ts'
import { exactCoins } from '../../core/coins.ts'
import type { Figures, ModelUsage } from './store.ts'

/** A key's usage by period, whole and by model, the most expensive of the month first. */
export function sumUsage(rows: ModelUsage[]): KeyUsage {
  const byModel = Map.groupBy(rows, ({ model }) => model)
  const models = [...byModel].map(([model, own]) => ({ model, ...periodsOf(own) }))
  return { ...periodsOf(rows), models: models.sort((a, b) => b.month.amount - a.month.amount) }
}

function periodsOf(rows: ModelUsage[]): Omit<KeyUsage, 'models'> {
  const within = (days: number) => sum(rows.filter((row) => row.days === days))
  return { today: within(1), week: within(7), month: within(30) }
}

function sum(rows: Figures[]) {
  const add = (read: (row: Figures) => number) => rows.reduce((total, row) => total + read(row), 0)
  return {
    requests: add(({ requests }) => requests),
    tokens: add(({ tokens }) => tokens),
    amount: exactCoins(rows.reduce((total, { amount }) => total + amount, 0n)),
  }
}
