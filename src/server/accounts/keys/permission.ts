import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import { findCapViolations } from './provision/caps.ts'
import { insertAuditEntry } from './audit/store.ts'
import { countKeysCreatedBy, lockProvisionKey } from './provision/store.ts'
import type { KeyRow } from './store.ts'

/** The owner, or a provision key that acts for the owner. */
export type Actor = { user_id: string; provision_key_id?: string }

type KeyValues = Parameters<typeof findCapViolations>[1]
/** Refuses writes that the actor may not make: a key in this state, or one more key. Throws AppError provision_cap. */
export type KeyPermission = { requireWrite(key: KeyValues): void; requireAddKey(): Promise<void> }

const OWNER_PERMISSION: KeyPermission = {
  requireWrite: () => undefined,
  requireAddKey: async () => undefined,
}

/**
 * Returns the actor's permission, valid while the transaction lasts: a provision key is locked and read again, so that its caps
 * hold exactly however many calls run at once. Throws AppError key_invalid, key_disabled.
 */
export async function resolvePermission(
  tx: Db,
  { user_id, provision_key_id }: Actor,
): Promise<KeyPermission> {
  if (!provision_key_id) return OWNER_PERMISSION
  const caps = await lockProvisionKey(tx, user_id, provision_key_id)
  if (!caps) throw new AppError('key_invalid')
  if (!caps.status) throw new AppError('key_disabled')
  return {
    requireWrite(key) {
      const fields = findCapViolations(caps, key)
      if (Object.keys(fields).length) throw new AppError('provision_cap', { fields })
    },
    async requireAddKey() {
      if (caps.max_keys === null || (await countKeysCreatedBy(tx, provision_key_id)) < caps.max_keys) return
      throw new AppError('provision_cap', { fields: { max_keys: `最多 ${caps.max_keys} 个密钥` } })
    },
  }
}

type AuditAction = Parameters<typeof insertAuditEntry>[1]['act']

/** Records an action of the actor on a key. */
export const recordKeyAction = (
  tx: Db,
  actor: Actor,
  act: AuditAction,
  key: Pick<KeyRow, 'id'>,
  changes?: object,
) =>
  insertAuditEntry(tx, {
    user_id: actor.user_id,
    actor: actor.provision_key_id ? 'provision_key' : 'user',
    act,
    api_key_id: key.id,
    provision_key_id: actor.provision_key_id ?? null,
    changes: changes ?? null,
  })
