import { z } from 'zod'
import { moment } from '#contract/dates/dates.ts'
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
  id: z.string(),
  type: z.enum(creditTypes),
  name: z.string(),
  desc: z.string(),
  /** Yuan. */
  price: z.number(),
  /** Coins that it gives at once. */
  coins: z.number(),
  /** Level of a membership; null for coins alone. */
  level: z.enum(levels).nullable(),
  level_name: z.string().nullable(),
  period: z.enum(periods),
  period_label: z.string(),
})
export type CreditPlan = z.output<typeof creditPlan>

/**
 * `paid` follows upon any of the first three: late money counts. `refunding`: the operator has the coins back, and the money is
 * on its way to the person.
 */
export const orderStatuses = ['pending', 'expired', 'cancelled', 'paid', 'refunding', 'refunded'] as const

const creditOrder = z.object({
  id: z.uuid(),
  plan_id: z.string(),
  type: z.enum(creditTypes),
  name: z.string(),
  /** Yuan. */
  price: z.number(),
  coins: z.number(),
  pay_type: z.enum(payTypes),
  /** A call pays it (`POST /api/credit/sandbox/pay`), without money. */
  sandbox: z.boolean(),
  status: z.enum(orderStatuses),
  /** Content of the QR code; null once the order cannot be paid. */
  code_url: z.string().nullable(),
  created_at: moment,
  expires_at: moment,
  paid_at: moment.nullable(),
})
export type CreditOrder = z.output<typeof creditOrder>

/** Body of a notification by the sandbox. */
export const sandboxNotification = z.object({
  id: z.uuid(),
  order_id: z.uuid(),
  trade_no: z.string().min(1).max(64),
  /** Hundredths of a yuan. */
  amount: z.int(),
  currency: z.string(),
  status: z.enum(['success', 'fail']),
})
const sandboxHeaders = z.object({
  /** Seconds since 1970; refused when more than five minutes off. */
  'X-Sandbox-Timestamp': z.string(),
  'X-Sandbox-Nonce': z.string(),
  /** HMAC-SHA256, base64, over timestamp, nonce and body, each followed by a line feed. */
  'X-Sandbox-Signature': z.string(),
})

/** NotifySetting of the specification (section 3). */
const notifySetting = z.object({
  enabled: z.boolean(),
  /** Coins; a balance below this sends one notice for each fall. */
  threshold: z.number().min(0).max(1_000_000).multipleOf(0.01),
})
export type NotifySetting = z.output<typeof notifySetting>

/** The results of a person's invitations; the invited accounts appear by their dates alone. */
const invitations = z.object({
  /** Coins for each account that came by the link and has paid an order. */
  reward: z.number(),
  invited: z.int(),
  rewarded: z.int(),
  /** Coins in all. */
  earned: z.number(),
  /** The latest ones. */
  items: z.array(z.object({ created_at: moment, rewarded: z.boolean().describe('是否已得到奖励') })),
})

const idParams = z.object({ id: z.uuid() })

export const creditCalls = {
  'GET /api/credit/plans': {
    summary: '充值与会员套餐，以及可用的支付方式',
    auth: 'public',
    response: z.object({
      plans: z.array(creditPlan),
      /** The choices that the page begins with. */
      type: z.enum(creditTypes),
      pay_type: z.enum(payTypes),
      /** Empty where nothing can be paid here. */
      pay_types: z.array(z.enum(payTypes)),
    }),
  },
  'POST /api/credit/orders': {
    summary: '下单，返回付款二维码的内容；同一套餐还有没付款的订单时返回那一个',
    auth: 'user',
    body: z.object({
      plan_id: z.string().min(1).max(60),
      pay_type: z.enum(payTypes).default('native'),
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
      id: z.string(),
      event_type: z.string(),
      resource: z.object({ ciphertext: z.string() }),
    }),
    response: 'none',
    errors: ['signature_invalid', 'payment_mismatch'],
  },
  'POST /api/credit/notify/alipay': {
    summary: '支付宝的付款通知',
    auth: 'public',
    webhook: true,
    body: z.object({ out_trade_no: z.string(), trade_status: z.string(), sign: z.string() }),
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
      order_id: z.uuid(),
      /** Amount to pay, hundredths of a yuan; the price of the order when absent. */
      amount: z.int().min(0).max(1_000_000_000).optional(),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/)
        .default('CNY'),
      status: sandboxNotification.shape.status.default('success'),
      /** False: the notification is made and gets lost on its way; querying the order finds the payment all the same. */
      notify: z.boolean().default(true),
    }),
    response: z.object({
      order: creditOrder,
      /** The notification, sent or not. */
      notification: z.object({ body: z.string(), headers: sandboxHeaders }),
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
