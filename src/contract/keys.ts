import { z } from 'zod'
import { tokenCounts } from '#contract/models.ts'
import { createdAt, day, getEndOfDay, moment, parseDay, parseMoment } from '#contract/dates/dates.ts'
import type { Calls } from './call.ts'
import { MAX_KEYS_PER_USER, keyGroups, MAX_CREDIT_LIMIT } from './key-groups.ts'
import { paginated } from '#contract/paging.ts'
import { providerSorts } from './users.ts'

const groupNames = keyGroups.map(({ name }) => name)

/** ApiKey of the specification (section 3), whole as in reference-product, "Keys". */
const apiKey = z.object({
  uuid: z.uuid().describe('密钥的编号'),
  name: z.string().describe('密钥的名称'),
  value: z.string().describe('密钥，只显示一部分'),
  raw_value: z.string().nullable().describe('完整的密钥，只在创建和更换时返回一次，其他时候为空'),
  group: z
    .object({
      name: z.enum(groupNames).describe('策略分组的代码'),
      alias: z.string().describe('策略分组的名称'),
      desc: z.string().describe('策略分组的说明'),
    })
    .describe('策略分组'),
  provider_sort: z
    .enum(providerSorts)
    .describe('平台排序方式：default 按策略分组、price 价格、throughput 速度、latency 延迟'),
  auto_switch: z.boolean().describe('失败时是否自动换平台'),
  credit_limit: z.number().describe('消费上限，单位金币；0 为不限'),
  credit_used: z.number().describe('已用额度，单位金币'),
  expired_at: moment.nullable().describe('到期时间；空为长期有效'),
  expired: z.boolean().describe('是否已到期'),
  status: z.boolean().describe('是否启用'),
  allowed_models: z.array(z.string()).nullable().describe('允许使用的模型；空为全部'),
  allowed_addresses: z.array(z.string()).nullable().describe('允许调用的 IP 地址或网段；空为不限'),
  requests_per_minute: z.int().nullable().describe('每分钟的请求上限；空为不限'),
  tokens_per_minute: z.int().nullable().describe('每分钟的 Token 上限；空为不限'),
  provision_key: z.uuid().nullable().describe('创建它的管理密钥的编号；不是由管理密钥创建则为空'),
  last_used_at: moment.nullable().describe('最近使用时间，精确到分钟；没有用过则为空'),
  created_at: createdAt,
})
export type ApiKey = z.output<typeof apiKey>

const name = z.string().trim().min(1).max(60).describe('密钥的名称')
/** Whole hundredths: a smaller limit would round to 0, which means none. */
const coinLimit = z.number().min(0).max(MAX_CREDIT_LIMIT).multipleOf(0.01)
const models = z
  .array(z.string().trim().min(1).max(120))
  .min(1)
  .max(100)
  .nullable()
  .describe('允许使用的模型；空为全部')
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
  group: z.enum(groupNames).describe('策略分组'),
  provider_sort: z
    .enum(providerSorts)
    .describe('平台排序方式：default 按策略分组、price 价格、throughput 速度、latency 延迟'),
  auto_switch: z.boolean().describe('失败时是否自动换平台'),
  expired_at: expiry.describe('到期的日期（当天结束时）或时间；空为长期有效'),
  credit_limit: coinLimit.describe('消费上限，单位金币；0 为不限'),
  allowed_models: models,
  allowed_addresses: z
    .array(address)
    .min(1)
    .max(50)
    .nullable()
    .describe('允许调用的 IP 地址或网段；空为不限'),
  requests_per_minute: perMinuteLimit(1_000_000).describe('每分钟的请求上限；空为不限'),
  tokens_per_minute: perMinuteLimit(1_000_000_000).describe('每分钟的 Token 上限；空为不限'),
})
export type KeySettings = z.output<typeof settings>

const usageTotals = z.object({
  requests: z.int().describe('请求数'),
  tokens: z.number().describe('Token 数'),
  /** Coins, all decimals. */
  amount: z.number().describe('金额，单位金币'),
})
/** Today, and the last 7 and 30 days including today; days begin at midnight in China. */
const usagePeriods = z.object({
  today: usageTotals.describe('今天'),
  week: usageTotals.describe('近 7 天，含今天'),
  month: usageTotals.describe('近 30 天，含今天'),
})
export type UsagePeriods = z.output<typeof usagePeriods>
const keyUsage = usagePeriods.extend({
  models: z
    .array(usagePeriods.extend({ model: z.string().describe('模型 ID') }))
    .describe('各模型的用量，花费多的在前'),
  days: z.array(usageTotals.extend({ date: day })).describe('最近 30 天，每天一项，今天在最后'),
})
export type KeyUsage = z.output<typeof keyUsage>

/** The bill of one completion (reference-product, "Money"). */
const transaction = z.object({
  request_id: z.uuid().describe('请求编号'),
  amount: z.number().describe('金额，单位金币'),
  tokens: z.int().describe('Token 数'),
  ...tokenCounts,
  cache_hit_tokens: z.int().describe('命中缓存的 Token 数'),
  cache_write_tokens: z.int().describe('写入缓存的 Token 数'),
  billed_units: z.int().describe('计费的用量：Token 数、字符数、毫秒数或图片数'),
  times: z.int().describe('按次计费的次数：一次，或图片的张数'),
  event: z.string().describe('用途，如 chat'),
  /** `api` when a key paid within its limit, `widget` for a visitor of an agent's widget, else `web`. */
  channel: z.enum(['api', 'web', 'widget']).describe('途径：api 密钥、widget 网站嵌入、web 其他'),
  discount: z.number().describe('折扣：1 为原价，0 为免费'),
  model: z.string().describe('模型 ID'),
  created_at: createdAt,
})

/** The id that a completion returned, or its uuid alone. */
const completionId = z
  .string()
  .transform((id) => id.replace(/^chatcmpl-/, ''))
  .pipe(z.uuid())
const idParams = z.object({ id: z.uuid().describe('密钥的编号') })
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
    response: z.object({ balance: z.number().describe('余额，单位金币') }),
  },
  'GET /api/chat/transaction/{uuid}': {
    summary: '一次调用的账单',
    auth: 'user',
    bearer: true,
    params: z.object({ uuid: completionId.describe('调用返回的编号，可以带 chatcmpl-') }),
    response: transaction,
    errors: ['not_found'],
  },
} as const satisfies Calls

/** ProvisionKey of the specification (section 3), with the caps on the API keys that it writes. */
const provisionKey = z.object({
  uuid: z.uuid().describe('管理密钥的编号'),
  name: z.string().describe('管理密钥的名称'),
  value: z.string().describe('密钥，只显示一部分'),
  raw_value: z.string().nullable().describe('完整的密钥，只在创建和更换时返回一次，其他时候为空'),
  status: z.boolean().describe('是否启用'),
  max_credit_limit: z.number().describe('每个密钥的消费上限最高多少，单位金币；0 为不限'),
  total_credit_limit: z.number().describe('它创建的全部密钥（含已删除的）合计的消费上限，单位金币；0 为不限'),
  total_credit_used: z.number().describe('它创建的全部密钥合计已用，单位金币'),
  max_days: z.int().nullable().describe('密钥最长的有效天数；空为不限'),
  allowed_groups: z.array(z.enum(groupNames)).nullable().describe('密钥可以使用的策略分组；空为全部'),
  allowed_models: z.array(z.string()).nullable().describe('密钥可以使用的模型；空为全部'),
  max_keys: z.int().nullable().describe('同时最多有几个由它创建的密钥；空为账户的上限'),
  keys: z.int().describe('现有的由它创建的密钥数'),
  last_used_at: moment.nullable().describe('最近使用时间，精确到分钟；没有用过则为空'),
  created_at: createdAt,
})
export type ProvisionKey = z.output<typeof provisionKey>

const provisionSettings = z.object({
  name,
  max_credit_limit: coinLimit.describe('每个密钥的消费上限最高多少，单位金币；0 为不限'),
  total_credit_limit: coinLimit.describe('它创建的全部密钥（含已删除的）合计的消费上限，单位金币；0 为不限'),
  max_days: z.int().min(1).max(3650).nullable().describe('密钥最长的有效天数；空为不限'),
  allowed_groups: z
    .array(z.enum(groupNames))
    .min(1)
    .max(groupNames.length)
    .nullable()
    .describe('密钥可以使用的策略分组；空为全部'),
  allowed_models: models,
  max_keys: z
    .int()
    .min(1)
    .max(MAX_KEYS_PER_USER)
    .nullable()
    .describe('同时最多有几个由它创建的密钥；空为账户的上限'),
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
