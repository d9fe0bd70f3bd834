import type { CreditOrder, CreditPlan, PayType } from '#contract/credit/credit.ts'
import { AppError } from '#server/core/app-error.ts'
import { toMicroCoins } from '#server/core/coins.ts'
import type { Db } from '#server/core/database/database.ts'
import { createId } from '#server/core/ids.ts'
import type { Log } from '#server/core/log.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import { creditAccount } from '#server/ledger/ledger.ts'
import { notify } from '#server/notifications/notifications.ts'
import { saveMemberships } from './memberships.ts'
import type { PayableOrder, Payment, PaymentProvider } from './provider.ts'
import {
  findOrder,
  findPayableOrder,
  insertOrder,
  listUnqueried,
  markClosed,
  markPaid,
  markQueried,
  saveCode,
} from './store.ts'
import type { Order } from './store.ts'

/** How long an order can be paid, and the remaining time it needs to be offered again, ms. */
const ORDER_MS = 15 * 60_000
const MIN_ORDER_MS = 5 * 60_000
/** Intervals of asking the provider while a person waits for a payment, and by the job, ms. */
const POLL_INTERVAL_MS = 3_000
const JOB_INTERVAL_MS = 30_000
const MAX_QUERIES = 200
const ORDER_LIMIT = { points: 20, seconds: 600 }
/** The only currency of prices. */
const CURRENCY = 'CNY'

export type Providers = Partial<Record<PayType, PaymentProvider>>
type Deps = { db: Db; log: Log; plans: CreditPlan[]; providers: Providers }
export type Orders = ReturnType<typeof createOrders>

export function createOrders({ db, log, plans, providers }: Deps) {
  const limitOrders = createRateLimit(ORDER_LIMIT)
  const getProvider = ({ provider }: Order): PaymentProvider | undefined =>
    Object.values(providers).find(({ name }) => name === provider)

  /**
   * The only way in which a payment becomes coins and a level: order state, transfer and memberships in one transaction. However
   * often it arrives, it counts once. Throws AppError payment_mismatch if it matches no order of this provider, or differs from
   * its price.
   */
  async function completePayment(payment: Payment, provider: PaymentProvider['name']): Promise<void> {
    const { order_id, trade_no, amount, currency } = payment
    const order = await findOrder(db, order_id)
    if (!order || order.provider !== provider || amount !== order.price || currency !== CURRENCY) {
      log.error({ order_id, trade_no, amount, currency, provider }, 'a payment fits no order')
      throw new AppError('payment_mismatch')
    }
    await db.transaction(async (tx) => {
      const paidOrder = await markPaid(tx, order_id, trade_no, new Date())
      if (!paidOrder) return
      const { user_id, plan } = paidOrder
      const coins = toMicroCoins(plan.coins)
      if (
        coins > 0n &&
        !(await creditAccount(tx, { id: order_id, user_id, amount: coins, kind: 'recharge' }))
      )
        throw new Error(`the user of the order ${order_id} has no account`)
      if (plan.level) await saveMemberships(tx, user_id)
      // Pages on other devices notice the new message, and then load balance and level.
      await notify(tx, user_id, {
        channel: 'credit',
        title: '付款成功',
        text: `“${plan.name}”已经付款成功${coins > 0n ? `，${plan.coins} 金币已到账` : ''}${plan.level ? '，会员已开通' : ''}。`,
        link: '/profile/transactions',
      })
    })
  }

  /** Asks the provider about an order, and completes it if it was paid; returns whether it was. */
  async function queryPayment(order: Order, provider: PaymentProvider): Promise<boolean> {
    await markQueried(db, order.id, new Date())
    const payment = await provider.query(order.id)
    if (payment.state === 'paid') await completePayment(payment, provider.name)
    return payment.state === 'paid'
  }

  /** Closes an unpaid order, which nobody can pay afterwards; a paid one is completed instead. */
  async function closeOrder(order: Order, status: 'expired' | 'cancelled'): Promise<void> {
    const provider = getProvider(order)
    if (provider) {
      const isPaid = await queryPayment(order, provider).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'payment_mismatch') return null
        throw error
      })
      if (isPaid) return
      // A payment that does not match cannot be closed; the operator must look at it.
      if (isPaid === false) await provider.close(order.id)
    }
    await markClosed(db, order.id, status)
  }

  /** Checks an order for which no notification came. */
  async function checkOrder(order: Order): Promise<void> {
    if (order.expires_at.getTime() <= Date.now()) return closeOrder(order, 'expired')
    const provider = getProvider(order)
    if (provider) await queryPayment(order, provider)
  }

  async function requireOrder(userId: string, id: string): Promise<Order> {
    const order = await findOrder(db, id, userId)
    if (!order) throw new AppError('not_found')
    return order
  }

  /** Logs a refusal or failure of a provider. */
  const warn = (order: Order, err: unknown): void =>
    log.warn({ err, order_id: order.id, provider: order.provider }, 'a payment provider failed')

  return {
    completePayment,
    getProvider,

    /** Throws AppError plan_not_found, pay_type_unavailable, payment_failed, rate_limited. */
    async create(userId: string, planId: string, payType: PayType): Promise<CreditOrder> {
      const plan = plans.find(({ id }) => id === planId)
      if (!plan) throw new AppError('plan_not_found')
      const provider = providers[payType]
      if (!provider) throw new AppError('pay_type_unavailable')
      const until = new Date(Date.now() + MIN_ORDER_MS)
      const payable = await findPayableOrder(db, { user_id: userId, plan, pay_type: payType, until })
      if (payable) return presentOrder(payable)
      await limitOrders(userId)
      const order = await insertOrder(db, {
        id: createId(),
        user_id: userId,
        plan,
        price: Math.round(plan.price * 100),
        pay_type: payType,
        provider: provider.name,
        expires_at: new Date(Date.now() + ORDER_MS),
      })
      // The order is committed before anybody can pay for it.
      const codeUrl = await provider.create(toPayableOrder(order)).catch(async (cause: unknown) => {
        warn(order, cause)
        await markClosed(db, order.id, 'cancelled')
        throw new AppError('payment_failed', { cause })
      })
      return presentOrder((await saveCode(db, order.id, codeUrl)) ?? (await requireOrder(userId, order.id)))
    },

    /** Returns a user's order. While the person waits for the payment, the provider is asked too. Throws AppError not_found. */
    async get(userId: string, id: string): Promise<CreditOrder> {
      const order = await requireOrder(userId, id)
      const askedAt = order.queried_at ?? order.created_at
      if (order.status !== 'pending' || Date.now() - askedAt.getTime() < POLL_INTERVAL_MS)
        return presentOrder(order)
      await checkOrder(order).catch((error: unknown) => warn(order, error))
      return presentOrder(await requireOrder(userId, id))
    },

    /** Throws AppError not_found, or payment_failed if the provider would still accept the money. */
    async cancel(userId: string, id: string): Promise<CreditOrder> {
      const order = await requireOrder(userId, id)
      if (order.status === 'pending') {
        await closeOrder(order, 'cancelled').catch((cause: unknown) => {
          warn(order, cause)
          throw new AppError('payment_failed', { cause })
        })
      }
      return presentOrder(await requireOrder(userId, id))
    },

    /** Checks orders whose notification never came, and closes expired ones. */
    async sweep(): Promise<void> {
      for (const order of await listUnqueried(db, new Date(Date.now() - JOB_INTERVAL_MS), MAX_QUERIES))
        await checkOrder(order).catch((error: unknown) => warn(order, error))
    },
  }
}

export const toPayableOrder = ({ id, plan, price, expires_at }: Order): PayableOrder => ({
  id,
  name: plan.name,
  price,
  expires_at,
})

function presentOrder({ id, plan, price, pay_type, provider, status, code_url, ...at }: Order): CreditOrder {
  return {
    id,
    plan_id: plan.id,
    type: plan.type,
    name: plan.name,
    price: price / 100,
    coins: plan.coins,
    pay_type,
    sandbox: provider === 'sandbox',
    status,
    code_url: status === 'pending' ? code_url : null,
    created_at: at.created_at.toISOString(),
    expires_at: at.expires_at.toISOString(),
    paid_at: at.paid_at?.toISOString() ?? null,
  }
}
