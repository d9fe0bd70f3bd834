import { createSign, createVerify, randomInt } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createKeyPair, toPem } from './certificate.ts'

const APP_ID = '2021000000000001'

type Trade = {
  out_trade_no: string
  total_amount: string
  subject: string
  notify_url: string
  /** Alipay knows of no trade before the code is scanned. */
  trade_status: 'NONE' | 'TRADE_SUCCESS' | 'TRADE_CLOSED'
  trade_no: string
}

const toTime = (at: Date): string =>
  new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
const toText = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

/** The part of Alipay's gateway for payments by code, over HTTP: it checks the application's signature and signs answers. */
export async function startAlipayDouble() {
  const [application, alipay] = [createKeyPair(), createKeyPair()]
  const trades = new Map<string, Trade>()
  const keyDir = await mkdtemp(join(tmpdir(), 'wenqu-alipay-'))
  const [keyFile, publicKeyFile] = [join(keyDir, 'application.pem'), join(keyDir, 'alipay.pem')]
  await writeFile(keyFile, toPem(application.privateKey))
  await writeFile(publicKeyFile, toPem(alipay.publicKey))
  const sign = (content: string): string =>
    createSign('RSA-SHA256').update(content).sign(alipay.privateKey, 'base64')

  const no = (subCode: string) => ({
    code: '40004',
    msg: 'Business Failed',
    sub_code: subCode,
    sub_msg: '交易"}{"失败',
  })
  const yes = { code: '10000', msg: 'Success' }
  function answer(method: string, content: Record<string, string>, notifyUrl: string): object {
    const { out_trade_no = '' } = content
    if (method === 'alipay.trade.precreate') {
      const { total_amount = '', subject = '' } = content
      const tradeNo = `20261122${randomInt(1e12)}`
      trades.set(out_trade_no, {
        out_trade_no,
        total_amount,
        subject,
        notify_url: notifyUrl,
        trade_no: tradeNo,
        trade_status: 'NONE',
      })
      return { ...yes, out_trade_no, qr_code: `https://qr.alipay.com/${out_trade_no}` }
    }
    const trade = trades.get(out_trade_no)
    if (!trade || trade.trade_status === 'NONE') return no('ACQ.TRADE_NOT_EXIST')
    if (method === 'alipay.trade.query') return { ...yes, ...trade }
    if (trade.trade_status === 'TRADE_SUCCESS' && method === 'alipay.trade.close')
      return no('ACQ.TRADE_STATUS_ERROR')
    trade.trade_status = 'TRADE_CLOSED'
    return { ...yes, out_trade_no, fund_change: 'Y' }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { sign: signature = '', ...fields } = Object.fromEntries(new URLSearchParams(await text(request)))
    const { method = '', app_id, biz_content = '{}', notify_url = '' } = fields
    const isSigned = createVerify('RSA-SHA256')
      .update(toText(fields))
      .verify(application.publicKey, signature, 'base64')
    const content =
      isSigned && app_id === APP_ID
        ? answer(method, JSON.parse(biz_content) as Record<string, string>, notify_url)
        : { code: '40002', msg: 'Invalid Arguments', sub_code: 'isv.invalid-signature' }
    const member = JSON.stringify(content)
    response
      .writeHead(200, { 'Content-Type': 'text/html;charset=utf-8' })
      .end(`{"${method.replaceAll('.', '_')}_response":${member},"sign":"${sign(member)}"}`)
  }
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    trades,
    env: {
      ALIPAY_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/gateway.do`,
      ALIPAY_APP_ID: APP_ID,
      ALIPAY_KEY_FILE: keyFile,
      ALIPAY_PUBLIC_KEY_FILE: publicKeyFile,
    },
    /** Pays a trade. */
    pay(outTradeNo: string): void {
      trades.get(outTradeNo)!.trade_status = 'TRADE_SUCCESS'
    },
    /** Returns the body of a notification to the application about a trade; `changes` to its fields, signed with them. */
    createNotification(outTradeNo: string, changes: Record<string, string> = {}, at = new Date()): string {
      const { total_amount, trade_no, trade_status } = trades.get(outTradeNo)!
      const fields = {
        notify_time: toTime(at),
        notify_type: 'trade_status_sync',
        notify_id: 'ac05099524730693a8b330c5ecf72da9786',
        app_id: APP_ID,
        charset: 'utf-8',
        version: '1.0',
        out_trade_no: outTradeNo,
        trade_no,
        trade_status,
        total_amount,
        subject: '金币 & 会员',
        ...changes,
      }
      return new URLSearchParams({ ...fields, sign_type: 'RSA2', sign: sign(toText(fields)) }).toString()
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(keyDir, { recursive: true, force: true })
    },
  }
}
