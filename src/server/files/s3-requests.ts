import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError, toLoggedError, toAppError } from '#server/core/app-error.ts'
import type { Log } from '#server/core/log.ts'
import { LOCAL_BUCKET, LOCAL_ENDPOINT, LOCAL_REGION, STORE_ERRORS, StoreError } from './local-store.ts'
import type { ExpectedBody, LocalStore } from './local-store.ts'
import { isKeyOfToday, toPrefix } from './object-store.ts'
import type { Uploader } from './object-store.ts'
import { isSignatureValid, readSignature, UNSIGNED_PAYLOAD } from './sigv4.ts'
import type { SignableRequest } from './sigv4.ts'

/** Largest list of parts that completes an upload. */
const MAX_XML_BYTES = 2_000_000
const MAX_PARTS = 10_000
/** Most bodies of one person at a time. */
const MAX_BODIES_PER_USER = 8

type Options = {
  store: LocalStore
  app_url: string
  log: Log
  /** Throws AppError where a person has too much in the store that is not saved. */
  requireUploadRoom: (userId: string, added: { files: number; bytes: number }) => Promise<void>
}
type S3Request = {
  request: IncomingMessage
  response: ServerResponse
  key: string
  query: URLSearchParams
  uploader: Uploader
}

/**
 * Creates the handler of the small part of S3 that uploads need, over the local store: PutObject and multipart uploads, for
 * credentials of GET /cos/credential, below their own prefix. Nothing can be read, listed or deleted here.
 */
export function createS3Handler({ store, app_url, log, requireUploadRoom }: Options) {
  /** Lengths of the bodies that are arriving, by their senders. */
  const bodies = new Map<string, number[]>()

  const authenticate = (request: IncomingMessage): Uploader => {
    const signable = toSignable(request)
    const signature = readSignature(signable)
    const credential = signature && store.openCredential(signature.access_key_id, signature.session_token)
    if (!credential || signature.region !== LOCAL_REGION || signature.service !== 's3')
      throw new StoreError('AccessDenied')
    const { host = '', 'x-forwarded-host': forwarded = '' } = signable.headers
    const hosts = [host, forwarded.split(',')[0]!.trim(), new URL(app_url).host].filter(Boolean)
    if (!isSignatureValid(credential.secret_key, signable, signature, { hosts, now: new Date() }))
      throw new StoreError('SignatureDoesNotMatch')
    return credential.uploader
  }

  /** Makes sure that there is room for an upload beside all that its sender has not saved, and the bodies that are arriving. */
  const requireRoom = async (userId: string, files: number): Promise<void> => {
    const lengths = bodies.get(userId) ?? []
    try {
      await requireUploadRoom(userId, { files, bytes: lengths.reduce((sum, length) => sum + length, 0) })
    } catch (error) {
      throw error instanceof AppError ? new StoreError('QuotaExceeded') : error
    }
  }

  /** Takes the body of an object or of a part, while its sender has not too many under way and is not over the limits. */
  const withBody = async (
    { request, response, uploader: { user_id, max_bytes } }: S3Request,
    kind: 'object' | 'part',
    receive: (body: AsyncIterable<Buffer>, expected: ExpectedBody) => Promise<string>,
  ): Promise<string> => {
    const expected = readExpectedBody(request, max_bytes)
    if (expected.length > max_bytes) throw new StoreError('EntityTooLarge')
    const lengths = bodies.get(user_id) ?? []
    if (lengths.length >= MAX_BODIES_PER_USER) throw new StoreError('SlowDown')
    bodies.set(user_id, lengths)
    lengths.push(expected.length)
    try {
      await requireRoom(user_id, kind === 'object' ? lengths.length : 0)
      if (request.headers.expect !== undefined) response.writeContinue()
      return await receive(request, expected)
    } finally {
      lengths.splice(lengths.indexOf(expected.length), 1)
      if (!lengths.length) bodies.delete(user_id)
    }
  }

  const handle = async (one: S3Request): Promise<void> => {
    const { request, response, key, query, uploader } = one
    const uploadId = query.get('uploadId')
    const partNumber = query.get('partNumber')
    const { method } = request
    if (method === 'PUT' && uploadId === null && partNumber === null) {
      requireNewKey(key)
      const etag = await withBody(one, 'object', (body, expected) => store.putObject(key, body, expected))
      return void response.writeHead(200, { ETag: `"${etag}"` }).end()
    }
    if (method === 'PUT' && uploadId !== null) {
      const number = Number(partNumber)
      if (!Number.isInteger(number) || number < 1 || number > MAX_PARTS)
        throw new StoreError('InvalidRequest')
      const etag = await withBody(one, 'part', (body, expected) =>
        store.putPart(key, uploadId, number, body, expected),
      )
      return void response.writeHead(200, { ETag: `"${etag}"` }).end()
    }
    if (method === 'POST' && query.has('uploads')) {
      requireNewKey(key)
      await requireRoom(uploader.user_id, 1)
      return sendXml(response, 'InitiateMultipartUploadResult', [
        ...toKeyElements(key),
        ['UploadId', await store.createUpload(uploader, key)],
      ])
    }
    if (method === 'POST' && uploadId !== null) {
      const parts = parseParts(await readText(request))
      const etag = await store.completeUpload(key, uploadId, parts)
      return sendXml(response, 'CompleteMultipartUploadResult', [
        ['Location', `${LOCAL_ENDPOINT}/${LOCAL_BUCKET}/${key}`],
        ...toKeyElements(key),
        ['ETag', `"${etag}"`],
      ])
    }
    if (method === 'DELETE' && uploadId !== null) {
      await store.abortUpload(key, uploadId)
      return void response.writeHead(204).end()
    }
    if (method === 'GET' && uploadId !== null) {
      const after = Number(query.get('part-number-marker') ?? 0) || 0
      const parts = (await store.listParts(key, uploadId)).filter(({ number }) => number > after)
      return sendXml(response, 'ListPartsResult', [
        ...toKeyElements(key),
        ['UploadId', uploadId],
        ['IsTruncated', 'false'],
        ...parts.map(({ number, etag, size }): Element => [
          'Part',
          [
            ['PartNumber', String(number)],
            ['ETag', `"${etag}"`],
            ['Size', String(size)],
          ],
        ]),
      ])
    }
    throw new StoreError('AccessDenied')
  }

  /** Takes a request of the store; returns false for any other. */
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (!isStoreRequest(request)) return false
    const { url = '' } = request
    const respond = async (): Promise<void> => {
      const [path = '', query = ''] = url.split('?')
      const key = path.slice(`${LOCAL_ENDPOINT}/${LOCAL_BUCKET}/`.length)
      if (!path.startsWith(`${LOCAL_ENDPOINT}/${LOCAL_BUCKET}/`)) throw new StoreError('NoSuchBucket')
      const uploader = authenticate(request)
      if (!key.startsWith(toPrefix(uploader.user_id))) throw new StoreError('AccessDenied')
      const parameters = new URLSearchParams(query)
      if ([...parameters.keys()].some((name) => !KNOWN_PARAMETER.test(name)) || isUnsupported(request))
        throw new StoreError('InvalidRequest')
      await handle({ request, response, key, query: parameters, uploader })
    }
    respond().catch((error: unknown) => {
      if (!(error instanceof StoreError) && !request.errored && !request.destroyed)
        log.error({ err: toLoggedError(toAppError(error)) }, 'an upload failed')
      sendError(request, response, error)
    })
    return true
  }
}

/** Throws StoreError AccessDenied for a key of another day, so that nothing is put among older files. */
function requireNewKey(key: string): void {
  if (!isKeyOfToday(key, new Date())) throw new StoreError('AccessDenied')
}

/** Tells whether a request is for the store that comes with the server. */
export const isStoreRequest = ({ url = '' }: IncomingMessage): boolean => url.startsWith(`${LOCAL_ENDPOINT}/`)

const KNOWN_PARAMETER =
  /^(uploads|uploadId|partNumber|part-number-marker|max-parts|x-id|X-Amz-[\w-]+|x-amz-[\w-]+)$/

/** Tells whether a request copies another object, or has a body in signed chunks (`aws-chunked`), which no browser sends. */
const isUnsupported = ({ headers }: IncomingMessage): boolean =>
  headers['x-amz-copy-source'] !== undefined ||
  /aws-chunked/.test(headers['content-encoding'] ?? '') ||
  String(headers['x-amz-content-sha256'] ?? '').startsWith('STREAMING-')

function toSignable({ method = '', url = '', headers }: IncomingMessage): SignableRequest {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
  return { method, target: url, headers: Object.fromEntries(texts) }
}

function readExpectedBody({ headers }: IncomingMessage, maxBytes: number): ExpectedBody {
  if (headers['content-length'] === undefined) throw new StoreError('MissingContentLength')
  const md5 = headers['content-md5']
  const sha256 = headers['x-amz-content-sha256']
  return {
    max_bytes: maxBytes,
    length: Number(headers['content-length']),
    md5: md5 === undefined ? undefined : Buffer.from(String(md5), 'base64'),
    sha256: sha256 === undefined || sha256 === UNSIGNED_PAYLOAD ? undefined : String(sha256),
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_XML_BYTES) throw new StoreError('MalformedXML')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Reads the parts of a `CompleteMultipartUpload`: its elements come in any order, ETags with or without quotes. */
function parseParts(xml: string): { number: number; etag: string }[] {
  const parts = xml
    .split('<Part>', MAX_PARTS + 1)
    .slice(1)
    .map((part) => ({
      number: Number(/<PartNumber>\s*(\d{1,5})\s*<\/PartNumber>/.exec(part)?.[1]),
      etag: /<ETag>\s*(?:"|&quot;|&#34;)?([0-9a-f]{32})/.exec(part)?.[1] ?? '',
    }))
  if (!parts.length || parts.some(({ number, etag }) => !number || !etag))
    throw new StoreError('MalformedXML')
  return parts
}

type Element = [name: string, content: string | Element[]]

const toKeyElements = (key: string): Element[] => [
  ['Bucket', LOCAL_BUCKET],
  ['Key', key],
]

const toXml = ([name, content]: Element): string =>
  `<${name}>${typeof content === 'string' ? content.replace(/[<>&"]/g, (char) => `&#${char.charCodeAt(0)};`) : content.map(toXml).join('')}</${name}>`

function sendXml(response: ServerResponse, name: string, content: Element[], status = 200): void {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n${toXml([name, content])}`
  response
    .writeHead(status, { 'Content-Type': 'application/xml', 'Content-Length': Buffer.byteLength(body) })
    .end(body)
}

function sendError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return void response.destroy()
  // The rest of a body is not waited for.
  if (!request.complete) response.setHeader('Connection', 'close')
  if (!(error instanceof StoreError)) {
    return sendXml(response, 'Error', [['Code', 'InternalError']], 500)
  }
  const [status, message] = STORE_ERRORS[error.code]
  if (error.code === 'SlowDown') response.setHeader('Retry-After', '1')
  sendXml(
    response,
    'Error',
    [
      ['Code', error.code],
      ['Message', message],
    ],
    status,
  )
}
