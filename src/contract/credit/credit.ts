import { z } from 'zod'
import { createdAt, moment } from '#contract/dates/dates.ts'
import type { Calls } from '#contract/call.ts'
import { levels } from '#contract/users.ts'
import { periodLabels } from './periods.ts'
import type { Period } from './periods.ts'

export const creditTypes = ['recharge', 'membership'] as const
/** Ways to pay; each is a QR code. `native` is WeChat's, or the sandbox's where there is no WeChat Pay. */
export const payTypes = ['native', 'alipay'] as const
export type PayType = (typeof payTypes)[number]

export const periods = Object.keys(periodLabels) as Period[]

/** CreditPlan of the specification (section 3). */
const creditPlan = z.object({
  id: z.string().describe('套餐的编号'),
  type: z.enum(creditTypes).describe('类型：recharge 充值、membership 会员'),
  name: z.string().describe('套餐的名称'),
  desc: z.string().describe('套餐的说明'),
  price: z.number().describe('价格，单位元'),
  coins: z.number().describe('得到的金币数'),
  level: z.enum(levels).nullable().describe('会员等级；只有金币的套餐为空'),
  level_name: z.string().nullable().describe('会员等级的名称；只有金币的套餐为空'),
  period: z.enum(periods).describe('周期'),
  period_label: z.string().describe('周期的名称'),
})
export type CreditPlan = z.output<typeof creditPlan>

/**
 * `paid` follows upon any of the first three: late money counts. `refunding`: the operator has the coins back, and the money is
 * on its way to the person.
 */
export const orderStatuses = ['pending', 'expired', 'cancelled', 'paid', 'refunding', 'refunded'] as const

const creditOrder = z.object({
  id: z.uuid().describe('订单的编号'),
  plan_id: z.string().describe('套餐的编号'),
  type: z.enum(creditTypes).describe('类型：recharge 充值、membership 会员'),
  name: z.string().describe('套餐的名称'),
  price: z.number().describe('价格，单位元'),
  coins: z.number().describe('得到的金币数'),
  pay_type: z.enum(payTypes).describe('支付方式'),
  /** A call pays it (`POST /api/credit/sandbox/pay`), without money. */
  sandbox: z.boolean().describe('是否为沙箱的订单：调用接口即付款，不收钱'),
  status: z
    .enum(orderStatuses)
    .describe(
      '状态：pending 待付款、expired 过期、cancelled 已取消、paid 已付款、refunding 退款中、refunded 已退款',
    ),
  code_url: z.string().nullable().describe('支付二维码的内容；不能付款时为空'),
  created_at: createdAt,
  expires_at: moment.describe('失效时间'),
  paid_at: moment.nullable().describe('支付时间；没有付款则为空'),
})
export type CreditOrder = z.output<typeof creditOrder>

/** Body of a notification by the sandbox. */
export const sandboxNotification = z.object({
  id: z.uuid().describe('通知的编号'),
  order_id: z.uuid().describe('订单的编号'),
  trade_no: z.string().min(1).max(64).describe('支付平台的交易号'),
  amount: z.int().describe('实付金额，单位分'),
  currency: z.string().describe('货币，如 CNY'),
  status: z.enum(['success', 'fail']).describe('结果：success 成功、fail 失败'),
})
const sandboxHeaders = z.object({
  'X-Sandbox-Timestamp': z.string().describe('沙箱通知的时间，1970 年以来的秒数，相差不能超过五分钟'),
  'X-Sandbox-Nonce': z.string().describe('沙箱通知的随机串'),
  /** HMAC-SHA256, base64, over timestamp, nonce and body, each followed by a line feed. */
  'X-Sandbox-Signature': z.string().describe('沙箱通知的签名：对时间、随机串和正文的 HMAC-SHA256，Base64'),
})

/** NotifySetting of the specification (section 3). */
const notifySetting = z.object({
  enabled: z.boolean().describe('是否提醒'),
  threshold: z
    .number()
    .min(0)
    .max(1_000_000)
    .multipleOf(0.01)
    .describe('提醒的余额线，单位金币；每次降到以下时提醒一次'),
})
export type NotifySetting = z.output<typeof notifySetting>

/** The results of a person's invitations; the invited accounts appear by their dates alone. */
const invitations = z.object({
  reward: z.number().describe('每邀请一人付款得到的金币数'),
  invited: z.int().describe('邀请的人数'),
  rewarded: z.int().describe('其中已付款、得到奖励的人数'),
  earned: z.number().describe('共得到的金币数'),
  items: z
    .array(z.object({ created_at: createdAt, rewarded: z.boolean().describe('是否已得到奖励') }))
    .describe('最近邀请的人'),
})

const idParams = z.object({ id: z.uuid().describe('订单的编号') })

export const creditCalls = {
  'GET /api/credit/plans': {
    summary: '充值与会员套餐，以及可用的支付方式',
    auth: 'public',
    response: z.object({
      plans: z.array(creditPlan).describe('套餐列表'),
      type: z.enum(creditTypes).describe('页面开始时显示的类型：recharge 充值、membership 会员'),
      pay_type: z.enum(payTypes).describe('页面开始时选中的支付方式'),
      pay_types: z.array(z.enum(payTypes)).describe('可用的支付方式；不能付款时没有'),
    }),
  },
  'POST /api/credit/orders': {
    summary: '下单，返回付款二维码的内容；同一套餐还有没付款的订单时返回那一个',
    auth: 'user',
    body: z.object({
      plan_id: z.string().min(1).max(60).describe('套餐的编号'),
      pay_type: z.enum(payTypes).default('native').describe('支付方式：native 微信支付、alipay 支付宝'),
    }),
    response: creditOrder,
    errors: ['plan_not_found', 'pay_type_unavailable', 'payment_failed', 'rate_limited'],
  },
  'GET /api/credit/orders/{id}': {
    summary: '订单，等待付款时轮询',
    auth: 'user',
    params: idParams,
    response: creditOrder,
    errors: ['not_found'],
  },
  'POST /api/credit/orders/{id}/cancel': {
    summary: '取消没有付款的订单；已经付款的按已付款返回',
    auth: 'user',
    params: idParams,
    response: creditOrder,
    errors: ['not_found', 'payment_failed'],
  },
  'GET /api/user/invitations': {
    summary: '邀请了多少人，其中多少人已付款，共得到多少金币',
    auth: 'user',
    response: invitations,
  },
  'GET /api/user/notify_setting': {
    summary: '余额提醒的设置',
    auth: 'user',
    response: notifySetting,
  },
  'PUT /api/user/notify_setting': {
    summary: '保存余额提醒的设置，未提交的字段保持不变；余额降到提醒线以下时，用消息和邮件提醒一次',
    auth: 'user',
    body: notifySetting.partial(),
    response: notifySetting,
  },
  'POST /api/credit/notify/wechat': {
    summary: '微信支付的付款通知',
    auth: 'public',
    webhook: true,
    body: z.object({
      id: z.string().describe('通知的编号'),
      event_type: z.string().describe('通知的类型'),
      resource: z.object({ ciphertext: z.string().describe('密文') }).describe('通知的加密内容'),
    }),
    response: 'none',
    errors: ['signature_invalid', 'payment_mismatch'],
  },
  'POST /api/credit/notify/alipay': {
    summary: '支付宝的付款通知',
    auth: 'public',
    webhook: true,
    body: z.object({
      out_trade_no: z.string().describe('商户订单号'),
      trade_status: z.string().describe('交易状态'),
      sign: z.string().describe('支付宝的签名'),
    }),
    response: 'text',
    errors: ['signature_invalid', 'payment_mismatch'],
  },
} as const satisfies Calls

/** The sandbox's calls: they exist outside of production only, where no real payments are configured. */
export const sandboxCalls = {
  'POST /api/credit/sandbox/pay': {
    summary: '模拟付款：代替扫码，并像支付平台那样发出签名的通知；实付金额、币种和结果可以指定，用来试错',
    auth: 'user',
    body: z.object({
      order_id: z.uuid().describe('订单的编号'),
      amount: z.int().min(0).max(1_000_000_000).optional().describe('实付金额，单位分；没有时为订单的价格'),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/)
        .default('CNY')
        .describe('货币，如 CNY'),
      status: sandboxNotification.shape.status.default('success'),
      notify: z.boolean().default(true).describe('是否送达通知；否则要查询订单才知道已付款'),
    }),
    response: z.object({
      order: creditOrder.describe('订单'),
      notification: z
        .object({ body: z.string().describe('通知的正文'), headers: sandboxHeaders.describe('通知的请求头') })
        .describe('支付通知，无论是否送达'),
    }),
    errors: ['not_found', 'order_closed'],
  },
  'POST /api/credit/notify/sandbox': {
    summary: '模拟支付平台的付款通知',
    auth: 'public',
    webhook: true,
    headers: sandboxHeaders,
    body: sandboxNotification,
    response: 'none',
    errors: ['signature_invalid', 'payment_mismatch'],
  },
} as const satisfies Calls
