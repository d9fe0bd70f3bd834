import { and, count, desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../core/database.ts'
import { apiKeys, provisionKeys } from '../tables.ts'

type Insert = typeof provisionKeys.$inferInsert
export type ProvisionRow = typeof provisionKeys.$inferSelect & { keys: number }

const alive = (user_id: string) => and(eq(provisionKeys.user_id, user_id), isNull(provisionKeys.deleted_at))
/** Keys made by it that exist now. Qualified by hand: in a select from one table drizzle leaves the table's name out. */
const keys = sql<number>`(SELECT count(*)::int FROM api_keys made
  WHERE made.provision_key_id = "provision_keys"."id" AND made.deleted_at IS NULL)`
const columns = { ...getTableColumns(provisionKeys), keys }

/** Newest first. */
export async function provisionKeysOf(db: Db, user_id: string): Promise<ProvisionRow[]> {
  return db.select(columns).from(provisionKeys).where(alive(user_id)).orderBy(desc(provisionKeys.id))
}

export async function provisionKeyById(
  db: Db,
  user_id: string,
  id: string,
): Promise<ProvisionRow | undefined> {
  const rows = await db
    .select(columns)
    .from(provisionKeys)
    .where(and(eq(provisionKeys.id, id), alive(user_id)))
  return rows[0]
}

export async function countProvisionKeys(tx: Db, user_id: string): Promise<number> {
  return (await tx.select({ keys: count() }).from(provisionKeys).where(alive(user_id)))[0]!.keys
}

export async function insertProvisionKey(tx: Db, key: Insert): Promise<void> {
  await tx.insert(provisionKeys).values(key)
}

export async function updateProvisionKey(
  tx: Db,
  user_id: string,
  id: string,
  changes: Partial<Insert>,
): Promise<boolean> {
  const rows = await tx
    .update(provisionKeys)
    .set(changes)
    .where(and(eq(provisionKeys.id, id), alive(user_id)))
    .returning({ id: provisionKeys.id })
  return rows.length > 0
}

/** A provision key locked until the transaction ends, so that its caps and what it made stay as they are read. */
export async function lockProvisionKey(tx: Db, user_id: string, id: string) {
  const rows = await tx
    .select()
    .from(provisionKeys)
    .where(and(eq(provisionKeys.id, id), alive(user_id)))
    .for('update')
  return rows[0]
}

export async function countMadeBy(tx: Db, provision_key_id: string): Promise<number> {
  const rows = await tx
    .select({ keys: count() })
    .from(apiKeys)
    .where(and(eq(apiKeys.provision_key_id, provision_key_id), isNull(apiKeys.deleted_at)))
  return rows[0]!.keys
}

/** The provision key of a token, with whether its last use was written over a minute ago. */
export async function provisionKeyByToken(db: Db, token_hash: string) {
  const stale = sql<boolean>`coalesce(${provisionKeys.last_used_at} < now() - interval '1 minute', true)`
  const { id, user_id, status } = getTableColumns(provisionKeys)
  const rows = await db
    .select({ id, user_id, status, stale })
    .from(provisionKeys)
    .where(and(eq(provisionKeys.token_hash, token_hash), isNull(provisionKeys.deleted_at)))
  return rows[0]
}

/** Writes that a provision key was used, unless that was done within the last minute. */
export async function touchProvisionKey(db: Db, id: string): Promise<void> {
  await db.execute(sql`
    UPDATE provision_keys SET last_used_at = now()
    WHERE id = ${id} AND coalesce(last_used_at < now() - interval '1 minute', true)`)
}
