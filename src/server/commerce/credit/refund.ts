import { toMicroCoins } from '#server/core/coins.ts'
import type { Db } from '#server/core/database/database.ts'
import { createId } from '#server/core/ids.ts'
import { debitAccount } from '#server/ledger/ledger.ts'
import { saveMemberships } from './memberships.ts'
import { toPayableOrder } from './orders.ts'
import type { Orders } from './orders.ts'
import { findOrder, markRefunded, markRefunding } from './store.ts'

/** The reason why an order cannot be refunded, for the operator. */
export class RefundError extends Error {}

/**
 * Refunds an order, and takes its coins and its membership: first our side in one transaction, then the money. If the provider
 * fails, the same call continues there. Returns yuan. Throws RefundError.
 */
export async function refundOrder({ db, orders }: { db: Db; orders: Orders }, id: string): Promise<number> {
  const order = await findOrder(db, id)
  if (!order) throw new RefundError('没有这个订单 / there is no such order')
  const provider = orders.getProvider(order)
  if (!provider) throw new RefundError(`没有配置支付方式 / not configured: ${order.provider}`)
  if (order.status === 'paid') {
    await db.transaction(async (tx) => {
      const refundId = createId()
      // Another call is taking them at this moment.
      if (!(await markRefunding(tx, id, refundId))) return
      const amount = toMicroCoins(order.plan.coins)
      const { user_id } = order
      if (amount > 0n && !(await debitAccount(tx, { id: refundId, user_id, amount, kind: 'refund' }))) {
        throw new RefundError(
          `除赠送的金币外，可用余额不足 ${order.plan.coins} 金币，不能退款 / the account has spent coins of this order`,
        )
      }
      if (order.plan.level) await saveMemberships(tx, user_id)
    })
  } else if (order.status !== 'refunding') {
    throw new RefundError(`订单状态是 ${order.status}，不能退款 / the order is ${order.status}`)
  }
  try {
    await provider.refund(toPayableOrder(order))
  } catch (cause) {
    throw new RefundError(
      `金币已收回，但支付平台没有接受退款，请再次执行 / the coins are back, the provider refused, run it again: ${(cause as Error).message}`,
      { cause },
    )
  }
  await markRefunded(db, id, new Date())
  return order.price / 100
}
