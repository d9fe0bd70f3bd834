import type { Db } from '#server/core/database/database.ts'
import { getRank, updateMemberships } from '#server/accounts/users/users.ts'
import { listMembershipPurchases } from './store.ts'
import type { Purchase } from './store.ts'
import type { Level } from '#contract/users.ts'
import type { Period } from '#contract/credit/periods.ts'

const DAY_MS = 86_400_000
/** Days of each period: never fewer than in the calendar. */
const DAYS: Record<Exclude<Period, 'forever'>, number> = {
  weekly: 7,
  monthly: 31,
  quarterly: 92,
  halfyearly: 183,
  yearly: 366,
}

/**
 * Returns the levels that purchases give, one after the other, the highest first: buying a level again extends it, and a lower
 * one waits until the higher one has ended, so that no paid time is lost.
 */
export function scheduleMemberships(purchases: Purchase[]): { level: Level; ends_at: string }[] {
  /** By rank, the level as last bought, and its remaining time, ms. */
  const remaining = new Map<number, { level: Level; ms: number }>()
  const listHighestFirst = () => [...remaining].sort(([a], [b]) => b - a).map(([, rest]) => rest)
  let at = 0
  for (const { level, period, paid_at } of purchases.toSorted((a, b) => +a.paid_at - +b.paid_at)) {
    if (period === 'forever') continue
    let passed = paid_at.getTime() - at
    for (const rest of listHighestFirst()) {
      const usedMs = Math.min(rest.ms, passed)
      rest.ms -= usedMs
      passed -= usedMs
    }
    at = paid_at.getTime()
    const rank = getRank(level)
    remaining.set(rank, { level, ms: (remaining.get(rank)?.ms ?? 0) + DAYS[period] * DAY_MS })
  }
  return listHighestFirst()
    .filter(({ ms }) => ms > 0)
    .map(({ level, ms }) => ({ level, ends_at: new Date((at += ms)).toISOString() }))
}

/** Gives a user the levels of all orders that are paid as the transaction sees them. */
export const saveMemberships = (tx: Db, userId: string): Promise<void> =>
  updateMemberships(tx, userId, async () => scheduleMemberships(await listMembershipPurchases(tx, userId)))
