import type { KeyGroup } from '#contract/key-groups.ts'
import { AppError } from '#server/core/app-error.ts'
import { toMicroCoins } from '#server/core/coins.ts'
import type { Db } from '#server/core/database/database.ts'
import { countKeysCreatedBy, insertAuditEntry, lockProvisionKey } from './store.ts'
import type { KeyRow } from './store.ts'

/** The owner, or a provision key that acts for the owner. */
export type Actor = { user_id: string; provision_key_id?: string }

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

/** Caps of a provision key on the API keys that it writes. Micro-coins and days; null is no cap. */
type KeyCaps = {
  max_credit_limit: bigint | null
  max_days: number | null
  allowed_groups: KeyGroup[] | null
  allowed_models: string[] | null
}

type KeyValues = {
  strategy: KeyGroup
  /** Micro-coins; null: no limit. */
  spend_limit: bigint | null
  created_at: Date
  expired_at: Date | null
  allowed_models: string[] | null
}

/** Converts coins to micro-coins. 0 coins mean no limit or cap, which is null. */
export const toSpendLimit = (coins: number): bigint | null => (coins > 0 ? toMicroCoins(coins) : null)

const DAY_MS = 86_400_000

/** Returns a message for each field in which a key exceeds the caps; empty when it stays within them. */
function findCapViolations(caps: KeyCaps, key: KeyValues): Record<string, string> {
  const fields: Record<string, string> = {}
  if (
    caps.max_credit_limit !== null &&
    (key.spend_limit === null || key.spend_limit > caps.max_credit_limit)
  ) {
    fields.credit_limit = `须设置额度，且不超过 ${Number(caps.max_credit_limit / 10_000n) / 100} 金币`
  }
  if (caps.max_days !== null && !expiresWithin(key, caps.max_days)) {
    fields.expired_at = `须设置过期时间，且不晚于创建后 ${caps.max_days} 天`
  }
  if (caps.allowed_groups && !caps.allowed_groups.includes(key.strategy)) {
    fields.group = `只能使用分组 ${caps.allowed_groups.join('、')}`
  }
  const { allowed_models } = caps
  if (allowed_models && !key.allowed_models?.every((model) => allowed_models.includes(model))) {
    fields.allowed_models = '须限定模型，且不超出允许的范围'
  }
  return fields
}

const expiresWithin = ({ created_at, expired_at }: KeyValues, days: number): boolean =>
  expired_at !== null && expired_at.getTime() <= created_at.getTime() + days * DAY_MS

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
