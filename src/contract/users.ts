import { z } from 'zod'
import { modelId } from '#contract/ids/ids.ts'
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
  uuid: z.uuid().describe('组织的编号'),
  name: z.string().describe('组织的名称'),
  logo: z.string().describe('组织标志的地址；没有则为空'),
  role: z.enum(roles).describe('在组织里的角色'),
  pays: z.boolean().describe('是否由组织支付这个用户的提问与调用'),
  balance: z.number().describe('组织的余额，单位金币，成员共用'),
  credit_limit: z.number().describe('组织为这个用户支付的上限，单位金币；0 为不限'),
  credit_used: z.number().describe('组织已为这个用户支付的，单位金币'),
})
export type OrganizationInfo = z.output<typeof organizationInfo>

/** UserInfo of the specification (section 3). */
export const userInfo = z
  .object({
    uuid: z.uuid().describe('用户编号'),
    name: z.string().describe('昵称'),
    avatar: z.string().describe('头像的地址；没有则为空'),
    email: z.string().nullable().describe('邮箱；没有则为空'),
    phone: z.string().nullable().describe('手机号，11 位；没有则为空'),
    level: z.enum(levels).describe('会员等级'),
    level_name: z.string().describe('会员等级的名称'),
    level_ends_at: moment.nullable().describe('会员到期时间；不是购买的则为空'),
    balance: z.number().describe('余额，单位金币，两位小数；100 金币为 1 元'),
    gift_balance: z.number().describe('余额里的赠送金币：最先使用，只能自己使用'),
    model: z.string().describe('默认对话模型的 ID'),
    provider_sort: z.string().describe('平台排序方式'),
    voice_reply: z.boolean().describe('是否自动朗读新的回答'),
    invite_url: z.string().describe('邀请链接'),
    auth_types: z.array(z.enum(authTypes)).describe('已绑定的登录方式'),
    organization: organizationInfo.nullable().describe('所属组织；没有则为空'),
  })
  .describe('用户')
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
  enabled: z.boolean().describe('是否作用于提问'),
  self_intro: personalText.describe('自我介绍'),
  reply_style: personalText.describe('希望的回答风格'),
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
  .describe('名称：其他人可以看到，不能带网址和联系方式')

export const userCalls = {
  'GET /api/user/info': {
    summary: '当前用户的资料与余额',
    auth: 'user',
    response: userInfo,
  },
  'PUT /api/user/info': {
    summary: '修改昵称与头像，未提交的字段保持不变',
    auth: 'user',
    body: z.object({
      name: publicName.optional(),
      avatar: pictureUrl.optional().describe('头像：已上传文件的地址，或现在的头像；空为没有'),
    }),
    response: userInfo,
    errors: [...pictureErrors, 'rate_limited'],
  },
  'PUT /api/user/model': {
    summary: '设置默认对话模型',
    auth: 'user',
    body: z.object({ model: modelId }),
    response: z.object({ model: z.string().describe('默认对话模型的 ID') }),
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
    body: z.object({
      sort: z
        .enum(providerSorts)
        .default('default')
        .describe('平台排序方式：default 按策略分组、price 价格、throughput 速度、latency 延迟'),
    }),
    response: z.object({ provider_sort: z.enum(providerSorts).describe('平台排序方式') }),
  },
  'PUT /api/user/voice_reply': {
    summary: '设置是否自动朗读新的回答；不带 voice_reply 时切换',
    auth: 'user',
    body: z.object({ voice_reply: z.boolean().optional().describe('是否自动朗读新的回答；不带时切换') }),
    response: z.object({ voice_reply: z.boolean().describe('是否自动朗读新的回答') }),
  },
} as const satisfies Calls
