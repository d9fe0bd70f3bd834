import type { DailyMetric } from '#contract/stats.ts'
import { AppError } from '#server/core/app-error.ts'
import { toCoins, toExactCoins } from '#server/core/coins.ts'
import { toChinaDay } from '#server/core/dates.ts'
import type { Db } from '#server/core/database/database.ts'
import { getFunds } from '#server/ledger/ledger.ts'
import type { Catalogue } from '#server/llm/llm.ts'
import { listDays, sumPlatform } from './store.ts'
import type { DayRow } from './store.ts'
import { exportTransactions, getPeriodStart, getTransaction, getTransactions } from './transactions.ts'

export type Statistics = ReturnType<typeof createStatistics>

const WEEK_DAYS = 7
const DAY_MS = 86_400_000
/** Every platform together, where one is named. */
const ALL_PLATFORMS = 'all'

/** What a user spent and got: transactions, and figures of the week. Days begin at midnight in China. */
export function createStatistics({ db, catalogue }: { db: Db; catalogue: Pick<Catalogue, 'listPlatforms'> }) {
  const listWeek = (user_id: string): Promise<DayRow[]> => listDays(db, user_id, getPeriodStart(WEEK_DAYS))
  /** Today's figure beside yesterday's. */
  async function compareDays(user_id: string, read: (row: DayRow) => number): Promise<DailyMetric> {
    const rows = await listDays(db, user_id, getPeriodStart(2))
    const sumOn = (day: string): number =>
      rows.filter((row) => row.day === day).reduce((sum, row) => sum + read(row), 0)
    const [value, old_value] = [sumOn(listLastDays(1)[0]!), sumOn(listLastDays(2)[0]!)]
    return { value, old_value, grow_rate: toGrowRate(value, old_value) }
  }

  return {
    getTransactions: (user_id: string, query: Parameters<typeof getTransactions>[2]) =>
      getTransactions(db, user_id, query),
    /** Throws AppError not_found. */
    getTransaction: (user_id: string, id: string) => getTransaction(db, user_id, id),
    exportTransactions: (user_id: string, filter: Parameters<typeof exportTransactions>[2]) =>
      exportTransactions(db, user_id, filter),

    async getChatStats(user_id: string) {
      const [requests, tokens] = await Promise.all([
        compareDays(user_id, (row) => row.requests),
        compareDays(user_id, (row) => row.input_tokens + row.output_tokens),
      ])
      return { ...requests, tokens }
    },

    /** Coins. */
    async getAmountStats(user_id: string): Promise<DailyMetric> {
      const { value, old_value } = await compareDays(user_id, ({ amount }) => Number(amount))
      const [now, before] = [toExactCoins(BigInt(value)), toExactCoins(BigInt(old_value))]
      return { value: now, old_value: before, grow_rate: toGrowRate(now, before) }
    },

    /** Of the week, the most expensive first. */
    async listModelAmounts(user_id: string) {
      const models = Map.groupBy(await listWeek(user_id), ({ model }) => model)
      return [...models]
        .map(([model, rows]) => ({
          model,
          amount: toExactCoins(rows.reduce((sum, { amount }) => sum + amount, 0n)),
          requests: rows.reduce((sum, { requests }) => sum + requests, 0),
          tokens: rows.reduce((sum, row) => sum + row.input_tokens + row.output_tokens, 0),
        }))
        .toSorted((a, b) => b.amount - a.amount || b.tokens - a.tokens || (a.model < b.model ? -1 : 1))
    },

    /** Of each day of the week, today last. */
    async listChargeAmounts(user_id: string) {
      const days = Map.groupBy(await listWeek(user_id), ({ day }) => day)
      return listLastDays(WEEK_DAYS).map((day) => ({
        day,
        amount: toExactCoins((days.get(day) ?? []).reduce((sum, { amount }) => sum + amount, 0n)),
      }))
    },

    async listChatTokens(user_id: string) {
      const days = Map.groupBy(await listWeek(user_id), ({ day }) => day)
      return listLastDays(WEEK_DAYS).map((day) => ({
        day,
        input_tokens: (days.get(day) ?? []).reduce((sum, row) => sum + row.input_tokens, 0),
        output_tokens: (days.get(day) ?? []).reduce((sum, row) => sum + row.output_tokens, 0),
      }))
    },

    /** Throws AppError not_found for a platform that nobody knows. */
    async getBalance(user_id: string, platform: string) {
      const isAll = platform === ALL_PLATFORMS
      if (!isAll && !catalogue.listPlatforms().some(({ name }) => name === platform))
        throw new AppError('not_found')
      const [{ balance }, { week, total }] = await Promise.all([
        getFunds(db, user_id),
        sumPlatform(db, user_id, { platform: isAll ? null : platform, since: getPeriodStart(WEEK_DAYS) }),
      ])
      return { platform, balance: toCoins(balance), week: toExactCoins(week), total: toExactCoins(total) }
    },
  }
}

/** Days in China, today last. */
const listLastDays = (count: number): string[] =>
  Array.from({ length: count }, (_, nth) => toChinaDay(new Date(Date.now() - (count - 1 - nth) * DAY_MS)))

/** Growth in percent, one decimal; null when there was nothing before. */
const toGrowRate = (value: number, old_value: number): number | null =>
  old_value ? Math.round(((value - old_value) / old_value) * 1000) / 10 : null
