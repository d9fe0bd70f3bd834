import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { CreditPlan, PayType } from '#contract/credit/credit.ts'
import type { Period } from '#contract/credit/periods.ts'
import type { Level } from '#contract/users.ts'
import type { Db } from '#server/core/database/database.ts'
import { creditOrders, notifySettings } from './tables.ts'

/** A paid membership. */
export type Purchase = { level: Level; period: Period; paid_at: Date }
export type Order = typeof creditOrders.$inferSelect

/** States that may still become paid: money for a closed order also counts. */
const UNPAID = ['pending', 'expired', 'cancelled'] as const

export async function insertOrder(db: Db, order: typeof creditOrders.$inferInsert): Promise<Order> {
  return (await db.insert(creditOrders).values(order).returning())[0]!
}

/** Finds an order of a user, or without `userId` (for providers and the operator) of anybody. */
export async function findOrder(db: Db, id: string, userId?: string): Promise<Order | undefined> {
  const ownerFilter = userId === undefined ? undefined : eq(creditOrders.user_id, userId)
  return (
    await db
      .select()
      .from(creditOrders)
      .where(and(eq(creditOrders.id, id), ownerFilter))
  )[0]
}

/** Finds the user's newest order for the same plan, price and way to pay that stays payable until then. */
export async function findPayableOrder(
  db: Db,
  { user_id, plan, pay_type, until }: { user_id: string; plan: CreditPlan; pay_type: PayType; until: Date },
): Promise<Order | undefined> {
  const rows = await db
    .select()
    .from(creditOrders)
    .where(
      and(
        eq(creditOrders.user_id, user_id),
        eq(creditOrders.status, 'pending'),
        eq(creditOrders.pay_type, pay_type),
        sql`${creditOrders.plan} = ${JSON.stringify(plan)}::jsonb`,
        isNotNull(creditOrders.code_url),
        gt(creditOrders.expires_at, until),
      ),
    )
    .orderBy(desc(creditOrders.created_at))
    .limit(1)
  return rows[0]
}

/** Lists pending orders older than a moment and not queried since: never queried ones first, then the longest ago. */
export async function listUnqueried(db: Db, since: Date, limit: number): Promise<Order[]> {
  return db
    .select()
    .from(creditOrders)
    .where(
      and(
        eq(creditOrders.status, 'pending'),
        lt(creditOrders.created_at, since),
        or(isNull(creditOrders.queried_at), lt(creditOrders.queried_at, since)),
      ),
    )
    .orderBy(sql`${creditOrders.queried_at} ASC NULLS FIRST`, asc(creditOrders.created_at))
    .limit(limit)
}

/** Changes an order in one of the given states; returns undefined if it is in another one. */
async function changeOrder(
  tx: Db,
  id: string,
  from: readonly Order['status'][],
  changes: Partial<Order>,
): Promise<Order | undefined> {
  const rows = await tx
    .update(creditOrders)
    .set(changes)
    .where(and(eq(creditOrders.id, id), inArray(creditOrders.status, [...from])))
    .returning()
  return rows[0]
}

export const saveCode = (db: Db, id: string, codeUrl: string): Promise<Order | undefined> =>
  changeOrder(db, id, ['pending'], { code_url: codeUrl })

export const markQueried = (db: Db, id: string, queriedAt: Date): Promise<Order | undefined> =>
  changeOrder(db, id, ['pending'], { queried_at: queriedAt })

export const markClosed = (db: Db, id: string, status: 'expired' | 'cancelled'): Promise<Order | undefined> =>
  changeOrder(db, id, ['pending'], { status })

/** If called concurrently, only the first call gets the order: the others wait for its transaction. */
export const markPaid = (tx: Db, id: string, tradeNo: string, paidAt: Date): Promise<Order | undefined> =>
  changeOrder(tx, id, UNPAID, { status: 'paid', trade_no: tradeNo, paid_at: paidAt })

export const markRefunding = (tx: Db, id: string, refundId: string): Promise<Order | undefined> =>
  changeOrder(tx, id, ['paid'], { status: 'refunding', refund_id: refundId })

export const markRefunded = (tx: Db, id: string, refundedAt: Date): Promise<Order | undefined> =>
  changeOrder(tx, id, ['refunding'], { status: 'refunded', refunded_at: refundedAt })

/** Lists the memberships that a user has paid, without refunded ones. */
export async function listMembershipPurchases(tx: Db, userId: string): Promise<Purchase[]> {
  const rows = await tx
    .select({ plan: creditOrders.plan, paid_at: creditOrders.paid_at })
    .from(creditOrders)
    .where(and(eq(creditOrders.user_id, userId), eq(creditOrders.status, 'paid')))
  return rows.flatMap(({ plan: { level, period }, paid_at }) =>
    level && paid_at ? [{ level, period, paid_at }] : [],
  )
}

/** Tells whether a user has paid an order that was not refunded. */
export async function hasPaid(db: Db, userId: string): Promise<boolean> {
  const { user_id: by, status } = creditOrders
  return (await db.$count(creditOrders, and(eq(by, userId), eq(status, 'paid')))) > 0
}

/** Lists invited users who have paid an order and whose inviters were not rewarded. */
export async function listUnrewarded(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    SELECT u.id FROM users u
    WHERE u.invited_by IS NOT NULL AND NOT u.invite_rewarded
      AND EXISTS (SELECT FROM credit_orders o WHERE o.user_id = u.id AND o.status = 'paid')
    LIMIT ${limit}`)
  return rows.map(({ id }) => id)
}

/** Counts the people who signed up by a user's link and those of them who were rewarded, and sums the micro-coins earned. */
export async function sumInvitations(
  db: Db,
  userId: string,
): Promise<{ invited: number; rewarded: number; earned: bigint }> {
  const { rows } = await db.execute<{ invited: number; rewarded: number; earned: string }>(sql`
    SELECT count(*)::int AS invited, count(*) FILTER (WHERE invite_rewarded)::int AS rewarded,
      (SELECT coalesce(sum(t.amount), 0)::text FROM ledger_transfers t JOIN ledger_accounts a
        ON a.id = t.credit_account_id WHERE a.user_id = ${userId} AND t.kind = 'reward') AS earned
    FROM users WHERE invited_by = ${userId}`)
  const { invited, rewarded, earned } = rows[0]!
  return { invited, rewarded, earned: BigInt(earned) }
}

/** Lists the sign-ups by a user's link, the latest first, each with whether it was rewarded. */
export async function listInvited(
  db: Db,
  userId: string,
  limit: number,
): Promise<{ created_at: string; rewarded: boolean }[]> {
  const { rows } = await db.execute<{ at: string; rewarded: boolean }>(sql`
    SELECT round(extract(epoch FROM created_at) * 1000)::text AS at, invite_rewarded AS rewarded
    FROM users WHERE invited_by = ${userId} ORDER BY created_at DESC, id LIMIT ${limit}`)
  return rows.map(({ at, rewarded }) => ({ created_at: new Date(Number(at)).toISOString(), rewarded }))
}

/** The threshold is in micro-coins. */
type NotifySettingRow = Pick<typeof notifySettings.$inferSelect, 'enabled' | 'threshold'>

export async function findNotifySetting(db: Db, userId: string): Promise<NotifySettingRow | undefined> {
  const { enabled, threshold } = notifySettings
  const rows = await db
    .select({ enabled, threshold })
    .from(notifySettings)
    .where(eq(notifySettings.user_id, userId))
  return rows[0]
}

export async function saveNotifySetting(
  db: Db,
  userId: string,
  { enabled, threshold }: NotifySettingRow,
): Promise<void> {
  await db.execute(sql`
    INSERT INTO credit_notify_settings (user_id, enabled, threshold, is_low)
    SELECT user_id, ${enabled}::boolean, ${threshold}::bigint, balance < ${threshold}::bigint
    FROM ledger_accounts WHERE user_id = ${userId}
    ON CONFLICT (user_id) DO UPDATE
    SET enabled = excluded.enabled, threshold = excluded.threshold, is_low = excluded.is_low`)
}

/** A balance that crossed its user's threshold. */
export type BalanceCrossing = {
  user_id: string
  is_low: boolean
  balance: bigint
  threshold: bigint
  email: string | null
}

/** Updates which balances are low, and returns those that changed. */
export async function markLowBalances(tx: Db): Promise<BalanceCrossing[]> {
  const { rows } = await tx.execute<
    Record<'user_id' | 'balance' | 'threshold', string> & BalanceCrossing
  >(sql`
    UPDATE credit_notify_settings n SET is_low = a.balance < n.threshold
    FROM ledger_accounts a JOIN users u ON u.id = a.user_id
    WHERE a.user_id = n.user_id AND n.enabled AND n.is_low <> (a.balance < n.threshold)
    RETURNING n.user_id, n.is_low, a.balance::text, n.threshold::text, u.email`)
  return rows.map((row) => ({ ...row, balance: BigInt(row.balance), threshold: BigInt(row.threshold) }))
}
