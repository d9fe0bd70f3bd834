import { MAX_KEYS_PER_USER } from '#contract/key-groups.ts'
import type { ProvisionKey, ProvisionSettings } from '#contract/keys.ts'
import { AppError } from '../../core/app-error.ts'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import { insertAuditEntry } from '../audit/store.ts'
import { toSpendLimit } from './caps.ts'
import { lockKeys } from '../owned/store.ts'
import { presentProvisionKey } from '../presentation.ts'
import { generateKey, PROVISION_KEY } from '../token.ts'
import {
  countProvisionKeys,
  insertProvisionKey,
  findProvisionKey,
  listProvisionKeys,
  removeProvisionKey,
  updateProvisionKey,
} from './store.ts'

type AuditAction = Parameters<typeof insertAuditEntry>[1]['act']

/** Provision keys of an owner. One of somebody else is not there: AppError not_found. */
export function createProvisionKeys(db: Db) {
  const recordKeyAction = (
    tx: Db,
    user_id: string,
    act: AuditAction,
    id: string,
    changes: object | null = null,
  ) => insertAuditEntry(tx, { user_id, actor: 'user', act, provision_key_id: id, changes })

  const updateAndRecord = async (
    user_id: string,
    id: string,
    act: AuditAction,
    columns: Parameters<typeof updateProvisionKey>[2],
    changes?: object,
  ): Promise<ProvisionKey> =>
    db.transaction(async (tx) => {
      const changed =
        Object.keys(columns).length === 0 || (await updateProvisionKey(tx, { user_id, id }, columns))
      const row = changed && (await findProvisionKey(tx, user_id, id))
      if (!row) throw new AppError('not_found')
      await recordKeyAction(tx, user_id, act, id, changes)
      return presentProvisionKey(row)
    })

  return {
    /** Newest first. */
    list: async (user_id: string): Promise<ProvisionKey[]> =>
      (await listProvisionKeys(db, user_id)).map((row) => presentProvisionKey(row)),

    /** Throws AppError key_count. */
    create: async (user_id: string, settings: ProvisionSettings): Promise<ProvisionKey> =>
      db.transaction(async (tx) => {
        await lockKeys(tx, user_id)
        if ((await countProvisionKeys(tx, user_id)) >= MAX_KEYS_PER_USER) throw new AppError('key_count')
        const { raw_value, token_hash, value } = generateKey(PROVISION_KEY)
        const id = createId()
        await insertProvisionKey(tx, {
          ...settings,
          max_credit_limit: toSpendLimit(settings.max_credit_limit),
          id,
          user_id,
          token_hash,
          value,
        })
        await recordKeyAction(tx, user_id, 'create', id, settings)
        return presentProvisionKey((await findProvisionKey(tx, user_id, id))!, raw_value)
      }),

    /** Changes what is given; API keys that were made before stay as they are. Throws AppError not_found. */
    update: ({ user_id, id }: KeyRef, { max_credit_limit, ...rest }: Partial<ProvisionSettings>) => {
      const cap = max_credit_limit === undefined ? {} : { max_credit_limit: toSpendLimit(max_credit_limit) }
      return updateAndRecord(user_id, id, 'update', { ...rest, ...cap }, { ...rest, max_credit_limit })
    },

    /** Throws AppError not_found. */
    setStatus: ({ user_id, id }: KeyRef, status: boolean) =>
      updateAndRecord(user_id, id, status ? 'enable' : 'disable', { status }),

    /** Throws AppError not_found. */
    remove: async ({ user_id, id }: KeyRef): Promise<void> =>
      db.transaction(async (tx) => {
        if (!(await removeProvisionKey(tx, { user_id, id }))) throw new AppError('not_found')
        await recordKeyAction(tx, user_id, 'delete', id)
      }),
  }
}

type KeyRef = { user_id: string; id: string }
