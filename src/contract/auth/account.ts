import { z } from 'zod'
import type { Calls } from '../call.ts'

export const accountCalls = {
  'GET /api/user/account/export': {
    summary: '导出自己的全部数据：资料、对话、智能体、文档清单、提示词、术语和收支明细，打成一个 ZIP',
    auth: 'user',
    response: 'file',
    errors: ['rate_limited'],
  },
  'POST /api/user/account/delete': {
    summary: '注销账户，不能撤销：余额作废，除账目外的一切都删除，账目不再与人相连',
    auth: 'user',
    body: z.object({
      /** The code that was sent to the account's e-mail address or phone (channel `setting`); without either none is needed. */
      code: z
        .string()
        .trim()
        .regex(/^\d{6}$/, '请输入 6 位数字验证码')
        .optional()
        .describe('账户的邮箱或手机号收到的验证码，6 位数字；两者都没有时不用填'),
    }),
    response: z.object({ redirect_to: z.string().describe('完成后前往的地址') }),
    errors: [
      'old_code_required',
      'code_invalid',
      'code_tries',
      'login_again',
      'last_owner',
      'organization_busy',
    ],
  },
} as const satisfies Calls
