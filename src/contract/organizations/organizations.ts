import { z } from 'zod'
import { moment } from '#contract/dates/dates.ts'
import type { Calls } from '#contract/call.ts'
import { email } from '#contract/auth/auth.ts'
import { pictureErrors, pictureUrl } from '#contract/files.ts'
import { pageNumber, pageSize, paginated } from '#contract/paging.ts'
import { organizationInfo, publicName, roles } from '#contract/users.ts'
import { MAX_DEPOSIT, MAX_INVITED_EMAILS } from './limits.ts'

/** Coins; 0: no limit. */
const creditLimit = z.number().min(0).max(1_000_000_000).multipleOf(0.01)

const organization = organizationInfo.extend({
  /** Plain members may invite, too, and remove the people whom they invited. */
  members_can_invite: z.boolean(),
  members: z.int().describe('成员数'),
  /** Coins that it paid in this month in China, also for members who left. */
  used_this_month: z.number(),
})
export type Organization = z.output<typeof organization>

const organizationMember = z.object({
  user_id: z.uuid(),
  name: z.string(),
  avatar: z.string(),
  role: z.enum(roles),
  /** Null for the founder, and where the inviter is unknown. */
  invited_by: z.uuid().nullable(),
  /** Most coins that the organization pays for the member; 0: no limit. */
  credit_limit: z.number(),
  credit_used: z.number(),
  /** Coins and calls of the present month in China. */
  used_this_month: z.number(),
  calls_this_month: z.int(),
  joined_at: moment,
})
export type OrganizationMember = z.output<typeof organizationMember>

/** An open invitation: neither accepted nor expired. */
const organizationInvitation = z.object({
  id: z.uuid(),
  email: z.string(),
  created_at: moment,
  expires_at: moment,
})
export type OrganizationInvitation = z.output<typeof organizationInvitation>

/** The organization's payment for one answer, call or task. */
const organizationBill = z.object({
  id: z.uuid(),
  /** The person who asked; the name is empty when the account is gone. */
  user_id: z.uuid(),
  name: z.string(),
  /** The kind of run, `chat` for example. */
  source: z.string(),
  model: z.string(),
  /** Coins, all decimals. */
  amount: z.number(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  created_at: moment,
})
export type OrganizationBill = z.output<typeof organizationBill>

/** The contents of an invitation, for the holder of its link. */
const receivedInvitation = z.object({
  name: z.string(),
  logo: z.string(),
  inviter: z.string(),
  expires_at: moment,
})
export type ReceivedInvitation = z.output<typeof receivedInvitation>

const BILLS_PAGE_SIZE = 10

const idParams = z.object({ id: z.uuid() })
const memberParams = z.object({ id: z.uuid(), userId: z.uuid() })
const token = z.object({ token: z.string().min(1).max(100) })
/** The token names a mailbox and carries our signature: the holder of the mail may speak for the mailbox. */
const refusalParams = z.object({ token: z.string().regex(/^[\w-]{43}\.[\w-]{43}$/) })

export const organizationCalls = {
  'POST /api/organization': {
    summary: '创建组织，自己成为所有者',
    auth: 'user',
    body: z.object({ name: publicName, logo: pictureUrl.default('') }),
    response: organization,
    errors: ['organization_joined', ...pictureErrors, 'rate_limited'],
  },
  'POST /api/organization/invitation': {
    summary: '查看邀请链接：来自哪个组织，由谁邀请',
    auth: 'user',
    body: token,
    response: receivedInvitation,
    errors: ['invitation_invalid'],
  },
  'POST /api/organization/invitation/accept': {
    summary: '接受邀请，加入组织；一个链接只能用一次',
    auth: 'user',
    body: token,
    response: organization,
    errors: ['invitation_invalid', 'organization_joined', 'organization_full'],
  },
  'GET /api/organization/{id}': {
    summary: '自己所在的组织',
    auth: 'user',
    params: idParams,
    response: organization,
    errors: ['not_found'],
  },
  'PUT /api/organization/{id}': {
    summary: '修改组织的名称与标志（所有者与管理员），以及成员能不能邀请（仅所有者）；未提交的字段保持不变',
    auth: 'user',
    params: idParams,
    body: z.object({
      name: publicName.optional(),
      logo: pictureUrl.optional(),
      members_can_invite: z.boolean().optional(),
    }),
    response: organization,
    errors: ['not_found', 'forbidden', ...pictureErrors, 'rate_limited'],
  },
  'DELETE /api/organization/{id}': {
    summary: '解散组织，不能撤销：全部成员移出，余额转给自己；仅所有者，且要写出组织的名称',
    auth: 'user',
    params: idParams,
    body: z.object({ name: z.string().max(100) }),
    response: z.object({
      /** Coins that came back. */
      returned: z.number(),
    }),
    errors: ['not_found', 'forbidden', 'organization_name_wrong', 'organization_busy'],
  },
  'POST /api/organization/{id}/deposit': {
    summary: '把自己的金币转入组织的余额，赠送的金币除外；仅所有者',
    auth: 'user',
    params: idParams,
    body: z.object({ coins: z.number().min(0.01).max(MAX_DEPOSIT).multipleOf(0.01) }),
    response: organization,
    errors: ['not_found', 'forbidden', 'insufficient_balance', 'gift_untransferable'],
  },
  'GET /api/organization/{id}/bills': {
    summary: '组织付费的每一笔：谁在什么时候用了哪个模型，多少金币，新的在前；仅所有者与管理员',
    auth: 'user',
    params: idParams,
    query: z.object({ page: pageNumber, page_size: pageSize(BILLS_PAGE_SIZE) }),
    response: paginated(organizationBill),
    errors: ['not_found', 'forbidden'],
  },
  'GET /api/organization/{id}/bills/export': {
    summary: '组织账单的 CSV 文件，最多五万行，新的在前；仅所有者与管理员',
    auth: 'user',
    params: idParams,
    response: 'file',
    errors: ['not_found', 'forbidden'],
  },
  'GET /api/organization/{id}/members': {
    summary: '组织的成员，以及每位成员的额度与本月用量',
    auth: 'user',
    params: idParams,
    response: paginated(organizationMember),
    errors: ['not_found'],
  },
  'POST /api/organization/{id}/members/invite': {
    summary:
      '用邮箱邀请成员，每个邮箱收到一封带链接的邮件；没有发出的在错误里逐个列出；所有成员都可以，除非所有者关闭了成员邀请',
    auth: 'user',
    params: idParams,
    body: z.object({ emails: z.array(email).min(1).max(MAX_INVITED_EMAILS) }),
    response: z.object({ message: z.string() }),
    errors: ['not_found', 'forbidden', 'organization_full', 'invitation_failed', 'rate_limited'],
  },
  'PUT /api/organization/{id}/members/{userId}': {
    summary: '修改成员的角色（仅所有者）或额度（管理员只能改普通成员的）',
    auth: 'user',
    params: memberParams,
    body: z.object({ role: z.enum(roles).optional(), credit_limit: creditLimit.optional() }),
    response: organizationMember,
    errors: ['not_found', 'forbidden', 'last_owner'],
  },
  'DELETE /api/organization/{id}/members/{userId}': {
    summary:
      '移除成员，或者自己退出；普通成员只能移除自己邀请的成员，除非所有者关闭了成员邀请；最后一位所有者不能移除',
    auth: 'user',
    params: memberParams,
    response: 'none',
    errors: ['not_found', 'forbidden', 'last_owner'],
  },
  'GET /api/organization/{id}/invitations': {
    summary: '还没有被接受的邀请；普通成员只看到自己发出的',
    auth: 'user',
    params: idParams,
    response: paginated(organizationInvitation),
    errors: ['not_found'],
  },
  'DELETE /api/organization/{id}/invitations/{invitationId}': {
    summary: '撤回邀请，链接随即失效；普通成员只能撤回自己发出的',
    auth: 'user',
    params: z.object({ id: z.uuid(), invitationId: z.uuid() }),
    response: 'none',
    errors: ['not_found'],
  },
  'POST /invitations/refusal/{token}': {
    summary: '不再接收组织邀请的邮件：邮件里的链接，无需登录；邮箱的“退订”按钮也用它（RFC 8058）',
    auth: 'public',
    webhook: true,
    params: refusalParams,
    response: 'none',
    errors: ['not_found'],
  },
  'DELETE /invitations/refusal/{token}': {
    summary: '恢复接收组织邀请的邮件',
    auth: 'public',
    params: refusalParams,
    response: 'none',
    errors: ['not_found'],
  },
  'PUT /api/user/payer': {
    summary: '选择由谁付费：自己的余额（self），或所在组织的余额（organization）',
    auth: 'user',
    body: z.object({ payer: z.enum(['self', 'organization']) }),
    response: z.object({ payer: z.enum(['self', 'organization']) }),
    errors: ['not_found'],
  },
} as const satisfies Calls
