import { and, count, desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'
import {
  accountColumns,
  budgetColumns,
  createBudget,
  joinAccount,
  joinBudget,
} from '#server/ledger/ledger.ts'
import type { Budget } from '#server/ledger/ledger.ts'
import { createOwnedKeys } from '../owned/store.ts'
import { apiKeys, provisionKeys } from '../tables.ts'

const owned = createOwnedKeys(provisionKeys)
export const {
  count: countProvisionKeys,
  update: updateProvisionKey,
  remove: removeProvisionKey,
  touch: touchProvisionKey,
} = owned

type ProvisionKeyInsert = typeof provisionKeys.$inferInsert
export type ProvisionKeyRow = typeof provisionKeys.$inferSelect & { keys: number } & Budget

/** The opposite of a key's status. */
export const OTHER_STATUS = sql<boolean>`NOT ${provisionKeys.status}`

/** Count of the existing keys that it made. Qualified by hand: in a select from one table drizzle leaves the table's name out. */
const keys = sql<number>`(SELECT count(*)::int FROM api_keys made
  WHERE made.provision_key_id = "provision_keys"."id" AND made.deleted_at IS NULL)`
const columns = { ...getTableColumns(provisionKeys), keys, ...budgetColumns }

/** Newest first. */
export async function listProvisionKeys(db: Db, userId: string): Promise<ProvisionKeyRow[]> {
  return db
    .select(columns)
    .from(provisionKeys)
    .innerJoin(...joinBudget(provisionKeys.id))
    .where(owned.of(userId))
    .orderBy(desc(provisionKeys.id))
}

export async function findProvisionKey(
  db: Db,
  userId: string,
  id: string,
): Promise<ProvisionKeyRow | undefined> {
  const rows = await db
    .select(columns)
    .from(provisionKeys)
    .innerJoin(...joinBudget(provisionKeys.id))
    .where(owned.one({ user_id: userId, id }))
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
    .where(owned.one({ user_id: userId, id }))
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
    .select({ id, user_id, status, stale: owned.stale, ...accountColumns })
    .from(provisionKeys)
    .innerJoin(...joinAccount(user_id))
    .where(owned.byTokens(sql.param([tokenHash])))
  return rows[0]
}
