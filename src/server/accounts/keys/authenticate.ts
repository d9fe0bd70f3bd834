import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { KeyGroup } from '#contract/key-groups.ts'
import type { ProviderSort } from '#contract/users.ts'
import { AppError } from '#server/core/app-error.ts'
import { createBatcher } from '#server/core/batch.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Visitor, VisitorResolver } from '#server/core/http.ts'
import type { Log } from '#server/core/log.ts'
import { hashToken } from '#server/core/secrets.ts'
import { findKeysByTokens, findProvisionKeyByToken, touchKey, touchProvisionKey } from './store.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BYTES = 32
/** Base62 digits of 32 bytes, and of a CRC-32. */
const [BODY_DIGITS, CHECK_DIGITS] = [43, 6]

export const API_KEY = 'sk-wq-'
export const PROVISION_KEY = 'pk-wq-'
type Prefix = typeof API_KEY | typeof PROVISION_KEY

/** A key as it is made: the secret itself (given out once), its hash and its masked form (kept). */
type GeneratedKey = { raw_value: string; token_hash: string; value: string }

/** 256 random bits in base62 behind a prefix that scanners recognise, and a checksum that finds typing errors. */
export function generateKey(prefix: Prefix): GeneratedKey {
  const unsigned = prefix + base62(BigInt(`0x${randomBytes(BYTES).toString('hex')}`), BODY_DIGITS)
  const rawValue = unsigned + checksum(unsigned)
  const from = prefix.length
  return {
    raw_value: rawValue,
    token_hash: hashToken(rawValue),
    value: `${rawValue.slice(0, from + 4)}…${rawValue.slice(-4)}`,
  }
}

/** Tells whether a text has the form of a key and a valid checksum. Any other text is refused without a query. */
function isWellFormedKey(prefix: Prefix, token: string): boolean {
  if (token.length !== prefix.length + BODY_DIGITS + CHECK_DIGITS || !token.startsWith(prefix)) return false
  return (
    /^[0-9A-Za-z]+$/.test(token.slice(prefix.length)) &&
    checksum(token.slice(0, -CHECK_DIGITS)) === token.slice(-CHECK_DIGITS)
  )
}

const checksum = (text: string): string => base62(BigInt(crc32(text)), CHECK_DIGITS)

function base62(number: bigint, digits: number): string {
  let [text, rest] = ['', number]
  for (; rest > 0n; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text
  return text.padStart(digits, '0')
}

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

/**
 * Identifies by `Authorization: Bearer pk-wq-…` when it is sent, else as `base` does. Any other Bearer token, or a disabled key,
 * never falls back to a cookie: AppError key_invalid, key_disabled.
 */
export function createBearerIdentify(db: Db, log: Log) {
  const trackUse = createLastUseTracker((id) => touchProvisionKey(db, id), log)
  const identifyProvisionKey = async (token: string): Promise<Visitor> => {
    const key = isWellFormedKey(PROVISION_KEY, token) && (await findProvisionKeyByToken(db, hashToken(token)))
    if (!key) throw new AppError('key_invalid')
    if (!key.status) throw new AppError('key_disabled')
    if (key.stale) trackUse(key.id)
    const { id: provisionKeyId, user_id, account_id } = key
    return { user_id, account_id, budgets: [], guest: false, provision_key_id: provisionKeyId }
  }
  return (base: VisitorResolver): VisitorResolver => ({
    ...base,
    resolveVisitor: async (request, headers) => {
      const authorization = /^Bearer(?: +(.*))?$/i.exec(request.headers.get('Authorization') ?? '')
      return authorization
        ? identifyProvisionKey(authorization[1] ?? '')
        : base.resolveVisitor(request, headers)
    },
  })
}

/** Writes last uses outside the request's path, one write at a time for each key; a write that fails is only logged. */
function createLastUseTracker(writeLastUse: (id: string) => Promise<void>, log: Log): (id: string) => void {
  const writing = new Set<string>()
  return (id) => {
    if (writing.has(id)) return
    writing.add(id)
    writeLastUse(id)
      .catch((err: unknown) => log.warn({ err }, 'could not note the use of a key'))
      .finally(() => writing.delete(id))
  }
}
