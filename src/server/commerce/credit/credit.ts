import type { CreditPlan, PayType } from '#contract/credit/credit.ts'
import { payTypes } from '#contract/credit/credit.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Config } from '#server/core/config.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Log } from '#server/core/log.ts'
import type { Mailer } from '#server/core/mail.ts'
import { createLowBalance } from './low-balance.ts'
import { createOrders } from './orders.ts'
import type { Providers } from './orders.ts'
import { getInvitations, rewardInviters } from './invite-rewards.ts'
import { loadPlans } from './plans.ts'
import { createAlipay } from './alipay/alipay.ts'
import type { PaymentProvider } from './provider.ts'
import { createSandbox } from './sandbox/sandbox.ts'
import { createWechatPay } from './wechat/wechat.ts'
import { refundOrder } from './refund.ts'

export { RefundError } from './refund.ts'
export { hasPaid } from './store.ts'
export type Credit = ReturnType<typeof createCredit>
type Deps = { db: Db; config: Config; log: Log; mailer: Mailer }

/** Plans, orders, payments and memberships. Throws ConfigError for an invalid file of plans. */
export function createCredit({ db, config, log, mailer }: Deps) {
  const plans: CreditPlan[] = loadPlans(config.plans_file)
  const sandbox = config.payments.sandbox ? createSandbox({ db, config }) : null
  const { wechat, alipay } = config.payments
  const toNotifyUrl = (name: string): string => `${config.app_url}/api/credit/notify/${name}`
  const native = wechat ? createWechatPay(wechat, toNotifyUrl('wechat')) : sandbox?.provider
  const providers: Providers = {
    ...(native ? { native } : {}),
    ...(alipay ? { alipay: createAlipay(alipay, toNotifyUrl('alipay')) } : {}),
  }
  const orders = createOrders({ db, log, plans, providers })

  const lowBalance = createLowBalance({ db, mailer, log, app_url: config.app_url })

  return {
    orders,
    lowBalance,
    /** Null in production, and if WeChat Pay is configured. */
    sandbox,

    listPlans() {
      const usablePayTypes: PayType[] = payTypes.filter((payType) => providers[payType])
      return {
        plans,
        type: 'recharge' as const,
        pay_type: usablePayTypes[0] ?? 'native',
        pay_types: usablePayTypes,
      }
    },

    getInvitations: (userId: string) => getInvitations(db, userId, config.invite_coins),

    /** Handles a provider's notification. Throws AppError signature_invalid, payment_mismatch. */
    async handleNotification(name: PaymentProvider['name'], body: string, headers: Headers): Promise<void> {
      const provider = Object.values(providers).find((one) => one.name === name)
      if (!provider) throw new AppError('not_found')
      const payment = await provider.parseNotification(body, headers)
      if (payment?.state === 'paid') await orders.completePayment(payment, name)
    },

    /** Work of every minute: orders without a notification, rewards, low balances. */
    async sweep(): Promise<void> {
      await Promise.all([orders.sweep(), rewardInviters(db, config.invite_coins), lowBalance.sweep()])
    },

    /** Returns the refunded yuan. Throws RefundError. */
    refund: (orderId: string): Promise<number> => refundOrder({ db, orders }, orderId),
  }
}
