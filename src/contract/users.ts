import { z } from 'zod'
import type { Calls } from './call.ts'

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

/** UserInfo of the specification (section 3). */
export const userInfo = z.object({
  uuid: z.uuid(),
  name: z.string(),
  avatar: z.string(),
  email: z.string().nullable(),
  level: z.enum(levels),
  level_name: z.string(),
  /** Coins, two decimals; 100 coins are 1 yuan. */
  balance: z.number(),
  model: z.string(),
  provider_sort: z.string(),
  voice_reply: z.boolean(),
  invite_url: z.string(),
  auth_types: z.array(z.enum(['email', 'phone', 'wechat'])),
  organization: z.null(),
})
export type UserInfo = z.output<typeof userInfo>

export const userCalls = {
  'GET /api/user/info': {
    summary: '当前用户的资料与余额',
    auth: 'user',
    response: userInfo,
  },
} as const satisfies Calls
