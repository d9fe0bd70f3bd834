import { MAX_KEYS_PER_USER } from '#contract/key-groups.ts'
import type { ProvisionKey, ProvisionSettings } from '#contract/keys.ts'
import { AppError } from '#server/core/app-error.ts'
import { toCoins } from '#server/core/coins.ts'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import { updateSpendLimit } from '#server/ledger/ledger.ts'
import { generateKey, PROVISION_KEY } from './authenticate.ts'
import { toSpendLimit } from './permission.ts'
import {
  countProvisionKeys,
  findProvisionKey,
  insertAuditEntry,
  insertProvisionKey,
  listProvisionKeys,
  lockKeys,
  OTHER_STATUS,
  removeProvisionKey,
  updateProvisionKey,
} from './store.ts'
import type { ProvisionKeyRow } from './store.ts'

type AuditAction = Parameters<typeof insertAuditEntry>[1]['act']

/** Provision keys of an owner. For a key of another owner the functions throw AppError not_found. */
export function createProvisionKeys(db: Db) {
  const recordKeyAction = (
    tx: Db,
    userId: string,
    act: AuditAction,
    id: string,
    changes: object | null = null,
  ) => insertAuditEntry(tx, { user_id: userId, actor: 'user', act, provision_key_id: id, changes })

  const updateAndRecord = async (
    userId: string,
    id: string,
    getAct: (key: { status: boolean }) => AuditAction,
    columns: Parameters<typeof updateProvisionKey>[2],
    changes?: Partial<ProvisionSettings>,
  ): Promise<ProvisionKey> =>
    db.transaction(async (tx) => {
      const changed =
        Object.keys(columns).length === 0 || (await updateProvisionKey(tx, { user_id: userId, id }, columns))
      const { total_credit_limit } = changes ?? {}
      const existingRow = changed && (await findProvisionKey(tx, userId, id))
      if (!existingRow) throw new AppError('not_found')
      if (total_credit_limit !== undefined) await updateSpendLimit(tx, id, toSpendLimit(total_credit_limit))
      const row = (await findProvisionKey(tx, userId, id))!
      await recordKeyAction(tx, userId, getAct(row), id, changes)
      return presentProvisionKey(row)
    })

  return {
    /** Newest first. */
    list: async (userId: string): Promise<ProvisionKey[]> =>
      (await listProvisionKeys(db, userId)).map((row) => presentProvisionKey(row)),

    /** Throws AppError key_count. */
    create: async (userId: string, settings: ProvisionSettings): Promise<ProvisionKey> =>
      db.transaction(async (tx) => {
        await lockKeys(tx, userId)
        if ((await countProvisionKeys(tx, userId)) >= MAX_KEYS_PER_USER) throw new AppError('key_count')
        const { raw_value, token_hash, value } = generateKey(PROVISION_KEY)
        const id = createId()
        const { total_credit_limit, max_credit_limit, ...caps } = settings
        const identity = { id, user_id: userId, token_hash, value }
        const key = { ...caps, ...identity, max_credit_limit: toSpendLimit(max_credit_limit) }
        await insertProvisionKey(tx, key, toSpendLimit(total_credit_limit))
        await recordKeyAction(tx, userId, 'create', id, settings)
        return presentProvisionKey((await findProvisionKey(tx, userId, id))!, raw_value)
      }),

    /** Changes only the given settings; API keys that were made before stay as they are. Throws AppError not_found. */
    update: ({ user_id, id }: KeyRef, settings: Partial<ProvisionSettings>) => {
      const { max_credit_limit, total_credit_limit: _total, ...rest } = settings
      const cap = max_credit_limit === undefined ? {} : { max_credit_limit: toSpendLimit(max_credit_limit) }
      return updateAndRecord(user_id, id, () => 'update', { ...rest, ...cap }, settings)
    },

    /** Without a status, switches it. Throws AppError not_found. */
    setStatus: ({ user_id, id }: KeyRef, status: boolean | undefined) =>
      updateAndRecord(user_id, id, (key) => (key.status ? 'enable' : 'disable'), {
        status: status ?? OTHER_STATUS,
      }),

    /** Throws AppError not_found. */
    remove: async ({ user_id, id }: KeyRef): Promise<void> =>
      db.transaction(async (tx) => {
        if (!(await removeProvisionKey(tx, { user_id, id }))) throw new AppError('not_found')
        await recordKeyAction(tx, user_id, 'delete', id)
      }),
  }
}

type KeyRef = { user_id: string; id: string }

function presentProvisionKey(row: ProvisionKeyRow, rawValue: string | null = null): ProvisionKey {
  const { name, value, status, max_days, allowed_groups, allowed_models, max_keys, keys } = row
  return {
    uuid: row.id,
    name,
    value,
    raw_value: rawValue,
    status,
    max_credit_limit: toCoins(row.max_credit_limit ?? 0n),
    total_credit_limit: toCoins(row.spend_limit ?? 0n),
    total_credit_used: toCoins(row.used),
    max_days,
    allowed_groups,
    allowed_models,
    max_keys,
    keys,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}
