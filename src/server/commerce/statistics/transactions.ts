import type { Transaction, TransactionFilter } from '#contract/statistics/statistics.ts'
import { AppError } from '#server/core/app-error.ts'
import { toExactCoins } from '#server/core/coins.ts'
import { toChinaDay } from '#contract/dates/dates.ts'
import type { Db } from '#server/core/database/database.ts'
import { toPageResponse } from '#server/core/pagination.ts'
import type { StoredPrices } from '#server/core/prices.ts'
import { toTransactionsCsv } from './csv.ts'
import { locatePage } from './locate-page.ts'
import { findRolledUp } from './rollups/store.ts'
import { findTransaction, listTransactions, sumTransactions } from './store.ts'
import type { BillRow, DayTotals, Period, TransactionQuery, TransactionRow } from './store.ts'

const DAY_MS = 86_400_000
const MAX_EXPORTED = 50_000
/** A discount of 10,000 is the full price (core/coins.ts). */
const FULL_DISCOUNT = 10_000

/** The first day, in China, of the period of `days` days that ends today. */
export const getFirstDay = (days: number): string => toChinaDay(new Date(Date.now() - (days - 1) * DAY_MS))

function toPeriod(range: TransactionFilter['timeRange']): Period {
  if (range === undefined) return null
  // The clock of the database may be ahead at midnight, so tomorrow is included.
  return 'days' in range ? { from: getFirstDay(range.days), to: getFirstDay(0) } : range
}

const toQuery = (userId: string, { timeRange, ...filter }: TransactionFilter): TransactionQuery => ({
  ...filter,
  user_id: userId,
  period: toPeriod(timeRange),
})

const present = ({ at, amount, ...row }: TransactionRow): Transaction => ({
  ...row,
  amount: toExactCoins(BigInt(amount)),
  created_at: new Date(Number(at)).toISOString(),
})

/** Converts stored prices, micro-coins as text, to coins. */
const presentPrices = (prices: StoredPrices): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(prices)
      .filter(([name]) => name !== 'discount')
      .map(([name, value]) => {
        if (Array.isArray(value)) return [name, value.map(presentPrices)]
        return [
          name,
          typeof value === 'string' && /^-?\d+$/.test(value) ? toExactCoins(BigInt(value)) : value,
        ]
      }),
  )

const presentBill = ({ prices, computed, gift, attempts, ...bill }: BillRow) => ({
  ...bill,
  prices: presentPrices(prices),
  discount: Number(prices.discount) / FULL_DISCOUNT,
  computed: toExactCoins(BigInt(computed)),
  gift: toExactCoins(BigInt(gift)),
  attempts: attempts.map(({ platform, code = null }) => ({ platform, code })),
})

type Page = { offset: number; limit: number }

/** Reads a page of the transactions that match a query, and the totals of all that match by day. */
async function read(db: Db, query: TransactionQuery, page: Page) {
  const rolled = await findRolledUp(db, query.user_id)
  if (!rolled) return { days: [], items: [] }
  const days = await sumTransactions(db, query, rolled)
  const rows = await listTransactions(db, query, { account_id: rolled.account_id, ...locatePage(days, page) })
  return { days, items: rows.map(present) }
}

const sum = (days: DayTotals[], get: (day: DayTotals) => number): number =>
  days.reduce((all, day) => all + get(day), 0)
const sumCoins = (days: DayTotals[], get: (day: DayTotals) => bigint): bigint =>
  days.reduce((all, day) => all + get(day), 0n)

export async function getTransactions(
  db: Db,
  userId: string,
  { page, page_size, ...filter }: TransactionFilter & { page: number; page_size: number },
) {
  const query = toQuery(userId, filter)
  const result = await read(db, query, { offset: (page - 1) * page_size, limit: page_size })
  const filters = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
  return {
    ...toPageResponse(result.items, {
      total: sum(result.days, ({ total }) => total),
      page,
      size: page_size,
      url: '/api/user/transactions',
      query: filters,
      size_name: 'page_size',
    }),
    stats: {
      total_in: toExactCoins(sumCoins(result.days, ({ total_in }) => total_in)),
      total_out: toExactCoins(sumCoins(result.days, ({ total_out }) => total_out)),
      total_tokens: sum(result.days, ({ total_tokens }) => total_tokens),
    },
  }
}

/** Throws AppError not_found. */
export async function getTransaction(db: Db, userId: string, id: string) {
  const transaction = await findTransaction(db, userId, id)
  if (!transaction) throw new AppError('not_found')
  const { bill, ...row } = transaction
  return { ...present(row), bill: bill && presentBill(bill) }
}

export async function exportTransactions(db: Db, userId: string, filter: TransactionFilter): Promise<string> {
  const { items } = await read(db, toQuery(userId, filter), { offset: 0, limit: MAX_EXPORTED })
  return toTransactionsCsv(items)
}
