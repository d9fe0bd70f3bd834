import { createCipheriv, createVerify, createSign, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createCertificate, createKeyPair, toPem } from './certificate.ts'

const [MCHID, APPID, MERCHANT_SERIAL] = [
  '1900000001',
  'wxd678efh567hg6787',
  '3775B6A45ACD588826D15E583A95F5DD00000001',
]
const API_V3_KEY = 'an-api-v3-key-of-thirty-two-byte'

type Order = {
  out_trade_no: string
  description: string
  total: number
  notify_url: string
  trade_state: 'NOTPAY' | 'SUCCESS' | 'CLOSED' | 'REFUND'
  transaction_id: string
}
export type SignedMessage = { body: string; headers: Record<string, string> }

/** The part of WeChat Pay's APIv3 for native payments, over HTTP: it checks the merchant's signature and signs answers. */
export async function startWechatDouble() {
  const merchant = createKeyPair()
  const orders = new Map<string, Order>()
  const refunds = new Map<string, object>()
  const platform = [{ serial: '5157F09EFDC096DE15EBE81A47057A72AA000001', keys: createKeyPair() }]
  const keyDir = await mkdtemp(join(tmpdir(), 'wenqu-wechat-'))
  const keyFile = join(keyDir, 'merchant.pem')
  await writeFile(keyFile, toPem(merchant.privateKey))
  let downloads = 0
  /** Signs answers in place of the real key, like a man in the middle. */
  let forger: ReturnType<typeof createKeyPair> | null = null
  let isDown = false

  const current = () => platform.at(-1)!
  function encrypt(plain: string, associatedData: string) {
    const nonce = randomBytes(6).toString('hex')
    const cipher = createCipheriv('aes-256-gcm', API_V3_KEY, nonce)
    cipher.setAAD(Buffer.from(associatedData))
    const ciphertext = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    return {
      algorithm: 'AEAD_AES_256_GCM',
      ciphertext: ciphertext.toString('base64'),
      nonce,
      associated_data: associatedData,
    }
  }
  function sign(body: string, { age_s = 0 } = {}): Record<string, string> {
    const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000) - age_s), randomBytes(8).toString('hex')]
    const { serial, keys } = current()
    const signature = createSign('RSA-SHA256')
      .update(`${timestamp}\n${nonce}\n${body}\n`)
      .sign((forger ?? keys).privateKey, 'base64')
    return {
      'Wechatpay-Timestamp': timestamp,
      'Wechatpay-Nonce': nonce,
      'Wechatpay-Serial': serial,
      'Wechatpay-Signature': signature,
    }
  }

  /** Tells whether the merchant has signed a request: method, path, time, nonce, body. */
  function isSigned({ method, url, headers }: IncomingMessage, body: string): boolean {
    const [scheme, values = ''] = (headers.authorization ?? '').split(/ (.*)/)
    const of = Object.fromEntries(
      [...values.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    )
    if (scheme !== 'WECHATPAY2-SHA256-RSA2048' || of.mchid !== MCHID || of.serial_no !== MERCHANT_SERIAL)
      return false
    return createVerify('RSA-SHA256')
      .update(`${method}\n${url}\n${of.timestamp}\n${of.nonce_str}\n${body}\n`)
      .verify(merchant.publicKey, of.signature ?? '', 'base64')
  }

  const toTransaction = ({ out_trade_no, total, trade_state, transaction_id }: Order) => ({
    appid: APPID,
    mchid: MCHID,
    out_trade_no,
    trade_state,
    ...(trade_state === 'SUCCESS'
      ? {
          transaction_id,
          trade_type: 'NATIVE',
          success_time: new Date().toISOString(),
          amount: { total, payer_total: total, currency: 'CNY', payer_currency: 'CNY' },
        }
      : {}),
  })

  type Answer = [status: number, content?: object]
  const missing: Answer = [404, { code: 'ORDER_NOT_EXIST', message: '订单不存在' }]
  function answer(method: string, url: URL, content: Record<string, unknown>): Answer {
    if (url.pathname === '/v3/certificates') {
      downloads++
      const data = platform.map(({ serial, keys }) => ({
        serial_no: serial,
        encrypt_certificate: encrypt(createCertificate(keys, serial), 'certificate'),
      }))
      return [200, { data }]
    }
    if (url.pathname === '/v3/pay/transactions/native') {
      const { out_trade_no, description, notify_url, amount } = content as Pick<
        Order,
        'out_trade_no' | 'description' | 'notify_url'
      > & { amount: { total: number; currency: string } }
      if (content.mchid !== MCHID || content.appid !== APPID || amount.currency !== 'CNY')
        return [400, { code: 'PARAM_ERROR', message: '参数错误' }]
      const transactionId = `42000${randomBytes(8).readBigUInt64BE()}`
      const order: Order = {
        out_trade_no,
        description,
        total: amount.total,
        notify_url,
        trade_state: 'NOTPAY',
        transaction_id: transactionId,
      }
      orders.set(out_trade_no, order)
      return [200, { code_url: `weixin://wxpay/bizpayurl?pr=${out_trade_no}` }]
    }
    if (url.pathname === '/v3/refund/domestic/refunds') {
      const { out_trade_no, out_refund_no } = content as Record<string, string>
      const order = orders.get(out_trade_no!)
      if (!order || !['SUCCESS', 'REFUND'].includes(order.trade_state)) return missing
      refunds.set(out_refund_no!, content)
      order.trade_state = 'REFUND'
      return [200, { out_refund_no, status: 'PROCESSING' }]
    }
    const [, outTradeNo = '', close] =
      /^\/v3\/pay\/transactions\/out-trade-no\/(\w+)(\/close)?$/.exec(url.pathname) ?? []
    const order = orders.get(outTradeNo)
    if (!order) return missing
    if (!close) return [200, toTransaction(order)]
    if (order.trade_state === 'SUCCESS') return [400, { code: 'ORDERPAID', message: '订单已支付' }]
    order.trade_state = 'CLOSED'
    return method === 'POST' ? [204] : missing
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    if (isDown) return void response.writeHead(502).end('<html>bad gateway</html>')
    const [status, content] = isSigned(request, body)
      ? answer(request.method!, new URL(request.url!, 'http://double'), body ? JSON.parse(body) : {})
      : ([401, { code: 'SIGN_ERROR', message: '签名错误' }] as Answer)
    const sent = content ? JSON.stringify(content) : ''
    response.writeHead(status, { 'Content-Type': 'application/json', ...sign(sent) }).end(sent)
  }
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    orders,
    refunds,
    /** Environment of a server that is paid through it. */
    env: {
      WECHAT_PAY_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      WECHAT_PAY_MCHID: MCHID,
      WECHAT_PAY_APPID: APPID,
      WECHAT_PAY_SERIAL: MERCHANT_SERIAL,
      WECHAT_PAY_KEY_FILE: keyFile,
      WECHAT_PAY_API_V3_KEY: API_V3_KEY,
    },
    countDownloads: () => downloads,
    /** Pays an order. */
    pay(outTradeNo: string): void {
      orders.get(outTradeNo)!.trade_state = 'SUCCESS'
    },
    /** Returns a notification to the merchant about an order; `changes` to the transaction in it. */
    createNotification(
      outTradeNo: string,
      {
        changes = {},
        age_s = 0,
        event_type = 'TRANSACTION.SUCCESS',
      }: { changes?: object; age_s?: number; event_type?: string } = {},
    ): SignedMessage {
      const transaction = { ...toTransaction(orders.get(outTradeNo)!), ...changes }
      const body = JSON.stringify({
        id: 'EV-2018022511223320873',
        create_time: new Date().toISOString(),
        resource_type: 'encrypt-resource',
        event_type,
        summary: '支付成功',
        resource: { ...encrypt(JSON.stringify(transaction), 'transaction'), original_type: 'transaction' },
      })
      return { body, headers: sign(body, { age_s }) }
    },
    /** Signs with a new certificate from here on; the old one is still listed. */
    rotate(serial: string): void {
      platform.push({ serial, keys: createKeyPair() })
    },
    setForged(isForged: boolean): void {
      forger = isForged ? createKeyPair() : null
    },
    setDown(down: boolean): void {
      isDown = down
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(keyDir, { recursive: true, force: true })
    },
  }
}
