import { z } from 'zod'
import { day, getEndOfDay, moment, parseDay, parseMoment } from '#contract/dates/dates.ts'
import type { Calls } from './call.ts'
import { MAX_KEYS_PER_USER, keyGroups, MAX_CREDIT_LIMIT } from './key-groups.ts'
import { paginated } from '#contract/paging.ts'
import { providerSorts } from './users.ts'

const groupNames = keyGroups.map(({ name }) => name)

/** ApiKey of the specification (section 3), whole as in reference-product, "Keys". */
const apiKey = z.object({
  uuid: z.uuid(),
  name: z.string(),
  /** Masked: enough to tell keys apart, useless as a key. */
  value: z.string(),
  /** The key itself, only in the answer that creates it. */
  raw_value: z.string().nullable(),
  group: z.object({ name: z.enum(groupNames), alias: z.string(), desc: z.string() }),
  provider_sort: z.enum(providerSorts),
  auto_switch: z.boolean(),
  /** Coins; 0 is no limit. */
  credit_limit: z.number(),
  credit_used: z.number(),
  /** Null: never. */
  expired_at: moment.nullable(),
  expired: z.boolean(),
  status: z.boolean().describe('是否启用'),
  /** Null: every model and every address is allowed. */
  allowed_models: z.array(z.string()).nullable(),
  allowed_addresses: z.array(z.string()).nullable(),
  requests_per_minute: z.int().nullable(),
  tokens_per_minute: z.int().nullable(),
  /** The provision key that made it. */
  provision_key: z.uuid().nullable(),
  /** Exact to the minute. */
  last_used_at: moment.nullable(),
  created_at: moment,
})
export type ApiKey = z.output<typeof apiKey>

const name = z.string().trim().min(1).max(60)
/** Whole hundredths: a smaller limit would round to 0, which means none. */
const coinLimit = z.number().min(0).max(MAX_CREDIT_LIMIT).multipleOf(0.01)
const models = z.array(z.string().trim().min(1).max(120)).min(1).max(100).nullable()
const address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
const perMinuteLimit = (max: number) => z.int().min(1).max(max).nullable()

/** A day (until its end in China) or a moment, as people write them; null and the empty string mean never. */
const expiry = z
  .string()
  .max(40)
  .nullable()
  .transform((text, context) => {
    if (!text?.trim()) return null
    const dayText = parseDay(text)
    const end = dayText ? getEndOfDay(dayText) : parseMoment(text)
    if (end) return end
    context.addIssue({ code: 'custom', message: '请填写日期，例如 2026-12-31 或 2026-12-31 08:00' })
    return z.NEVER
  })

/** The settings that a key's owner chooses. */
const settings = z.object({
  name,
  group: z.enum(groupNames),
  provider_sort: z.enum(providerSorts),
  auto_switch: z.boolean(),
  expired_at: expiry,
  credit_limit: coinLimit,
  allowed_models: models,
  /** IP addresses and CIDR ranges. */
  allowed_addresses: z.array(address).min(1).max(50).nullable(),
  requests_per_minute: perMinuteLimit(1_000_000),
  tokens_per_minute: perMinuteLimit(1_000_000_000),
})
export type KeySettings = z.output<typeof settings>

const usageTotals = z.object({
  requests: z.int(),
  tokens: z.number(),
  /** Coins, all decimals. */
  amount: z.number(),
})
/** Today, and the last 7 and 30 days including today; days begin at midnight in China. */
const usagePeriods = z.object({ today: usageTotals, week: usageTotals, month: usageTotals })
export type UsagePeriods = z.output<typeof usagePeriods>
const keyUsage = usagePeriods.extend({
  /** Most expensive first. */
  models: z.array(usagePeriods.extend({ model: z.string() })),
  /** The last 30 days, today last; `date` as in 2026-11-21. */
  days: z.array(usageTotals.extend({ date: day })).describe('最近 30 天，每天一项'),
})
export type KeyUsage = z.output<typeof keyUsage>

/** The bill of one completion (reference-product, "Money"). */
const transaction = z.object({
  request_id: z.uuid(),
  /** Coins. */
  amount: z.number(),
  tokens: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cache_hit_tokens: z.int(),
  cache_write_tokens: z.int(),
  /** Units that were counted and priced: tokens, characters (speech), milliseconds (transcription) or pictures. */
  billed_units: z.int(),
  /** Number of times that the price of a call was paid: once, or for each picture. */
  times: z.int(),
  /** The kind of run, `chat`. */
  event: z.string(),
  /** `api` when a key paid within its limit, `widget` for a visitor of an agent's widget, else `web`. */
  channel: z.enum(['api', 'web', 'widget']),
  /** 1 is the full price. */
  discount: z.number(),
  model: z.string(),
  created_at: moment,
})

/** The id that a completion returned, or its uuid alone. */
const completionId = z
  .string()
  .transform((id) => id.replace(/^chatcmpl-/, ''))
  .pipe(z.uuid())
const idParams = z.object({ id: z.uuid() })
/** Without a status, the present one is switched. */
const statusBody = z.object({ status: z.boolean().optional().describe('是否启用；不带时切换') })
const provisionErrors = ['provision_cap', 'not_found'] as const

/** Made by the owner in the browser, or with `Authorization: Bearer pk-wq-…` by a program. */
export const keyCalls = {
  'GET /api/api_keys': {
    summary: '密钥列表，新的在前',
    auth: 'user',
    bearer: true,
    response: paginated(apiKey),
  },
  'POST /api/api_keys': {
    summary: '创建密钥；完整的值只在这次返回',
    auth: 'user',
    bearer: true,
    body: z.object({
      name,
      group: settings.shape.group.default('balance'),
      provider_sort: settings.shape.provider_sort.default('default'),
      auto_switch: settings.shape.auto_switch.default(true),
      expired_at: settings.shape.expired_at
        .refine((moment) => !moment || moment.getTime() > Date.now(), '过期时间须在现在之后')
        .default(null),
      credit_limit: settings.shape.credit_limit.default(0),
      allowed_models: settings.shape.allowed_models.default(null),
      allowed_addresses: settings.shape.allowed_addresses.default(null),
      requests_per_minute: settings.shape.requests_per_minute.default(null),
      tokens_per_minute: settings.shape.tokens_per_minute.default(null),
    }),
    response: apiKey,
    errors: ['provision_cap', 'key_count'],
  },
  'PUT /api/api_keys/{id}': {
    summary: '修改密钥，未提交的字段保持不变',
    auth: 'user',
    bearer: true,
    params: idParams,
    body: settings.partial(),
    response: apiKey,
    errors: provisionErrors,
  },
  'PATCH /api/api_keys/{id}/status': {
    summary: '启用或停用密钥，立即生效；不带 status 时切换',
    auth: 'user',
    bearer: true,
    params: idParams,
    body: statusBody,
    response: apiKey,
    errors: provisionErrors,
  },
  'POST /api/api_keys/{id}/rotate': {
    summary: '更换密钥的值，旧值立即失效；新值只在这次返回',
    auth: 'user',
    bearer: true,
    params: idParams,
    response: apiKey,
    errors: provisionErrors,
  },
  'DELETE /api/api_keys/{id}': {
    summary: '删除密钥，立即失效，账单保留',
    auth: 'user',
    bearer: true,
    params: idParams,
    response: 'none',
    errors: ['not_found'],
  },
  'GET /api/api_keys/{id}/usage': {
    summary: '一个密钥今天、近 7 天和近 30 天的用量，按模型和按天',
    auth: 'user',
    bearer: true,
    params: idParams,
    response: keyUsage,
    errors: ['not_found'],
  },
  'GET /api/credit/balance': {
    summary: '金币余额',
    auth: 'user',
    bearer: true,
    response: z.object({ balance: z.number() }),
  },
  'GET /api/chat/transaction/{uuid}': {
    summary: '一次调用的账单',
    auth: 'user',
    bearer: true,
    params: z.object({ uuid: completionId }),
    response: transaction,
    errors: ['not_found'],
  },
} as const satisfies Calls

/** ProvisionKey of the specification (section 3), with the caps on the API keys that it writes. */
const provisionKey = z.object({
  uuid: z.uuid(),
  name: z.string(),
  value: z.string(),
  raw_value: z.string().nullable(),
  status: z.boolean().describe('是否启用'),
  /** Highest credit_limit of each key, coins; 0: keys without a limit are allowed too. */
  max_credit_limit: z.number(),
  /** Coins that all keys it ever makes may use together, deleted ones included; 0 is no limit. */
  total_credit_limit: z.number(),
  total_credit_used: z.number(),
  /** Longest life of a key from its creation, days; null: for ever. */
  max_days: z.int().nullable(),
  /** Groups and models that its keys may have; null: all. */
  allowed_groups: z.array(z.enum(groupNames)).nullable(),
  allowed_models: z.array(z.string()).nullable(),
  /** Most keys made by it at a time; null: as many as the account may have. */
  max_keys: z.int().nullable(),
  /** Present number of keys made by it. */
  keys: z.int(),
  last_used_at: moment.nullable(),
  created_at: moment,
})
export type ProvisionKey = z.output<typeof provisionKey>

const provisionSettings = z.object({
  name,
  max_credit_limit: coinLimit,
  total_credit_limit: coinLimit,
  max_days: z.int().min(1).max(3650).nullable(),
  allowed_groups: z.array(z.enum(groupNames)).min(1).max(groupNames.length).nullable(),
  allowed_models: models,
  max_keys: z.int().min(1).max(MAX_KEYS_PER_USER).nullable(),
})
export type ProvisionSettings = z.output<typeof provisionSettings>

export const provisionKeyCalls = {
  'GET /api/provision_keys': {
    summary: '管理密钥列表，新的在前',
    auth: 'user',
    response: paginated(provisionKey),
  },
  'POST /api/provision_keys': {
    summary: '创建管理密钥；完整的值只在这次返回',
    auth: 'user',
    body: z.object({
      name,
      max_credit_limit: provisionSettings.shape.max_credit_limit.default(0),
      total_credit_limit: provisionSettings.shape.total_credit_limit.default(0),
      max_days: provisionSettings.shape.max_days.default(null),
      allowed_groups: provisionSettings.shape.allowed_groups.default(null),
      allowed_models: provisionSettings.shape.allowed_models.default(null),
      max_keys: provisionSettings.shape.max_keys.default(null),
    }),
    response: provisionKey,
    errors: ['key_count'],
  },
  'PUT /api/provision_keys/{id}': {
    summary: '修改管理密钥，未提交的字段保持不变；不改变已有的密钥',
    auth: 'user',
    params: idParams,
    body: provisionSettings.partial(),
    response: provisionKey,
    errors: ['not_found'],
  },
  'PATCH /api/provision_keys/{id}/status': {
    summary: '启用或停用管理密钥，立即生效，不带 status 时切换；它创建的密钥不受影响',
    auth: 'user',
    params: idParams,
    body: statusBody,
    response: provisionKey,
    errors: ['not_found'],
  },
  'DELETE /api/provision_keys/{id}': {
    summary: '删除管理密钥，立即失效；它创建的密钥不受影响',
    auth: 'user',
    params: idParams,
    response: 'none',
    errors: ['not_found'],
  },
} as const satisfies Calls
