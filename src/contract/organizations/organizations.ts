import { z } from 'zod'
import { tokenCounts } from '#contract/models.ts'
import { createdAt, moment } from '#contract/dates/dates.ts'
import type { Calls } from '#contract/call.ts'
import { email } from '#contract/auth/auth.ts'
import { pictureErrors, pictureUrl } from '#contract/files.ts'
import { pageNumber, pageSize, paginated } from '#contract/paging.ts'
import { organizationInfo, publicName, roles } from '#contract/users.ts'
import { MAX_DEPOSIT, MAX_INVITED_EMAILS } from './limits.ts'

/** Coins; 0: no limit. */
const creditLimit = z.number().min(0).max(1_000_000_000).multipleOf(0.01)

const organization = organizationInfo.extend({
  members_can_invite: z.boolean().describe('普通成员能不能邀请，并移除自己邀请的成员'),
  members: z.int().describe('成员数'),
  used_this_month: z.number().describe('组织本月支付的，单位金币，含已退出的成员'),
})
export type Organization = z.output<typeof organization>

const organizationMember = z.object({
  user_id: z.uuid().describe('用户编号'),
  name: z.string().describe('昵称'),
  avatar: z.string().describe('头像的地址；没有则为空'),
  role: z.enum(roles).describe('角色：owner 所有者、admin 管理员、member 成员'),
  invited_by: z.uuid().nullable().describe('邀请人的用户编号；创建者与不知道的为空'),
  credit_limit: z.number().describe('组织为成员支付的上限，单位金币；0 为不限'),
  credit_used: z.number().describe('组织已为成员支付的，单位金币'),
  used_this_month: z.number().describe('本月已用，单位金币'),
  calls_this_month: z.int().describe('本月调用次数'),
  joined_at: moment.describe('加入时间'),
})
export type OrganizationMember = z.output<typeof organizationMember>

/** An open invitation: neither accepted nor expired. */
const organizationInvitation = z.object({
  id: z.uuid().describe('邀请的编号'),
  email: z.string().describe('被邀请的邮箱'),
  created_at: createdAt,
  expires_at: moment.describe('失效时间'),
})
export type OrganizationInvitation = z.output<typeof organizationInvitation>

/** The organization's payment for one answer, call or task. */
const organizationBill = z.object({
  id: z.uuid().describe('账单的编号'),
  user_id: z.uuid().describe('提问的人的用户编号'),
  name: z.string().describe('提问的人的昵称；账户已注销则为空'),
  source: z.string().describe('用途，如 chat'),
  model: z.string().describe('模型 ID'),
  /** Coins, all decimals. */
  amount: z.number().describe('金额，单位金币'),
  ...tokenCounts,
  created_at: createdAt,
})
export type OrganizationBill = z.output<typeof organizationBill>

/** The contents of an invitation, for the holder of its link. */
const receivedInvitation = z.object({
  name: z.string().describe('组织的名称'),
  logo: z.string().describe('组织标志的地址；没有则为空'),
  inviter: z.string().describe('邀请人的昵称'),
  expires_at: moment.describe('失效时间'),
})
export type ReceivedInvitation = z.output<typeof receivedInvitation>

const BILLS_PAGE_SIZE = 10

const idParams = z.object({ id: z.uuid().describe('组织的编号') })
const memberParams = z.object({ id: z.uuid().describe('组织的编号'), userId: z.uuid().describe('用户编号') })
const token = z.object({ token: z.string().min(1).max(100).describe('邀请链接里的令牌') })
/** The token names a mailbox and carries our signature: the holder of the mail may speak for the mailbox. */
const refusalParams = z.object({
  token: z
    .string()
    .regex(/^[\w-]{43}\.[\w-]{43}$/)
    .describe('邮件链接里的令牌'),
})

export const organizationCalls = {
  'POST /api/organization': {
    summary: '创建组织，自己成为所有者',
    auth: 'user',
    body: z.object({
      name: publicName,
      logo: pictureUrl.default('').describe('标志：已上传图片的地址；空为没有'),
    }),
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
      logo: pictureUrl.optional().describe('标志：已上传图片的地址，或现在的标志；空为没有'),
      members_can_invite: z
        .boolean()
        .optional()
        .describe('普通成员能不能邀请，并移除自己邀请的成员；不带时不变'),
    }),
    response: organization,
    errors: ['not_found', 'forbidden', ...pictureErrors, 'rate_limited'],
  },
  'DELETE /api/organization/{id}': {
    summary: '解散组织，不能撤销：全部成员移出，余额转给自己；仅所有者，且要写出组织的名称',
    auth: 'user',
    params: idParams,
    body: z.object({ name: z.string().max(100).describe('组织的名称，用来确认') }),
    response: z.object({
      returned: z.number().describe('转回给自己的金币数'),
    }),
    errors: ['not_found', 'forbidden', 'organization_name_wrong', 'organization_busy'],
  },
  'POST /api/organization/{id}/deposit': {
    summary: '把自己的金币转入组织的余额，赠送的金币除外；仅所有者',
    auth: 'user',
    params: idParams,
    body: z.object({
      coins: z.number().min(0.01).max(MAX_DEPOSIT).multipleOf(0.01).describe('转入的金币数'),
    }),
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
    body: z.object({ emails: z.array(email).min(1).max(MAX_INVITED_EMAILS).describe('要邀请的邮箱') }),
    response: z.object({ message: z.string().describe('结果的中文说明') }),
    errors: ['not_found', 'forbidden', 'organization_full', 'invitation_failed', 'rate_limited'],
  },
  'PUT /api/organization/{id}/members/{userId}': {
    summary: '修改成员的角色（仅所有者）或额度（管理员只能改普通成员的）',
    auth: 'user',
    params: memberParams,
    body: z.object({
      role: z.enum(roles).optional().describe('角色：owner 所有者、admin 管理员、member 成员'),
      credit_limit: creditLimit.optional().describe('组织为成员支付的上限，单位金币；0 为不限'),
    }),
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
    params: z.object({ id: z.uuid().describe('组织的编号'), invitationId: z.uuid().describe('邀请的编号') }),
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
    body: z.object({
      payer: z.enum(['self', 'organization']).describe('由谁付费：self 自己、organization 组织'),
    }),
    response: z.object({
      payer: z.enum(['self', 'organization']).describe('由谁付费：self 自己、organization 组织'),
    }),
    errors: ['not_found'],
  },
} as const satisfies Calls
