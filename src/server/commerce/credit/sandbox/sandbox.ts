import { createHmac, timingSafeEqual } from 'node:crypto'
import { sandboxNotification } from '#contract/credit/credit.ts'
import type { z } from 'zod'
import { AppError } from '#server/core/app-error.ts'
import type { Config } from '#server/core/config.ts'
import type { Db } from '#server/core/database/database.ts'
import { createId } from '#server/core/ids.ts'
import { createToken } from '#server/core/secrets.ts'
import { MAX_NOTIFICATION_AGE_S } from '../provider.ts'
import type { PaymentProvider } from '../provider.ts'
import { findPayment, insertPayment, updatePayment } from './store.ts'

type Content = z.output<typeof sandboxNotification>
type SandboxHeaders = Record<'X-Sandbox-Timestamp' | 'X-Sandbox-Nonce' | 'X-Sandbox-Signature', string>
export type SignedNotification = { body: string; headers: SandboxHeaders }
/** A sandbox payment: hundredths of a currency, and its success. */
export type SandboxPayRequest = Pick<Content, 'amount' | 'currency' | 'status'>

export type Sandbox = ReturnType<typeof createSandbox>

/** A payment platform without money, for development and tests: it keeps books, signs, notifies and answers like a real one. */
export function createSandbox({
  db,
  config: { environment, app_secret, app_url },
}: {
  db: Db
  config: Pick<Config, 'environment' | 'app_secret' | 'app_url'>
}) {
  if (environment === 'production') throw new Error('the payment sandbox does not run in production')
  const secret = createHmac('sha256', app_secret).update('payment-sandbox').digest()
  const sign = (timestamp: string, nonce: string, body: string): Buffer =>
    createHmac('sha256', secret).update(`${timestamp}\n${nonce}\n${body}\n`).digest()

  const provider: PaymentProvider = {
    name: 'sandbox',

    async create({ id, price }) {
      const tradeNo = `sandbox-${createId()}`
      await insertPayment(db, {
        order_id: id,
        state: 'unpaid',
        trade_no: tradeNo,
        amount: price,
        currency: 'CNY',
      })
      return `${app_url}/credit?order=${id}`
    },

    async query(orderId) {
      const payment = await findPayment(db, orderId)
      if (!payment) return { order_id: orderId, trade_no: '', amount: 0, currency: 'CNY', state: 'unknown' }
      const { trade_no, amount, currency, state } = payment
      return { order_id: orderId, trade_no, amount, currency, state: state === 'refunded' ? 'closed' : state }
    },

    async close(orderId) {
      if (await updatePayment(db, orderId, 'unpaid', { state: 'closed' })) return
      if ((await findPayment(db, orderId))?.state === 'paid') throw new Error('it was paid')
    },

    async refund({ id }) {
      if (await updatePayment(db, id, 'paid', { state: 'refunded' })) return
      if ((await findPayment(db, id))?.state !== 'refunded') throw new Error('it was not paid')
    },

    async parseNotification(body, headers) {
      const read = (name: keyof SandboxHeaders): string => headers.get(name) ?? ''
      const timestamp = read('X-Sandbox-Timestamp')
      const expected = sign(timestamp, read('X-Sandbox-Nonce'), body)
      const actual = Buffer.from(read('X-Sandbox-Signature'), 'base64')
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
        throw new AppError('signature_invalid')
      if (
        !/^\d{1,12}$/.test(timestamp) ||
        Math.abs(Date.now() / 1000 - Number(timestamp)) > MAX_NOTIFICATION_AGE_S
      )
        throw new AppError('signature_invalid')
      const { order_id, trade_no, amount, currency, status } = sandboxNotification.parse(JSON.parse(body))
      return status === 'success' ? { order_id, trade_no, amount, currency, state: 'paid' } : null
    },
  }

  /** Signs a notification with the current time. */
  function signNotification(content: Content): SignedNotification {
    const body = JSON.stringify(content)
    const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), createToken()]
    const headers = {
      'X-Sandbox-Timestamp': timestamp,
      'X-Sandbox-Nonce': nonce,
      'X-Sandbox-Signature': sign(timestamp, nonce, body).toString('base64'),
    }
    return { body, headers }
  }

  return {
    provider,

    /** Pays an order, as if its code were scanned; returns the notification. Throws AppError order_closed. */
    async pay(orderId: string, { amount, currency, status }: SandboxPayRequest): Promise<SignedNotification> {
      const changes = status === 'success' ? { state: 'paid' as const, amount, currency } : {}
      const isOpen =
        status === 'success'
          ? await updatePayment(db, orderId, 'unpaid', changes)
          : (await findPayment(db, orderId))?.state === 'unpaid'
      const payment = await findPayment(db, orderId)
      if (!isOpen || !payment) throw new AppError('order_closed')
      return signNotification({
        id: createId(),
        order_id: orderId,
        trade_no: payment.trade_no,
        amount,
        currency,
        status,
      })
    },
  }
}
