import type { KeyGroup } from '#contract/key-groups.ts'
import { toMicroCoins } from '#server/core/coins.ts'

/** Caps of a provision key on the API keys that it writes. Micro-coins and days; null is no cap. */
export type KeyCaps = {
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
export function findCapViolations(caps: KeyCaps, key: KeyValues): Record<string, string> {
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
