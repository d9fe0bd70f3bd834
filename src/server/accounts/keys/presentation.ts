import type { ApiKey, ProvisionKey } from '#contract/keys.ts'
import { keyGroups } from '#contract/key-groups.ts'
import { toCoins } from '#server/core/coins.ts'
import type { ProvisionKeyRow } from './provision/store.ts'
import type { KeyRow } from './store.ts'

/** A key as its owner sees it; `rawValue` is given only in the response that creates or rotates it. */
export function presentKey(row: KeyRow, rawValue: string | null = null): ApiKey {
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

export function presentProvisionKey(row: ProvisionKeyRow, rawValue: string | null = null): ProvisionKey {
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
