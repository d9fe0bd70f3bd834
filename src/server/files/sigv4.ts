import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

// AWS Signature Version 4: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html

export const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD'
const ALGORITHM = 'AWS4-HMAC-SHA256'
/** Largest difference between the clocks of both sides. */
const MAX_SKEW_MS = 15 * 60_000

export type SignableRequest = {
  method: string
  /** Path and query as they are sent. */
  target: string
  /** Lower-case names. */
  headers: Record<string, string>
}
type Scope = { amz_date: string; region: string; service: string }

/** The fields of a signature, from headers or from the query. */
export type Signature = Scope & {
  access_key_id: string
  signed_headers: string[]
  signature: string
  payload_hash: string
  session_token: string
}

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Escapes everything but letters, digits and `-._~` (RFC 3986). */
export const encodeUri = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

const splitTarget = (target: string): [path: string, query: URLSearchParams] => {
  const at = target.indexOf('?')
  const [path, query] = at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)]
  // A plus is a plus here, not a space.
  return [path, new URLSearchParams(query.replaceAll('+', '%2B'))]
}

/** Throws URIError for a path that cannot be decoded. */
function computeSignature(
  secretKey: string,
  { method, target, headers }: SignableRequest,
  scope: Scope & { signed_headers: string[]; payload_hash: string },
): string {
  const { amz_date, region, service, signed_headers, payload_hash } = scope
  const [path, query] = splitTarget(target)
  const canonicalQuery = [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encodeUri(name), encodeUri(value)] as const)
    .sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  const canonical = [
    method,
    path
      .split('/')
      .map((part) => encodeUri(decodeURIComponent(part)))
      .join('/'),
    canonicalQuery,
    ...signed_headers.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    signed_headers.join(';'),
    payload_hash,
  ].join('\n')
  const day = amz_date.slice(0, 8)
  const credentialScope = `${day}/${region}/${service}/aws4_request`
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretKey}`)
  return hmac(key, [ALGORITHM, amz_date, credentialScope, sha256(canonical)].join('\n')).toString('hex')
}

/** Reads the signature of a request; null where none can be read. */
export function readSignature({ target, headers }: SignableRequest): Signature | null {
  const [, query] = splitTarget(target)
  const inHeader = new RegExp(
    `^${ALGORITHM} Credential=([^,\\s]+),\\s*SignedHeaders=([^,\\s]+),\\s*Signature=([0-9a-f]{64})$`,
  ).exec(headers.authorization ?? '')
  const isInQuery = query.get('X-Amz-Algorithm') === ALGORITHM
  const [credential, signed, signature] = inHeader
    ? inHeader.slice(1)
    : isInQuery
      ? ['X-Amz-Credential', 'X-Amz-SignedHeaders', 'X-Amz-Signature'].map((name) => query.get(name) ?? '')
      : []
  const [accessKeyId, day, region, service, end, ...more] = (credential ?? '').split('/')
  const amzDate = (inHeader ? headers['x-amz-date'] : query.get('X-Amz-Date')) ?? ''
  if (!accessKeyId || !region || !service || end !== 'aws4_request' || more.length) return null
  if (!/^\d{8}T\d{6}Z$/.test(amzDate) || !amzDate.startsWith(day!) || !signed || !signature) return null
  return {
    access_key_id: accessKeyId,
    amz_date: amzDate,
    region,
    service,
    signature,
    signed_headers: signed.split(';'),
    payload_hash: inHeader ? (headers['x-amz-content-sha256'] ?? '') : UNSIGNED_PAYLOAD,
    session_token: (inHeader ? headers['x-amz-security-token'] : query.get('X-Amz-Security-Token')) ?? '',
  }
}

/**
 * Tells whether a signature was made with a secret key, for this request and lately. `hosts`: the names that the client may have
 * used for this server, since proxies on the way use others.
 */
export function isSignatureValid(
  secretKey: string,
  request: SignableRequest,
  signature: Signature,
  { hosts, now }: { hosts: string[]; now: Date },
): boolean {
  const { amz_date, signed_headers } = signature
  const [, query] = splitTarget(request.target)
  const madeAt = Date.parse(
    amz_date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
  )
  const lastsMs = Number(query.get('X-Amz-Expires') ?? 0) * 1000 || MAX_SKEW_MS
  const ageMs = now.getTime() - madeAt
  if (!(ageMs >= -MAX_SKEW_MS && ageMs <= Math.max(lastsMs, 0)) || !signed_headers.includes('host'))
    return false
  return hosts.some((host) => {
    const headers = { ...request.headers, host }
    const expected = computeSignature(secretKey, { ...request, headers }, signature)
    return timingSafeEqual(Buffer.from(expected), Buffer.from(signature.signature.padEnd(64).slice(0, 64)))
  })
}
