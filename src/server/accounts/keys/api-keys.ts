import { keyGroups, MAX_KEYS_PER_USER } from '#contract/key-groups.ts'
import type { ApiKey, KeySettings, KeyUsage } from '#contract/keys.ts'
import { AppError } from '#server/core/app-error.ts'
import { toCoins } from '#server/core/coins.ts'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import { updateSpendLimit } from '#server/ledger/ledger.ts'
import { API_KEY, generateKey } from './authenticate.ts'
import { recordKeyAction, resolvePermission, toSpendLimit } from './permission.ts'
import type { Actor, KeyPermission } from './permission.ts'
import {
  countKeys,
  findKey,
  insertAuditEntry,
  insertKey,
  listKeys,
  lockKey,
  lockKeys,
  removeKey,
  updateKey,
} from './store.ts'
import type { KeyRow } from './store.ts'
import { loadUsage } from './usage/store.ts'
import { summarizeUsage } from './usage/usage.ts'

/** The account's first key (reference-product, "Keys"). */
const FIRST_KEY = {
  name: '默认密钥',
  strategy: 'balance',
  provider_sort: 'default',
  auto_switch: true,
} as const

/** Makes the first key of a new account. Nobody sees its value; rotating the key shows one. */
export async function createFirstKey(tx: Db, userId: string): Promise<void> {
  const { token_hash, value } = generateKey(API_KEY)
  const id = createId()
  await insertKey(tx, { ...FIRST_KEY, id, user_id: userId, token_hash, value }, null)
  await insertAuditEntry(tx, { user_id: userId, actor: 'system', act: 'create', api_key_id: id })
}

/** Tells whether an actor may see and change a key: a provision key reaches only the keys that it made. */
const canReach = ({ provision_key_id }: Actor, key: KeyRow): boolean =>
  !provision_key_id || key.provision_key_id === provision_key_id

async function requireKey(tx: Db, actor: Actor, id: string): Promise<KeyRow> {
  const key = await findKey(tx, actor.user_id, id)
  if (!key || !canReach(actor, key)) throw new AppError('not_found')
  return key
}

/** API keys that an actor reaches. For any other key the functions throw AppError not_found. */
export function createApiKeys(db: Db) {
  /** Locks a key, lets `act` change it, and returns it as it is then; `act` returns the key's new value, if it made one. */
  const updateLocked = async (
    actor: Actor,
    id: string,
    act: (tx: Db, key: KeyRow, permission: KeyPermission) => Promise<string | null>,
  ): Promise<ApiKey> =>
    db.transaction(async (tx) => {
      const permission = await resolvePermission(tx, actor)
      await lockKey(tx, actor.user_id, id)
      const rawValue = await act(tx, await requireKey(tx, actor, id), permission)
      return presentKey((await findKey(tx, actor.user_id, id))!, rawValue)
    })

  return {
    /** Newest first. */
    list: async (actor: Actor): Promise<ApiKey[]> =>
      (await listKeys(db, actor.user_id)).filter((row) => canReach(actor, row)).map((row) => presentKey(row)),

    /** Throws AppError key_count, provision_cap. */
    create: async (actor: Actor, settings: KeySettings): Promise<ApiKey> =>
      db.transaction(async (tx) => {
        await lockKeys(tx, actor.user_id)
        const permission = await resolvePermission(tx, actor)
        const { group: strategy, credit_limit, ...rest } = settings
        const spendLimit = toSpendLimit(credit_limit)
        const { raw_value, token_hash, value } = generateKey(API_KEY)
        const { user_id, provision_key_id } = actor
        const identity = {
          id: createId(),
          user_id,
          provision_key_id,
          token_hash,
          value,
          created_at: new Date(),
        }
        const key = { ...rest, ...identity, strategy }
        permission.requireWrite({ ...key, spend_limit: spendLimit })
        await permission.requireAddKey()
        if ((await countKeys(tx, user_id)) >= MAX_KEYS_PER_USER) throw new AppError('key_count')
        await insertKey(tx, key, spendLimit)
        await recordKeyAction(tx, actor, 'create', key, settings)
        return presentKey((await findKey(tx, user_id, key.id))!, raw_value)
      }),

    /** Changes only the given settings. Throws AppError not_found, provision_cap. */
    update: (actor: Actor, id: string, settings: Partial<KeySettings>) =>
      updateLocked(actor, id, async (tx, key, permission) => {
        const { group, credit_limit, ...rest } = settings
        const changes = group ? { ...rest, strategy: group } : rest
        const spendLimit = credit_limit === undefined ? key.spend_limit : toSpendLimit(credit_limit)
        permission.requireWrite({ ...key, ...changes, spend_limit: spendLimit })
        if (Object.keys(changes).length) await updateKey(tx, { user_id: actor.user_id, id }, changes)
        if (credit_limit !== undefined) await updateSpendLimit(tx, id, spendLimit)
        await recordKeyAction(tx, actor, 'update', key, settings)
        return null
      }),

    /** Without a status, switches it. Throws AppError not_found, and provision_cap when enabling exceeds the actor's caps. */
    setStatus: (actor: Actor, id: string, newStatus: boolean | undefined) =>
      updateLocked(actor, id, async (tx, key, permission) => {
        const status = newStatus ?? !key.status
        if (status) permission.requireWrite(key)
        await updateKey(tx, { user_id: actor.user_id, id }, { status })
        await recordKeyAction(tx, actor, status ? 'enable' : 'disable', key)
        return null
      }),

    /** Gives a key a new value; the old one is refused from then on. Throws AppError not_found, provision_cap. */
    rotate: (actor: Actor, id: string) =>
      updateLocked(actor, id, async (tx, key, permission) => {
        permission.requireWrite(key)
        const { raw_value, token_hash, value } = generateKey(API_KEY)
        await updateKey(tx, { user_id: actor.user_id, id }, { token_hash, value })
        await recordKeyAction(tx, actor, 'rotate', key)
        return raw_value
      }),

    /** Ends a key at once; its bills stay. Throws AppError not_found. */
    remove: async (actor: Actor, id: string): Promise<void> =>
      db.transaction(async (tx) => {
        await resolvePermission(tx, actor)
        await lockKey(tx, actor.user_id, id)
        await requireKey(tx, actor, id)
        await removeKey(tx, { user_id: actor.user_id, id })
        await recordKeyAction(tx, actor, 'delete', { id })
      }),

    /** Throws AppError not_found. */
    async getUsage(actor: Actor, id: string): Promise<KeyUsage> {
      await requireKey(db, actor, id)
      return summarizeUsage(await loadUsage(db, actor.user_id, id))
    },
  }
}

/** A key as its owner sees it; `rawValue` is given only in the response that creates or rotates it. */
function presentKey(row: KeyRow, rawValue: string | null = null): ApiKey {
  const { name, value, provider_sort, auto_switch, expired, status } = row
  const { allowed_models, allowed_addresses, requests_per_minute, tokens_per_minute } = row
  return {
    uuid: row.id,
    name,
    value,
    raw_value: rawValue,
    group: keyGroups.find((group) => group.name === row.strategy)!,
    provider_sort,
    auto_switch,
    credit_limit: toCoins(row.spend_limit ?? 0n),
    credit_used: toCoins(row.used),
    expired_at: row.expired_at?.toISOString() ?? null,
    expired,
    status,
    allowed_models,
    allowed_addresses,
    requests_per_minute,
    tokens_per_minute,
    provision_key: row.provision_key_id,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}
