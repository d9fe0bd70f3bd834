import type { Transaction, TransactionFilter } from '#contract/statistics/statistics.ts'
import { AppError } from '#server/core/app-error.ts'
import { toExactCoins } from '#server/core/coins.ts'
import { toChinaDay } from '#server/core/dates.ts'
import type { Db } from '#server/core/database/database.ts'
import { toPageResponse } from '#server/core/pagination.ts'
import type { StoredPrices } from '#server/core/prices.ts'
import { toCsv } from './csv.ts'
import { findTransaction, listTransactions, sumTransactions } from './store.ts'
import type { BillRow, Period, TransactionQuery, TransactionRow } from './store.ts'

const DAY_MS = 86_400_000
const MAX_EXPORTED = 50_000
/** A discount of 10,000 is the full price (core/coins.ts). */
const FULL_DISCOUNT = 10_000
const DAYS = { today: 1, week: 7, month: 30, year: 365 }

/** When a day begins in China. */
export const toDayStart = (day: string): Date => new Date(`${day}T00:00:00+08:00`)

/** The moment at which a period of so many days began that ends with today. */
export const getPeriodStart = (days: number): Date =>
  new Date(toDayStart(toChinaDay(new Date())).getTime() - (days - 1) * DAY_MS)

function toPeriod(range: TransactionFilter['timeRange']): Period {
  if (range === undefined) return null
  if (range in DAYS)
    return { from: getPeriodStart(DAYS[range as keyof typeof DAYS]), to: new Date(Date.now() + DAY_MS) }
  const [from = '', to = ''] = range.split('~')
  return { from: toDayStart(from), to: new Date(toDayStart(to).getTime() + DAY_MS) }
}

const toQuery = (user_id: string, { timeRange, ...filter }: TransactionFilter): TransactionQuery => ({
  ...filter,
  user_id,
  period: toPeriod(timeRange),
})

const present = ({ at, amount, ...row }: TransactionRow): Transaction => ({
  ...row,
  amount: toExactCoins(BigInt(amount)),
  created_at: new Date(Number(at)).toISOString(),
})

/** Prices as people read them: coins, where the ledger has micro-coins as text. */
const presentPrices = (stored: StoredPrices): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(stored)
      .filter(([name]) => name !== 'discount')
      .map(([name, value]) => {
        if (Array.isArray(value)) return [name, value.map(presentPrices)]
        return [
          name,
          typeof value === 'string' && /^-?\d+$/.test(value) ? toExactCoins(BigInt(value)) : value,
        ]
      }),
  )

const presentBill = ({ prices, computed, attempts, ...bill }: BillRow) => ({
  ...bill,
  prices: presentPrices(prices),
  discount: Number(prices.discount) / FULL_DISCOUNT,
  computed: toExactCoins(BigInt(computed)),
  attempts: attempts.map(({ platform, code = null }) => ({ platform, code })),
})

export async function getTransactions(
  db: Db,
  user_id: string,
  { page, page_size, ...filter }: TransactionFilter & { page: number; page_size: number },
) {
  const query = toQuery(user_id, filter)
  const [rows, totals] = await Promise.all([
    listTransactions(db, query, { limit: page_size, offset: (page - 1) * page_size }),
    sumTransactions(db, query),
  ])
  const { total, total_in, total_out, total_tokens } = totals
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
  return {
    ...toPageResponse(rows.map(present), {
      total,
      page,
      size: page_size,
      url: '/api/user/transactions',
      query: given,
      size_name: 'page_size',
    }),
    stats: { total_in: toExactCoins(total_in), total_out: toExactCoins(total_out), total_tokens },
  }
}

/** Throws AppError not_found. */
export async function getTransaction(db: Db, user_id: string, id: string) {
  const found = await findTransaction(db, user_id, id)
  if (!found) throw new AppError('not_found')
  const { bill, ...row } = found
  return { ...present(row), bill: bill && presentBill(bill) }
}

export async function exportTransactions(
  db: Db,
  user_id: string,
  filter: TransactionFilter,
): Promise<string> {
  const rows = await listTransactions(db, toQuery(user_id, filter), { limit: MAX_EXPORTED, offset: 0 })
  return toCsv(rows.map(present))
}
