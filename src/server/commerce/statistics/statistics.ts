import type { DailyMetric } from '#contract/stats.ts'
import { AppError } from '#server/core/app-error.ts'
import { toCoinsWithGift, toExactCoins } from '#server/core/coins.ts'
import { toChinaDay } from '#contract/dates/dates.ts'
import type { Db } from '#server/core/database/database.ts'
import { getFunds } from '#server/ledger/ledger.ts'
import type { Catalogue } from '#server/llm/llm.ts'
import { toDailyMetric } from '#server/models/models.ts'
import { findRolledUp } from './rollups/store.ts'
import { listDays, sumPlatform } from './store.ts'
import type { DayRow } from './store.ts'
import { exportTransactions, getFirstDay, getTransaction, getTransactions } from './transactions.ts'

export type Statistics = ReturnType<typeof createStatistics>

const WEEK_DAYS = 7
const DAY_MS = 86_400_000
/** Stands for all platforms together in place of a platform's name. */
const ALL_PLATFORMS = 'all'

/** Transactions of a user, and figures of the week. Days begin at midnight in China. */
export function createStatistics({ db, catalogue }: { db: Db; catalogue: Pick<Catalogue, 'listPlatforms'> }) {
  async function listSince(userId: string, days: number): Promise<DayRow[]> {
    const rolled = await findRolledUp(db, userId)
    return rolled ? listDays(db, rolled, getFirstDay(days)) : []
  }
  const listWeek = (userId: string): Promise<DayRow[]> => listSince(userId, WEEK_DAYS)
  /** Reads today and yesterday; returns a function that puts one figure of both days side by side. */
  async function readDays(userId: string) {
    const rows = await listSince(userId, 2)
    const [today, yesterday] = [getFirstDay(1), getFirstDay(2)]
    return (read: (row: DayRow) => number): DailyMetric => {
      const sumOn = (day: string): number =>
        rows.filter((row) => row.day === day).reduce((sum, row) => sum + read(row), 0)
      return toDailyMetric(sumOn(today), sumOn(yesterday))
    }
  }

  /** Sums the charges at a platform, or at all of them (null): this week and in all, micro-coins. */
  async function sumCharges(userId: string, platform: string | null) {
    const rolled = await findRolledUp(db, userId)
    return rolled
      ? sumPlatform(db, rolled, { platform, since: getFirstDay(WEEK_DAYS) })
      : { week: 0n, total: 0n }
  }

  return {
    getTransactions: (userId: string, query: Parameters<typeof getTransactions>[2]) =>
      getTransactions(db, userId, query),
    /** Throws AppError not_found. */
    getTransaction: (userId: string, id: string) => getTransaction(db, userId, id),
    exportTransactions: (userId: string, filter: Parameters<typeof exportTransactions>[2]) =>
      exportTransactions(db, userId, filter),

    async getChatStats(userId: string) {
      const compare = await readDays(userId)
      return {
        ...compare(({ requests }) => requests),
        tokens: compare((row) => row.input_tokens + row.output_tokens),
      }
    },

    /** Coins. */
    async getAmountStats(userId: string): Promise<DailyMetric> {
      const compare = await readDays(userId)
      const { value, old_value } = compare(({ amount }) => Number(amount))
      return toDailyMetric(toExactCoins(BigInt(value)), toExactCoins(BigInt(old_value)))
    },

    /** The models of the week, the most expensive first; coins. */
    async listModelAmounts(userId: string) {
      const models = Map.groupBy(await listWeek(userId), ({ model }) => model)
      return [...models]
        .map(([model, rows]) => ({
          model,
          amount: toExactCoins(rows.reduce((sum, { amount }) => sum + amount, 0n)),
          requests: rows.reduce((sum, { requests }) => sum + requests, 0),
          tokens: rows.reduce((sum, row) => sum + row.input_tokens + row.output_tokens, 0),
        }))
        .toSorted((a, b) => b.amount - a.amount || b.tokens - a.tokens || (a.model < b.model ? -1 : 1))
    },

    /** The charges of each day of the week, today last; coins. */
    async listChargeAmounts(userId: string) {
      const days = Map.groupBy(await listWeek(userId), ({ day }) => day)
      return listLastDays(WEEK_DAYS).map((day) => ({
        day,
        amount: toExactCoins((days.get(day) ?? []).reduce((sum, { amount }) => sum + amount, 0n)),
      }))
    },

    async listChatTokens(userId: string) {
      const days = Map.groupBy(await listWeek(userId), ({ day }) => day)
      return listLastDays(WEEK_DAYS).map((day) => ({
        day,
        input_tokens: (days.get(day) ?? []).reduce((sum, row) => sum + row.input_tokens, 0),
        output_tokens: (days.get(day) ?? []).reduce((sum, row) => sum + row.output_tokens, 0),
      }))
    },

    /** Throws AppError not_found for an unknown platform. */
    async getBalance(userId: string, platform: string) {
      const isAll = platform === ALL_PLATFORMS
      if (!isAll && !catalogue.listPlatforms().some(({ name }) => name === platform))
        throw new AppError('not_found')
      const [{ balance, gift }, { week, total }] = await Promise.all([
        getFunds(db, userId),
        sumCharges(userId, isAll ? null : platform),
      ])
      return {
        platform,
        ...toCoinsWithGift(balance, gift),
        week: toExactCoins(week),
        total: toExactCoins(total),
      }
    },
  }
}

/** Days in China, today last. */
const listLastDays = (count: number): string[] =>
  Array.from({ length: count }, (_, nth) => toChinaDay(new Date(Date.now() - (count - 1 - nth) * DAY_MS)))
