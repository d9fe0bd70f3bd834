import type { KeyUsage } from '#contract/keys.ts'
import { AppError } from '#server/core/app-error.ts'
import { toExactCoins } from '#server/core/coins.ts'
import type { Db } from '#server/core/database/database.ts'
import { findBill } from './store.ts'
import type { ModelDay, Usage, UsageFigures } from './store.ts'

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

/** A discount of 10,000 is the full price (core/coins.ts). */
const FULL_DISCOUNT = 10_000

const CHANNELS = { key: 'api', widget: 'widget', none: 'web' } as const

/** The bill of one of the user's runs (reference-product, "Money"). Throws AppError not_found. */
export async function getTransaction(db: Db, userId: string, runId: string) {
  const bill = await findBill(db, userId, runId)
  if (!bill) throw new AppError('not_found')
  const { input_tokens, output_tokens, cache_write_tokens, units, times, model } = bill
  const tokens = input_tokens + output_tokens
  return {
    request_id: runId,
    amount: toExactCoins(BigInt(bill.amount)),
    tokens,
    input_tokens,
    output_tokens,
    cache_hit_tokens: bill.cached_tokens,
    cache_write_tokens,
    billed_units: units || tokens || times,
    times,
    event: bill.kind,
    channel: CHANNELS[bill.budget ?? 'none'],
    discount: Number(bill.prices.discount) / FULL_DISCOUNT,
    model,
    created_at: new Date(Number(bill.created_at)).toISOString(),
  }
}
