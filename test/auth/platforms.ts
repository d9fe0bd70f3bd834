import { createHash, createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export const KEYS = { TENCENT_SECRET_ID: 'AKID-test', TENCENT_SECRET_KEY: 'tencent-secret' }

export type CloudCall = { headers: IncomingHttpHeaders; body: string }
/** The parts of Tencent Cloud's SMS and captcha and of WeChat's Open Platform that the server calls. */
export type Platforms = {
  url: string
  sms: CloudCall[]
  captcha: CloudCall[]
  /** Has SendSms answer the next messages with this code. */
  refuseSms(code: string): void
  close(): Promise<void>
}

/** Answers DescribeCaptchaResult for a ticket: `passed-…` is right once, `down-…` finds the service out of order. */
function describeCaptcha({ headers, body }: CloudCall, used: Set<string>): object {
  const isSigned = headers.authorization === signAsTencent('captcha', { headers, body })
  if (!isSigned || headers['x-tc-version'] !== '2019-07-22')
    return { Error: { Code: 'AuthFailure.SignatureFailure' }, RequestId: 'r' }
  const { Ticket, Randstr, CaptchaType, CaptchaAppId, AppSecretKey } = JSON.parse(body) as Record<
    string,
    unknown
  >
  const ticket = String(Ticket)
  if (ticket.startsWith('down-')) return { Error: { Code: 'InternalError' }, RequestId: 'r' }
  if (CaptchaType !== 9 || CaptchaAppId !== 190000001 || AppSecretKey !== 'captcha-secret')
    return { CaptchaCode: 15, CaptchaMsg: 'decrypt fail', RequestId: 'r' }
  if (used.has(ticket)) return { CaptchaCode: 9, CaptchaMsg: 'ticket reuse', RequestId: 'r' }
  if (!ticket.startsWith('passed-') || Randstr !== '@abc')
    return { CaptchaCode: 8, CaptchaMsg: 'ticket expired', RequestId: 'r' }
  used.add(ticket)
  return { CaptchaCode: 1, CaptchaMsg: 'OK', EvilLevel: 0, RequestId: 'r' }
}

export async function startPlatforms(): Promise<Platforms> {
  const used = new Set<string>()
  let smsCode = 'Ok'
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://platform')
      const answer = (body: object) =>
        response.setHeader('Content-Type', 'text/plain').end(JSON.stringify(body))
      const call = { headers: request.headers, body: Buffer.concat(chunks).toString() }
      if (request.headers['x-tc-action'] === 'DescribeCaptchaResult') {
        platforms.captcha.push(call)
        return answer({ Response: describeCaptcha(call, used) })
      }
      if (url.pathname !== '/sns/oauth2/access_token') {
        platforms.sms.push(call)
        return answer({ Response: { SendStatusSet: [{ Code: smsCode }], RequestId: 'r' } })
      }
      const { appid, secret, code = '', grant_type } = Object.fromEntries(url.searchParams)
      const isOfficial = appid === 'wxmp' && secret === 'mp-secret'
      const isKnown =
        (isOfficial || (appid === 'wx1' && secret === 'wechat-secret')) && grant_type === 'authorization_code'
      // A code belongs to the application that requested it.
      const isFresh = code.startsWith(isOfficial ? 'mp-' : 'person-') && !used.has(code)
      used.add(code)
      if (!isKnown || !isFresh) return answer({ errcode: 40029, errmsg: 'invalid code' })
      const [, person = ''] = code.split('-')
      return answer({
        access_token: 'a',
        openid: `${appid}-${person}`,
        unionid: `u-${person}`,
        scope: isOfficial ? 'snsapi_userinfo' : 'snsapi_login',
        ...(person === 'preview' ? { is_snapshotuser: 1 } : {}),
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const platforms: Platforms = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sms: [],
    captcha: [],
    refuseSms: (code) => {
      smsCode = code
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return platforms
}

/** TC3-HMAC-SHA256, written from its description: https://cloud.tencent.com/document/api/382/52072 */
export function signAsTencent(service: 'sms' | 'captcha', { headers, body }: CloudCall): string {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const timestamp = String(headers['x-tc-timestamp'])
  const date = new Date(Number(timestamp) * 1000).toISOString().slice(0, 10)
  const request = [
    'POST',
    '/',
    '',
    `content-type:${headers['content-type']}`,
    `host:${headers.host}`,
    '',
    'content-type;host',
    sha256(body),
  ].join('\n')
  const scope = `${date}/${service}/tc3_request`
  const signing = hmac(hmac(hmac(`TC3${KEYS.TENCENT_SECRET_KEY}`, date), service), 'tc3_request')
  const text = ['TC3-HMAC-SHA256', timestamp, scope, sha256(request)].join('\n')
  return `TC3-HMAC-SHA256 Credential=${KEYS.TENCENT_SECRET_ID}/${scope}, SignedHeaders=content-type;host, Signature=${hmac(signing, text).toString('hex')}`
}
