import { and, count, desc, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../core/database.ts'
import { ledgerBudgets } from '../ledger/tables.ts'
import { apiKeys } from './tables.ts'

const expired = sql<boolean>`coalesce(${apiKeys.expired_at} <= now(), false)`
const columns = {
  ...getTableColumns(apiKeys),
  expired,
  /** Micro-coins; null: no limit. */
  spend_limit: ledgerBudgets.spend_limit,
  used: ledgerBudgets.used,
}
const alive = (user_id: string) => and(eq(apiKeys.user_id, user_id), isNull(apiKeys.deleted_at))

type Insert = typeof apiKeys.$inferInsert
/** A key with its budget. */
export type KeyRow = typeof apiKeys.$inferSelect & {
  expired: boolean
  spend_limit: bigint | null
  used: bigint
}
/** Newest first. */
export async function keysOf(db: Db, user_id: string): Promise<KeyRow[]> {
  return db
    .select(columns)
    .from(apiKeys)
    .innerJoin(ledgerBudgets, eq(ledgerBudgets.id, apiKeys.id))
    .where(alive(user_id))
    .orderBy(desc(apiKeys.id))
}

export async function keyById(db: Db, user_id: string, id: string): Promise<KeyRow | undefined> {
  const rows = await db
    .select(columns)
    .from(apiKeys)
    .innerJoin(ledgerBudgets, eq(ledgerBudgets.id, apiKeys.id))
    .where(and(eq(apiKeys.id, id), alive(user_id)))
  return rows[0]
}

/** Lets the transactions that count and make keys of a user go one after another. */
export async function lockKeys(tx: Db, user_id: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`keys:${user_id}`}, 0))`)
}

/** Locks one key until the transaction ends; false when the user has no such key. */
export async function lockKey(tx: Db, user_id: string, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), alive(user_id)))
    .for('update')
  return rows.length > 0
}

export async function countKeys(tx: Db, user_id: string): Promise<number> {
  return (await tx.select({ keys: count() }).from(apiKeys).where(alive(user_id)))[0]!.keys
}

/** The key and its budget, under the same id. */
export async function insertKey(tx: Db, key: Insert, spend_limit: bigint | null): Promise<void> {
  await tx.insert(ledgerBudgets).values({ id: key.id, kind: 'key', spend_limit })
  await tx.insert(apiKeys).values(key)
}

export async function updateKey(
  tx: Db,
  user_id: string,
  id: string,
  changes: Partial<Insert>,
): Promise<boolean> {
  const rows = await tx
    .update(apiKeys)
    .set(changes)
    .where(and(eq(apiKeys.id, id), alive(user_id)))
    .returning({ id: apiKeys.id })
  return rows.length > 0
}

/** Takes effect on the very next hold. */
export async function limitKey(tx: Db, id: string, spend_limit: bigint | null): Promise<void> {
  await tx.update(ledgerBudgets).set({ spend_limit }).where(eq(ledgerBudgets.id, id))
}

/** The keys of tokens, by their hashes, each with whether its last use was written over a minute ago. */
export async function keysByTokens(db: Db, token_hashes: string[]) {
  const stale = sql<boolean>`coalesce(${apiKeys.last_used_at} < now() - interval '1 minute', true)`
  const rows = await db
    .select({ ...getTableColumns(apiKeys), expired, stale })
    .from(apiKeys)
    .where(and(inArray(apiKeys.token_hash, token_hashes), isNull(apiKeys.deleted_at)))
  return new Map(rows.map((row) => [row.token_hash, row]))
}

/** Writes that a key was used, unless that was done within the last minute. */
export async function touchKey(db: Db, id: string): Promise<void> {
  await db.execute(sql`
    UPDATE api_keys SET last_used_at = now()
    WHERE id = ${id} AND coalesce(last_used_at < now() - interval '1 minute', true)`)
}
