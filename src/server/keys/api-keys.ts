import { KEYS_PER_USER } from '#contract/key-groups.ts'
import type { ApiKey, KeySettings, KeyUsage } from '#contract/keys.ts'
import { AppError } from '../core/app-error.ts'
import { newId } from '../core/clock.ts'
import type { Db } from '../core/database.ts'
import { limitBudget } from '../ledger/budgets.ts'
import { permit, record } from './actor.ts'
import type { Actor, Permission } from './actor.ts'
import { audit } from './audit/store.ts'
import { limitOf } from './caps.ts'
import { lockKeys } from './owned/store.ts'
import { presentKey } from './present.ts'
import { countKeys, insertKey, keyById, keysOf, lockKey, removeKey, updateKey } from './store.ts'
import type { KeyRow } from './store.ts'
import { API_KEY, newKey } from './token.ts'
import { usageOf } from './usage/store.ts'
import { sumUsage } from './usage/sums.ts'

/** The account's first key (reference-product, "Keys"). */
const FIRST_KEY = {
  name: '默认密钥',
  strategy: 'balance',
  provider_sort: 'default',
  auto_switch: true,
} as const

/** Makes the first key of a new account. Nobody has seen its value: rotating shows one. */
export async function makeFirstKey(tx: Db, user_id: string): Promise<void> {
  const { token_hash, value } = newKey(API_KEY)
  const id = newId()
  await insertKey(tx, { ...FIRST_KEY, id, user_id, token_hash, value }, null)
  await audit(tx, { user_id, actor: 'system', act: 'create', api_key_id: id })
}

/** API keys of an owner. A key of somebody else is not there: AppError not_found. */
export function openApiKeys(db: Db) {
  /** Reads a key, locked, lets `act` change it, and answers it as it is then. */
  const change = async (
    actor: Actor,
    id: string,
    act: (tx: Db, key: KeyRow, permission: Permission) => Promise<string | null>,
  ): Promise<ApiKey> =>
    db.transaction(async (tx) => {
      const permission = await permit(tx, actor)
      if (!(await lockKey(tx, actor.user_id, id))) throw new AppError('not_found')
      const raw_value = await act(tx, (await keyById(tx, actor.user_id, id))!, permission)
      return presentKey((await keyById(tx, actor.user_id, id))!, raw_value)
    })

  return {
    /** Newest first. */
    list: async (user_id: string): Promise<ApiKey[]> =>
      (await keysOf(db, user_id)).map((row) => presentKey(row)),

    /** Throws AppError key_count, provision_cap. */
    create: async (actor: Actor, settings: KeySettings): Promise<ApiKey> =>
      db.transaction(async (tx) => {
        await lockKeys(tx, actor.user_id)
        const permission = await permit(tx, actor)
        const { group: strategy, credit_limit, ...rest } = settings
        const spend_limit = limitOf(credit_limit)
        const { raw_value, token_hash, value } = newKey(API_KEY)
        const { user_id, provision_key_id } = actor
        const mine = { id: newId(), user_id, provision_key_id, token_hash, value, created_at: new Date() }
        const key = { ...rest, ...mine, strategy }
        permission.write({ ...key, spend_limit })
        await permission.addKey()
        if ((await countKeys(tx, user_id)) >= KEYS_PER_USER) throw new AppError('key_count')
        await insertKey(tx, key, spend_limit)
        await record(tx, actor, 'create', key, settings)
        return presentKey((await keyById(tx, user_id, key.id))!, raw_value)
      }),

    /** Changes what is given and leaves the rest. Throws AppError not_found, provision_cap. */
    update: (actor: Actor, id: string, settings: Partial<KeySettings>) =>
      change(actor, id, async (tx, key, permission) => {
        const { group, credit_limit, ...rest } = settings
        const changes = group ? { ...rest, strategy: group } : rest
        const spend_limit = credit_limit === undefined ? key.spend_limit : limitOf(credit_limit)
        permission.write({ ...key, ...changes, spend_limit })
        if (Object.keys(changes).length) await updateKey(tx, { user_id: actor.user_id, id }, changes)
        if (credit_limit !== undefined) await limitBudget(tx, id, spend_limit)
        await record(tx, actor, 'update', key, settings)
        return null
      }),

    /** Throws AppError not_found; provision_cap for a key beyond the caps of who wants to enable it. */
    setStatus: (actor: Actor, id: string, status: boolean) =>
      change(actor, id, async (tx, key, permission) => {
        if (status) permission.write(key)
        await updateKey(tx, { user_id: actor.user_id, id }, { status })
        await record(tx, actor, status ? 'enable' : 'disable', key)
        return null
      }),

    /** Gives a key another value; the old one is worth nothing from then on. Throws AppError as setStatus. */
    rotate: (actor: Actor, id: string) =>
      change(actor, id, async (tx, key, permission) => {
        permission.write(key)
        const { raw_value, token_hash, value } = newKey(API_KEY)
        await updateKey(tx, { user_id: actor.user_id, id }, { token_hash, value })
        await record(tx, actor, 'rotate', key)
        return raw_value
      }),

    /** Ends a key at once; its bills stay. Throws AppError not_found. */
    remove: async (actor: Actor, id: string): Promise<void> =>
      db.transaction(async (tx) => {
        await permit(tx, actor)
        if (!(await removeKey(tx, { user_id: actor.user_id, id }))) throw new AppError('not_found')
        await record(tx, actor, 'delete', { id })
      }),

    /** Throws AppError not_found. */
    async usage(user_id: string, id: string): Promise<KeyUsage> {
      if (!(await keyById(db, user_id, id))) throw new AppError('not_found')
      return sumUsage(await usageOf(db, user_id, id))
    },
  }
}
