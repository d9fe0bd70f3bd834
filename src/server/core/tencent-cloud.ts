import { createHash, createHmac } from 'node:crypto'
import { getField, parseJsonObject } from './json.ts'

export type TencentCloudKeys = { secret_id: string; secret_key: string }
export type TencentCloudCall = {
  /** `https://sms.tencentcloudapi.com`, or the address of a stand-in. */
  endpoint: string
  service: 'sts' | 'sms' | 'captcha'
  action: string
  version: string
  /** Null for a service without regions. */
  region: string | null
}

const TIMEOUT_MS = 10_000

/**
 * Calls Tencent Cloud's API 3.0 and returns the `Response` of its answer, which may be a refusal (`Error`). Rejects when there is
 * no answer. Tencent's SDK would bring in every service of the cloud to replace these few lines.
 */
export async function callTencentCloud(
  keys: TencentCloudKeys,
  call: TencentCloudCall,
  request: object,
): Promise<unknown> {
  const body = JSON.stringify(request)
  const url = new URL(call.endpoint)
  const response = await fetch(url, {
    method: 'POST',
    headers: signTc3(keys, call, { url, body, now: new Date() }),
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const text = await response.text()
  // The service's words about a refusal contain no secret.
  if (!response.ok)
    throw new Error(`${call.service} answered with status ${response.status}: ${text.slice(0, 300)}`)
  return getField(parseJsonObject(text), 'Response')
}

/** TC3-HMAC-SHA256, https://cloud.tencent.com/document/api/1312/48171 */
function signTc3(
  { secret_id, secret_key }: TencentCloudKeys,
  { service, action, version, region }: TencentCloudCall,
  { url, body, now }: { url: URL; body: string; now: Date },
) {
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
  const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
  const type = 'application/json; charset=utf-8'
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const day = now.toISOString().slice(0, 10)
  const canonical = `POST\n/\n\ncontent-type:${type}\nhost:${url.host}\n\ncontent-type;host\n${hash(body)}`
  const scope = `${day}/${service}/tc3_request`
  const key = hmac(hmac(hmac(`TC3${secret_key}`, day), service), 'tc3_request')
  const signature = hmac(key, `TC3-HMAC-SHA256\n${timestamp}\n${scope}\n${hash(canonical)}`).toString('hex')
  return {
    'content-type': type,
    'x-tc-action': action,
    'x-tc-version': version,
    ...(region === null ? {} : { 'x-tc-region': region }),
    'x-tc-timestamp': timestamp,
    authorization: `TC3-HMAC-SHA256 Credential=${secret_id}/${scope}, SignedHeaders=content-type;host, Signature=${signature}`,
  }
}
