import { desc, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'
import { createPreparedQuery } from '#server/core/database/prepared-query.ts'
import {
  accountColumns,
  budgetColumns,
  createBudget,
  joinAccount,
  joinBudget,
} from '#server/ledger/ledger.ts'
import type { Budget } from '#server/ledger/ledger.ts'
import { createOwnedKeys } from './owned/store.ts'
import { apiKeys } from './tables.ts'

const owned = createOwnedKeys(apiKeys)
export const { count: countKeys, update: updateKey, remove: removeKey, touch: touchKey } = owned

const expired = sql<boolean>`coalesce(${apiKeys.expired_at} <= now(), false)`
const columns = { ...getTableColumns(apiKeys), expired, ...budgetColumns }

type KeyInsert = typeof apiKeys.$inferInsert
/** A key with its budget. */
export type KeyRow = typeof apiKeys.$inferSelect & { expired: boolean } & Budget

/** Newest first. */
export async function listKeys(db: Db, userId: string): Promise<KeyRow[]> {
  return db
    .select(columns)
    .from(apiKeys)
    .innerJoin(...joinBudget(apiKeys.id))
    .where(owned.of(userId))
    .orderBy(desc(apiKeys.id))
}

export async function findKey(db: Db, userId: string, id: string): Promise<KeyRow | undefined> {
  const rows = await db
    .select(columns)
    .from(apiKeys)
    .innerJoin(...joinBudget(apiKeys.id))
    .where(owned.one({ user_id: userId, id }))
  return rows[0]
}

/** Locks one key until the transaction ends; false when the user has no such key. */
export async function lockKey(tx: Db, userId: string, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(owned.one({ user_id: userId, id }))
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
      stale: owned.stale,
      ...accountColumns,
    })
    .from(apiKeys)
    .innerJoin(...joinAccount(user_id))
    .where(owned.byTokens(sql.placeholder('token_hashes')))
    .prepare('keys_by_tokens')
})

/** Finds keys by the hashes of their tokens; `stale` says that the last use was written over a minute ago, or never. */
export async function findKeysByTokens(db: Db, tokenHashes: string[]) {
  const rows = await getKeysByTokensQuery(db).execute({ token_hashes: tokenHashes })
  return new Map(rows.map((row) => [row.token_hash, row]))
}
