import { and, count, desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import type { Param, Placeholder } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Db } from '#server/core/database/database.ts'
import { createPreparedQuery } from '#server/core/database/prepared-query.ts'
import { createId } from '#server/core/ids.ts'
import {
  accountColumns,
  budgetColumns,
  createBudget,
  joinAccount,
  joinBudget,
} from '#server/ledger/ledger.ts'
import type { Budget } from '#server/ledger/ledger.ts'
import { apiKeys, keyAudit, provisionKeys } from './tables.ts'

type KeyRef = { user_id: string; id: string }

/** Makes the transactions that count and create keys of a user wait for each other. */
export async function lockKeys(tx: Db, userId: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`keys:${userId}`}, 0))`)
}

/** Queries for the tables of both kinds of keys. Deleted keys are not found. */
function createOwnedKeys<T extends typeof apiKeys | typeof provisionKeys>(table: T) {
  const isNotDeleted = isNull(table.deleted_at)
  const ownedBy = (userId: string) => and(eq(table.user_id, userId), isNotDeleted)
  const isOwnedKey = ({ user_id, id }: KeyRef) => and(eq(table.id, id), ownedBy(user_id))
  /** The last use was written over a minute ago, or never. */
  const isStale = sql<boolean>`coalesce(${table.last_used_at} < now() - interval '1 minute', true)`

  const update = async (tx: Db, key: KeyRef, changes: PgUpdateSetSource<T>): Promise<boolean> => {
    const rows = await tx.update(table).set(changes).where(isOwnedKey(key)).returning({ id: table.id })
    return rows.length > 0
  }

  return {
    of: ownedBy,
    one: isOwnedKey,
    /** `tokenHashes` is an array, as a parameter or its placeholder. */
    byTokens: (tokenHashes: Param | Placeholder) =>
      and(sql`${table.token_hash} = ANY(${tokenHashes}::text[])`, isNotDeleted),
    stale: isStale,

    count: async (tx: Db, userId: string): Promise<number> => tx.$count(table, ownedBy(userId)),

    /** False when the user has no such key. */
    update,

    /** Ends a key and keeps its row, so that bills can still be named; false when the user has no such key. */
    remove: (tx: Db, key: KeyRef): Promise<boolean> =>
      update(tx, key, { status: false, deleted_at: new Date() } as PgUpdateSetSource<T>),

    /** Writes that a key was used, unless a use was written within the last minute. */
    touch: async (db: Db, id: string): Promise<void> => {
      await db
        .update(table)
        .set({ last_used_at: sql`now()` })
        .where(and(eq(table.id, id), isStale))
    },
  }
}

const ownedApiKeys = createOwnedKeys(apiKeys)
export const { count: countKeys, update: updateKey, remove: removeKey, touch: touchKey } = ownedApiKeys

const expired = sql<boolean>`coalesce(${apiKeys.expired_at} <= now(), false)`
const apiKeyColumns = { ...getTableColumns(apiKeys), expired, ...budgetColumns }

type KeyInsert = typeof apiKeys.$inferInsert
/** A key with its budget. */
export type KeyRow = typeof apiKeys.$inferSelect & { expired: boolean } & Budget

/** Newest first. */
export async function listKeys(db: Db, userId: string): Promise<KeyRow[]> {
  return db
    .select(apiKeyColumns)
    .from(apiKeys)
    .innerJoin(...joinBudget(apiKeys.id))
    .where(ownedApiKeys.of(userId))
    .orderBy(desc(apiKeys.id))
}

export async function findKey(db: Db, userId: string, id: string): Promise<KeyRow | undefined> {
  const rows = await db
    .select(apiKeyColumns)
    .from(apiKeys)
    .innerJoin(...joinBudget(apiKeys.id))
    .where(ownedApiKeys.one({ user_id: userId, id }))
  return rows[0]
}

/** Locks one key until the transaction ends; false when the user has no such key. */
export async function lockKey(tx: Db, userId: string, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(ownedApiKeys.one({ user_id: userId, id }))
    .for('update')
  return rows.length > 0
}

/** Inserts a key and its budget, under the same id. */
export async function insertKey(tx: Db, key: KeyInsert, spendLimit: bigint | null): Promise<void> {
  await createBudget(tx, { id: key.id, kind: 'key', spend_limit: spendLimit })
  await tx.insert(apiKeys).values(key)
}

const getKeysByTokensQuery = createPreparedQuery((db) => {
  const { id, user_id, name, strategy, provider_sort, auto_switch, status, token_hash } = apiKeys
  const { provision_key_id } = apiKeys
  const { allowed_models, allowed_addresses, requests_per_minute, tokens_per_minute } = apiKeys
  const limits = { allowed_models, allowed_addresses, requests_per_minute, tokens_per_minute }
  const route = { strategy, provider_sort, auto_switch }
  return db
    .select({
      id,
      user_id,
      name,
      status,
      token_hash,
      provision_key_id,
      ...route,
      ...limits,
      expired,
      stale: ownedApiKeys.stale,
      ...accountColumns,
    })
    .from(apiKeys)
    .innerJoin(...joinAccount(user_id))
    .where(ownedApiKeys.byTokens(sql.placeholder('token_hashes')))
    .prepare('keys_by_tokens')
})

/** Finds keys by the hashes of their tokens; `stale` says that the last use was written over a minute ago, or never. */
export async function findKeysByTokens(db: Db, tokenHashes: string[]) {
  const rows = await getKeysByTokensQuery(db).execute({ token_hashes: tokenHashes })
  return new Map(rows.map((row) => [row.token_hash, row]))
}

const ownedProvisionKeys = createOwnedKeys(provisionKeys)
export const {
  count: countProvisionKeys,
  update: updateProvisionKey,
  remove: removeProvisionKey,
  touch: touchProvisionKey,
} = ownedProvisionKeys

type ProvisionKeyInsert = typeof provisionKeys.$inferInsert
export type ProvisionKeyRow = typeof provisionKeys.$inferSelect & { keys: number } & Budget

/** The opposite of a key's status. */
export const OTHER_STATUS = sql<boolean>`NOT ${provisionKeys.status}`

/** Count of the existing keys that it made. Qualified by hand: in a select from one table drizzle leaves the table's name out. */
const keys = sql<number>`(SELECT count(*)::int FROM api_keys made
  WHERE made.provision_key_id = "provision_keys"."id" AND made.deleted_at IS NULL)`
const provisionKeyColumns = { ...getTableColumns(provisionKeys), keys, ...budgetColumns }

/** Newest first. */
export async function listProvisionKeys(db: Db, userId: string): Promise<ProvisionKeyRow[]> {
  return db
    .select(provisionKeyColumns)
    .from(provisionKeys)
    .innerJoin(...joinBudget(provisionKeys.id))
    .where(ownedProvisionKeys.of(userId))
    .orderBy(desc(provisionKeys.id))
}

export async function findProvisionKey(
  db: Db,
  userId: string,
  id: string,
): Promise<ProvisionKeyRow | undefined> {
  const rows = await db
    .select(provisionKeyColumns)
    .from(provisionKeys)
    .innerJoin(...joinBudget(provisionKeys.id))
    .where(ownedProvisionKeys.one({ user_id: userId, id }))
  return rows[0]
}

/** Inserts a provision key and its budget, under the same id. All keys that it ever makes share that budget. */
export async function insertProvisionKey(
  tx: Db,
  key: ProvisionKeyInsert,
  spendLimit: bigint | null,
): Promise<void> {
  await createBudget(tx, { id: key.id, kind: 'provision_key', spend_limit: spendLimit })
  await tx.insert(provisionKeys).values(key)
}

/** Locks a provision key until the transaction ends, so that its caps and the keys that it made stay as they are read. */
export async function lockProvisionKey(tx: Db, userId: string, id: string) {
  const rows = await tx
    .select()
    .from(provisionKeys)
    .where(ownedProvisionKeys.one({ user_id: userId, id }))
    .for('update')
  return rows[0]
}

export async function countKeysCreatedBy(tx: Db, provisionKeyId: string): Promise<number> {
  const rows = await tx
    .select({ keys: count() })
    .from(apiKeys)
    .where(and(eq(apiKeys.provision_key_id, provisionKeyId), isNull(apiKeys.deleted_at)))
  return rows[0]!.keys
}

/** Finds the provision key of a token; `stale` says that its last use was written over a minute ago, or never. */
export async function findProvisionKeyByToken(db: Db, tokenHash: string) {
  const { id, user_id, status } = getTableColumns(provisionKeys)
  const rows = await db
    .select({ id, user_id, status, stale: ownedProvisionKeys.stale, ...accountColumns })
    .from(provisionKeys)
    .innerJoin(...joinAccount(user_id))
    .where(ownedProvisionKeys.byTokens(sql.param([tokenHash])))
  return rows[0]
}

type AuditEntry = Omit<typeof keyAudit.$inferInsert, 'id' | 'created_at'>

/** Records an act on a key, in the transaction of the act. */
export async function insertAuditEntry(tx: Db, entry: AuditEntry): Promise<void> {
  await tx.insert(keyAudit).values({ id: createId(), ...entry })
}
