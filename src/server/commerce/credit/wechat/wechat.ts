import { createPrivateKey, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '#server/core/app-error.ts'
import type { WechatPayConfig } from '#server/core/settings/payments.ts'
import { MAX_NOTIFICATION_AGE_S, parseOutTradeNo, PROVIDER_TIMEOUT_MS, toOutTradeNo } from '../provider.ts'
import type { Payment, PaymentProvider } from '../provider.ts'
import { createPlatformKeys } from './platform-keys.ts'
import type { FindPlatformKey } from './platform-keys.ts'
import { decrypt, signLines, verifyLines } from './signature.ts'
import type { Encrypted } from './signature.ts'

/** A transaction, as returned by queries and sent with notifications. */
const transactionSchema = z.object({
  appid: z.string(),
  mchid: z.string(),
  out_trade_no: z.string(),
  transaction_id: z.string().optional(),
  trade_state: z.string(),
  amount: z.object({ total: z.int(), currency: z.string().default('CNY') }).optional(),
})
type Transaction = z.output<typeof transactionSchema>

const notificationSchema = z.object({
  event_type: z.string(),
  resource: z.object({
    algorithm: z.literal('AEAD_AES_256_GCM'),
    ciphertext: z.string(),
    nonce: z.string(),
    associated_data: z.string().optional(),
  }),
})

/** Only final states; in every other one the payment may still come. */
const STATES: Record<string, Payment['state']> = {
  SUCCESS: 'paid',
  REFUND: 'closed',
  CLOSED: 'closed',
  REVOKED: 'closed',
}

/** An answer of WeChat Pay with an error status. */
class WechatPayError extends Error {
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(`WeChat Pay answered ${status} ${code}: ${message}`)
    this.code = code
  }
}

/** Native payments of WeChat Pay, APIv3: https://pay.weixin.qq.com/doc/v3/merchant/4012791874. */
export function createWechatPay(config: WechatPayConfig, notifyUrl: string): PaymentProvider {
  const { mchid, appid, serial, api_v3_key, base_url } = config
  const privateKey = createPrivateKey(config.private_key)

  async function send(method: 'GET' | 'POST', path: string, content?: object) {
    const body = content ? JSON.stringify(content) : ''
    const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), randomBytes(16).toString('hex')]
    const url = new URL(base_url + path)
    const signature = signLines(privateKey, [method, url.pathname + url.search, timestamp, nonce, body])
    const response = await fetch(url, {
      method,
      signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS),
      headers: {
        Accept: 'application/json',
        'User-Agent': 'wenqu',
        Authorization: `WECHATPAY2-SHA256-RSA2048 mchid="${mchid}",nonce_str="${nonce}",signature="${signature}",timestamp="${timestamp}",serial_no="${serial}"`,
        ...(config.public_key ? { 'Wechatpay-Serial': config.public_key.id } : {}),
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body ? { body } : {}),
    })
    const { status, headers } = response
    return { status, headers, text: await response.text() }
  }

  const findKey: FindPlatformKey = createPlatformKeys(config, async () => {
    const { status, text } = await send('GET', '/v3/certificates')
    if (status !== 200) throw toError(status, text)
    return text
  })

  async function isSigned(headers: Headers, body: string): Promise<boolean> {
    const read = (name: string): string => headers.get(`Wechatpay-${name}`) ?? ''
    const timestamp = read('Timestamp')
    const age = Math.abs(Date.now() / 1000 - Number(timestamp))
    if (!/^\d{1,12}$/.test(timestamp) || age > MAX_NOTIFICATION_AGE_S) return false
    const key = await findKey(read('Serial'))
    return key !== null && verifyLines(key, [timestamp, read('Nonce'), body], read('Signature'))
  }

  /** Makes a call and returns its answer, once the signature is verified. Throws WechatPayError. */
  async function request(method: 'GET' | 'POST', path: string, content?: object): Promise<unknown> {
    const { status, headers, text } = await send(method, path, content)
    if (status >= 300) throw toError(status, text)
    if (!(await isSigned(headers, text))) throw new Error('the answer of WeChat Pay is not signed by it')
    return text ? JSON.parse(text) : null
  }

  const getPath = (orderId: string): string => `/v3/pay/transactions/out-trade-no/${toOutTradeNo(orderId)}`

  /** Throws AppError payment_mismatch for a transaction of another merchant. */
  function toPayment(transaction: Transaction): Payment {
    const { out_trade_no, transaction_id = '', trade_state, amount } = transaction
    const orderId = parseOutTradeNo(out_trade_no)
    if (transaction.mchid !== mchid || transaction.appid !== appid || !orderId)
      throw new AppError('payment_mismatch')
    return {
      order_id: orderId,
      trade_no: transaction_id,
      amount: amount?.total ?? 0,
      currency: amount?.currency ?? 'CNY',
      state: STATES[trade_state] ?? 'unpaid',
    }
  }

  function openResource(resource: Encrypted): string {
    try {
      return decrypt(resource, api_v3_key)
    } catch (cause) {
      throw new AppError('signature_invalid', { cause })
    }
  }

  return {
    name: 'wechat',

    async create({ id, name, price, expires_at }) {
      const answer = await request('POST', '/v3/pay/transactions/native', {
        appid,
        mchid,
        description: name,
        out_trade_no: toOutTradeNo(id),
        time_expire: expires_at.toISOString().replace(/\.\d+Z$/, '+00:00'),
        notify_url: notifyUrl,
        amount: { total: price, currency: 'CNY' },
      })
      return z.object({ code_url: z.string().min(1) }).parse(answer).code_url
    },

    async query(orderId) {
      try {
        const answer = await request('GET', `${getPath(orderId)}?mchid=${mchid}`)
        return toPayment(transactionSchema.parse(answer))
      } catch (error) {
        if (!(error instanceof WechatPayError && /^ORDER_?NOT_?EXIST$/.test(error.code))) throw error
        return { order_id: orderId, trade_no: '', amount: 0, currency: 'CNY', state: 'unknown' }
      }
    },

    async close(orderId) {
      try {
        await request('POST', `${getPath(orderId)}/close`, { mchid })
      } catch (error) {
        const isClosed = error instanceof WechatPayError && /^ORDER(_?NOT_?EXIST|_?CLOSED)$/.test(error.code)
        if (!isClosed) throw error
      }
    },

    async refund({ id, price }) {
      const answer = await request('POST', '/v3/refund/domestic/refunds', {
        out_trade_no: toOutTradeNo(id),
        out_refund_no: toOutTradeNo(id),
        amount: { refund: price, total: price, currency: 'CNY' },
      })
      const { status } = z.object({ status: z.string() }).parse(answer)
      if (!['SUCCESS', 'PROCESSING'].includes(status)) throw new Error(`the refund is ${status}`)
    },

    async parseNotification(body, headers) {
      if (!(await isSigned(headers, body))) throw new AppError('signature_invalid')
      const { event_type, resource } = notificationSchema.parse(JSON.parse(body))
      if (event_type !== 'TRANSACTION.SUCCESS') return null
      return toPayment(transactionSchema.parse(JSON.parse(openResource(resource))))
    },
  }
}

function toError(status: number, text: string): WechatPayError {
  try {
    const { code, message } = JSON.parse(text) as { code?: string; message?: string }
    return new WechatPayError(status, code ?? '', message ?? '')
  } catch {
    return new WechatPayError(status, '', '')
  }
}
