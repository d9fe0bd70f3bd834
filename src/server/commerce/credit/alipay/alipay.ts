import { createPrivateKey, createPublicKey, createSign, createVerify } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '#server/core/app-error.ts'
import type { AlipayConfig } from '#server/core/settings/payments.ts'
import { parseOutTradeNo, PROVIDER_TIMEOUT_MS, toOutTradeNo } from '../provider.ts'
import type { Payment, PaymentProvider } from '../provider.ts'

/** Alipay repeats a notification for 25 hours, with the time of the first one (https://opendocs.alipay.com/open/194/103296). */
const MAX_AGE_MS = 26 * 3_600_000
const SUCCESS = '10000'

const STATES: Record<string, Payment['state']> = {
  TRADE_SUCCESS: 'paid',
  TRADE_FINISHED: 'paid',
  TRADE_CLOSED: 'closed',
}

const answerSchema = z.looseObject({
  code: z.string(),
  sub_code: z.string().optional(),
  sub_msg: z.string().optional(),
})

/** Formats a time in China's time zone as Alipay does, `2026-11-22 23:40:00`. */
const toAlipayTime = (at: Date): string =>
  new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
const parseAlipayTime = (text: string): number => Date.parse(`${text.replace(' ', 'T')}+08:00`)

/** Converts between hundredths of a yuan and Alipay's form, `10.00`; NaN for an invalid amount. */
const toYuan = (hundredths: number): string => (hundredths / 100).toFixed(2)
const parseYuan = (text: string): number =>
  /^\d{1,9}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : NaN

/** Returns the text to sign: all fields but the signature by name, as `name=value` (RSA2, opendocs.alipay.com/common/02kf5q). */
const toSignedText = (fields: Record<string, string>, leftOut: string[]): string =>
  Object.keys(fields)
    .filter((name) => fields[name] !== '' && !leftOut.includes(name))
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')

/** Returns the exact text of one member of a JSON object, since the signature covers it. Empty if it is missing. */
function findMember(text: string, name: string): string {
  const start = text.indexOf('{', text.indexOf(`"${name}"`) + 1)
  if (!text.includes(`"${name}"`) || start < 0) return ''
  let depth = 0
  let isString = false
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (isString) {
      if (char === '\\') at++
      else if (char === '"') isString = false
    } else if (char === '"') isString = true
    else if (char === '{') depth++
    else if (char === '}' && --depth === 0) return text.slice(start, at + 1)
  }
  return ''
}

/** Payments by a QR code of Alipay (当面付, alipay.trade.precreate): https://opendocs.alipay.com/open/02ekfg. */
export function createAlipay(config: AlipayConfig, notifyUrl: string): PaymentProvider {
  const { app_id, base_url } = config
  const privateKey = createPrivateKey(config.private_key)
  const publicKey = createPublicKey(config.public_key)
  const verify = (text: string, signature: string): boolean =>
    createVerify('RSA-SHA256').update(text).verify(publicKey, signature, 'base64')

  /** Makes a call and returns its answer, also a refusal, once the signature is verified. */
  async function request(method: string, content: object, more: Record<string, string> = {}) {
    const fields: Record<string, string> = {
      app_id,
      method,
      format: 'JSON',
      charset: 'utf-8',
      sign_type: 'RSA2',
      timestamp: toAlipayTime(new Date()),
      version: '1.0',
      ...more,
      biz_content: JSON.stringify(content),
    }
    const sign = createSign('RSA-SHA256').update(toSignedText(fields, [])).sign(privateKey, 'base64')
    const response = await fetch(`${base_url}?charset=utf-8`, {
      method: 'POST',
      signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS),
      body: new URLSearchParams({ ...fields, sign }),
    })
    if (!response.ok) throw new Error(`Alipay answered ${response.status}`)
    const text = await response.text()
    const member = findMember(text, `${method.replaceAll('.', '_')}_response`)
    const { sign: signature } = z.object({ sign: z.string().default('') }).parse(JSON.parse(text))
    if (!member || !verify(member, signature)) throw new Error('the answer of Alipay is not signed by it')
    return answerSchema.parse(JSON.parse(member))
  }

  const requireSuccess = (answer: z.output<typeof answerSchema>) => {
    if (answer.code === SUCCESS) return answer
    throw new Error(`Alipay refused: ${answer.code} ${answer.sub_code ?? ''} ${answer.sub_msg ?? ''}`)
  }

  return {
    name: 'alipay',

    async create({ id, name, price, expires_at }) {
      const content = {
        out_trade_no: toOutTradeNo(id),
        total_amount: toYuan(price),
        subject: name,
        time_expire: toAlipayTime(expires_at),
      }
      const answer = requireSuccess(
        await request('alipay.trade.precreate', content, { notify_url: notifyUrl }),
      )
      return z.string().min(1).parse(answer.qr_code)
    },

    async query(orderId) {
      const answer = await request('alipay.trade.query', { out_trade_no: toOutTradeNo(orderId) })
      // Nobody has scanned the code yet.
      if (answer.sub_code === 'ACQ.TRADE_NOT_EXIST')
        return { order_id: orderId, trade_no: '', amount: 0, currency: 'CNY', state: 'unknown' }
      const { trade_no, total_amount, trade_status, out_trade_no } = z
        .object({
          trade_no: z.string(),
          total_amount: z.string(),
          trade_status: z.string(),
          out_trade_no: z.string(),
        })
        .parse(requireSuccess(answer))
      if (out_trade_no !== toOutTradeNo(orderId)) throw new AppError('payment_mismatch')
      const amount = parseYuan(total_amount)
      return { order_id: orderId, trade_no, amount, currency: 'CNY', state: STATES[trade_status] ?? 'unpaid' }
    },

    async close(orderId) {
      const answer = await request('alipay.trade.close', { out_trade_no: toOutTradeNo(orderId) })
      if (answer.sub_code !== 'ACQ.TRADE_NOT_EXIST') requireSuccess(answer)
    },

    async refund({ id, price }) {
      const outTradeNo = toOutTradeNo(id)
      const content = { out_trade_no: outTradeNo, refund_amount: toYuan(price), out_request_no: outTradeNo }
      requireSuccess(await request('alipay.trade.refund', content))
    },

    async parseNotification(body) {
      const fields = Object.fromEntries(new URLSearchParams(body))
      const { sign = '', sign_type = '', notify_time = '' } = fields
      const age = Date.now() - parseAlipayTime(notify_time)
      if (sign_type !== 'RSA2' || !verify(toSignedText(fields, ['sign', 'sign_type']), sign))
        throw new AppError('signature_invalid')
      if (!(Math.abs(age) <= MAX_AGE_MS)) throw new AppError('signature_invalid')
      const { out_trade_no = '', trade_no = '', total_amount = '', trade_status = '' } = fields
      const orderId = parseOutTradeNo(out_trade_no)
      if (fields.app_id !== app_id || !orderId) throw new AppError('payment_mismatch')
      const amount = parseYuan(total_amount)
      // A partial refund is notified with the same states; the order was paid long before.
      return { order_id: orderId, trade_no, amount, currency: 'CNY', state: STATES[trade_status] ?? 'unpaid' }
    },
  }
}
