import type { ApiKey, ProvisionKey } from '#contract/keys.ts'
import type { KeyGroup } from '#contract/key-groups.ts'
import type { ProviderSort } from '#contract/users.ts'
import type { CallKey, CallRequest } from '#contract/call.ts'
import type { AllCalls } from '#contract/calls.ts'

type RequestBodyOf<K extends keyof AllCalls & CallKey> =
  CallRequest<AllCalls[K]> extends { body?: infer B } ? NonNullable<B> : never
export type ApiKeyBody = RequestBodyOf<'POST /api/api_keys'>
export type ProvisionKeyBody = RequestBodyOf<'POST /api/provision_keys'>

/** An API key's form: numbers and lists as the text that a person types, lists one entry a line. */
export type ApiKeyFields = {
  name: string
  group: KeyGroup
  provider_sort: ProviderSort
  auto_switch: boolean
  credit_limit: string
  expired_at: string
  allowed_models: string
  allowed_addresses: string
  requests_per_minute: string
  tokens_per_minute: string
}

export const apiKeyNumberFields = ['credit_limit', 'requests_per_minute', 'tokens_per_minute'] as const

export const emptyApiKeyFields: ApiKeyFields = {
  name: '',
  group: 'balance',
  provider_sort: 'default',
  auto_switch: true,
  credit_limit: '0',
  expired_at: '',
  allowed_models: '',
  allowed_addresses: '',
  requests_per_minute: '',
  tokens_per_minute: '',
}

export const toApiKeyFields = (key: ApiKey): ApiKeyFields => ({
  name: key.name,
  group: key.group.name,
  provider_sort: key.provider_sort,
  auto_switch: key.auto_switch,
  credit_limit: String(key.credit_limit),
  expired_at: getLastDay(key.expired_at),
  allowed_models: key.allowed_models?.join('\n') ?? '',
  allowed_addresses: key.allowed_addresses?.join('\n') ?? '',
  requests_per_minute: key.requests_per_minute?.toString() ?? '',
  tokens_per_minute: key.tokens_per_minute?.toString() ?? '',
})

export const toApiKeyBody = (fields: ApiKeyFields): ApiKeyBody => ({
  name: fields.name,
  group: fields.group,
  provider_sort: fields.provider_sort,
  auto_switch: fields.auto_switch,
  credit_limit: Number(fields.credit_limit),
  expired_at: fields.expired_at,
  allowed_models: parseLines(fields.allowed_models),
  allowed_addresses: parseLines(fields.allowed_addresses),
  requests_per_minute: parseOptionalNumber(fields.requests_per_minute),
  tokens_per_minute: parseOptionalNumber(fields.tokens_per_minute),
})

export type ProvisionKeyFields = {
  name: string
  max_credit_limit: string
  max_days: string
  max_keys: string
  allowed_groups: KeyGroup[]
  allowed_models: string
}

export const provisionKeyNumberFields = ['max_credit_limit', 'max_days', 'max_keys'] as const

export const emptyProvisionKeyFields: ProvisionKeyFields = {
  name: '',
  max_credit_limit: '0',
  max_days: '',
  max_keys: '',
  allowed_groups: [],
  allowed_models: '',
}

export const toProvisionKeyFields = (key: ProvisionKey): ProvisionKeyFields => ({
  name: key.name,
  max_credit_limit: String(key.max_credit_limit),
  max_days: key.max_days?.toString() ?? '',
  max_keys: key.max_keys?.toString() ?? '',
  allowed_groups: key.allowed_groups ?? [],
  allowed_models: key.allowed_models?.join('\n') ?? '',
})

export const toProvisionKeyBody = (fields: ProvisionKeyFields): ProvisionKeyBody => ({
  name: fields.name,
  max_credit_limit: Number(fields.max_credit_limit),
  max_days: parseOptionalNumber(fields.max_days),
  max_keys: parseOptionalNumber(fields.max_keys),
  allowed_groups: fields.allowed_groups.length ? fields.allowed_groups : null,
  allowed_models: parseLines(fields.allowed_models),
})

/** What differs from before: what nobody touched is not sent, so an exact moment set by a program stays one. */
export function pickChanges<B extends object>(before: B, after: B): Partial<B> {
  const same = (name: string) =>
    JSON.stringify(before[name as keyof B]) === JSON.stringify(after[name as keyof B])
  return Object.fromEntries(Object.entries(after).filter(([name]) => !same(name))) as Partial<B>
}

/** The fields of those named whose text is no number; empty ones are fine. */
export const findInvalidNumbers = <F extends object>(
  fields: F,
  names: readonly (keyof F & string)[],
): string[] => names.filter((name) => !Number.isFinite(Number(fields[name])))

const parseOptionalNumber = (text: string): number | null => (text.trim() ? Number(text) : null)

function parseLines(text: string): string[] | null {
  const entries = text.split(/[\n,，]/).map((entry) => entry.trim())
  const filled = entries.filter(Boolean)
  return filled.length ? filled : null
}

/** The last whole or begun day in China before a key ends, `2026-11-21`; empty when it never does. */
export function getLastDay(expired_at: string | null): string {
  if (!expired_at) return ''
  return new Date(new Date(expired_at).getTime() - 1 + 8 * 3_600_000).toISOString().slice(0, 10)
}
