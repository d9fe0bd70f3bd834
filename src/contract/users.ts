import { z } from 'zod'
import { authTypes } from './auth-types.ts'
import { moment } from '#contract/dates/dates.ts'
import type { Calls } from './call.ts'
import { pictureErrors, pictureUrl } from './files.ts'
import { findNameProblem, nameProblems } from './names.ts'

export const levels = [
  'pro-0',
  'pro-1',
  'pro-2',
  'pro-3',
  'pro-4',
  'pro-5',
  'pro-6',
  'pro-7',
  'pro-8',
  'pro-9',
] as const

export type Level = (typeof levels)[number]

/** Roles of a member of an organization. */
export const roles = ['owner', 'admin', 'member'] as const
export type Role = (typeof roles)[number]

/** The organization that a user belongs to, and the user's place in it. Amounts in coins. */
export const organizationInfo = z.object({
  uuid: z.uuid(),
  name: z.string(),
  logo: z.string(),
  role: z.enum(roles),
  /** It pays for the user's questions and calls. */
  pays: z.boolean(),
  /** Shared by all members. */
  balance: z.number(),
  /** Most that it pays for the user, 0 for no limit, and the sum so far. */
  credit_limit: z.number(),
  credit_used: z.number(),
})
export type OrganizationInfo = z.output<typeof organizationInfo>

/** UserInfo of the specification (section 3). */
export const userInfo = z.object({
  uuid: z.uuid(),
  name: z.string(),
  avatar: z.string(),
  email: z.string().nullable(),
  /** Eleven digits. */
  phone: z.string().nullable(),
  level: z.enum(levels),
  level_name: z.string(),
  /** End of the membership that gives the level; null: it was not bought. */
  level_ends_at: moment.nullable(),
  /** Coins, two decimals; 100 coins are 1 yuan. */
  balance: z.number(),
  /** The given part of the balance: spent first, and by the user alone. */
  gift_balance: z.number(),
  model: z.string(),
  provider_sort: z.string(),
  voice_reply: z.boolean(),
  invite_url: z.string(),
  auth_types: z.array(z.enum(authTypes)),
  organization: organizationInfo.nullable(),
})
export type UserInfo = z.output<typeof userInfo>

/** Orders of the platforms that offer a model; `default` follows the strategy group. */
export const providerSorts = ['default', 'price', 'throughput', 'latency'] as const
export type ProviderSort = (typeof providerSorts)[number]

/** Longest name of a user or an organization. */
const MAX_NAME_CHARS = 30
const MAX_PERSONAL_CHARS = 2_000
const personalText = z.string().trim().max(MAX_PERSONAL_CHARS)

/** ChatSetting of the specification (section 3): facts for every conversation of a person. */
const chatSetting = z.object({
  enabled: z.boolean(),
  /** The person's self-description. */
  self_intro: personalText,
  /** The person's wishes for answers. */
  reply_style: personalText,
})
export type ChatSetting = z.output<typeof chatSetting>

/** A name that others see, in mails too: it carries no address, no number and nothing hidden to them (names.ts). */
export const publicName = z
  .string()
  .trim()
  .min(1)
  .max(MAX_NAME_CHARS)
  .pipe(
    z.string().superRefine((name, context) => {
      const problem = findNameProblem(name)
      if (problem) context.addIssue({ code: 'custom', message: nameProblems[problem] })
    }),
  )

export const userCalls = {
  'GET /api/user/info': {
    summary: '当前用户的资料与余额',
    auth: 'user',
    response: userInfo,
  },
  'PUT /api/user/info': {
    summary: '修改昵称与头像，未提交的字段保持不变',
    auth: 'user',
    body: z.object({ name: publicName.optional(), avatar: pictureUrl.optional() }),
    response: userInfo,
    errors: [...pictureErrors, 'rate_limited'],
  },
  'PUT /api/user/model': {
    summary: '设置默认对话模型',
    auth: 'user',
    body: z.object({ model: z.string().min(1).max(120) }),
    response: z.object({ model: z.string() }),
    errors: ['model_not_found'],
  },
  'GET /api/user/chat_setting': {
    summary: '个人对话设置：自我介绍与回答风格',
    auth: 'user',
    response: chatSetting,
  },
  'PUT /api/user/chat_setting': {
    summary: '保存个人对话设置，未提交的字段保持不变；启用后作用于之后的每一次提问',
    auth: 'user',
    body: chatSetting.partial(),
    response: chatSetting,
  },
  'PUT /api/user/provider_sort': {
    summary: '设置平台排序方式',
    auth: 'user',
    body: z.object({ sort: z.enum(providerSorts).default('default') }),
    response: z.object({ provider_sort: z.enum(providerSorts) }),
  },
  'PUT /api/user/voice_reply': {
    summary: '设置是否自动朗读新的回答；不带 voice_reply 时切换',
    auth: 'user',
    /** Without it, the setting is switched. */
    body: z.object({ voice_reply: z.boolean().optional() }),
    response: z.object({ voice_reply: z.boolean() }),
  },
} as const satisfies Calls
