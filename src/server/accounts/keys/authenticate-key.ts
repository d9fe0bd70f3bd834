import type { KeyGroup } from '#contract/key-groups.ts'
import type { ProviderSort } from '#contract/users.ts'
import { AppError } from '#server/core/app-error.ts'
import { createBatcher } from '#server/core/batch.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Log } from '#server/core/log.ts'
import { hashToken } from '#server/core/secrets.ts'
import { findKeysByTokens, touchKey } from './store.ts'
import { API_KEY, isWellFormedKey, PROVISION_KEY } from './token.ts'

/** An API key as the gateway needs it. Null lists allow all; null numbers are no limit. */
export type GatewayKey = {
  id: string
  user_id: string
  /** The account that pays. */
  account_id: string
  name: string
  strategy: KeyGroup
  provider_sort: ProviderSort
  auto_switch: boolean
  allowed_models: string[] | null
  /** IP addresses and CIDR ranges. */
  allowed_addresses: string[] | null
  requests_per_minute: number | null
  tokens_per_minute: number | null
  /**
   * Budgets of the ledger to hold within: the key's own, which even a key without a limit has so that its use is known, and that
   * of the provision key that made it.
   */
  budgets: string[]
}

export function createAuthenticate(db: Db, log: Log) {
  const trackUse = createLastUseTracker((id) => touchKey(db, id), log)
  const findBatched = createBatcher(async (hashes: string[]) => {
    const keys = await findKeysByTokens(db, [...new Set(hashes)])
    return hashes.map((hash) => keys.get(hash) ?? null)
  })
  /**
   * Returns the key of a Bearer token, null when there is none. Throws AppError key_disabled or key_expired, and
   * provision_key_refused for a provision key, which its form alone tells. One query serves all calls of about the same moment,
   * without a cache, so that a change to a key counts on the very next call in every process.
   */
  return async (token: string): Promise<GatewayKey | null> => {
    if (isWellFormedKey(PROVISION_KEY, token)) throw new AppError('provision_key_refused')
    if (!isWellFormedKey(API_KEY, token)) return null
    const key = await findBatched(hashToken(token))
    if (!key) return null
    if (!key.status) throw new AppError('key_disabled')
    if (key.expired) throw new AppError('key_expired')
    if (key.stale) trackUse(key.id)
    const { id, user_id, account_id, name, strategy, provider_sort, auto_switch } = key
    const { allowed_models, allowed_addresses, requests_per_minute, tokens_per_minute, provision_key_id } =
      key
    return {
      id,
      user_id,
      account_id,
      name,
      strategy,
      provider_sort,
      auto_switch,
      allowed_models,
      allowed_addresses,
      requests_per_minute,
      tokens_per_minute,
      budgets: provision_key_id ? [id, provision_key_id] : [id],
    }
  }
}

/** Writes last uses outside the request's path, one write at a time for each key; a write that fails is only logged. */
export function createLastUseTracker(
  writeLastUse: (id: string) => Promise<void>,
  log: Log,
): (id: string) => void {
  const writing = new Set<string>()
  return (id) => {
    if (writing.has(id)) return
    writing.add(id)
    writeLastUse(id)
      .catch((err: unknown) => log.warn({ err }, 'could not note the use of a key'))
      .finally(() => writing.delete(id))
  }
}
