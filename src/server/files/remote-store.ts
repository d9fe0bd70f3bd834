import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import { AppError } from '#server/core/app-error.ts'
import type { StoreConfig } from '#server/core/config.ts'
import { requestTemporaryKeys } from './temporary-keys.ts'
import { isObjectKey, PICTURE_PREFIX, SEALED_PREFIX, toPrefix } from './object-store.ts'
import type { ObjectStore } from './object-store.ts'
import { encodeUri } from './sigv4.ts'

type RemoteConfig = Exclude<StoreConfig, { kind: 'local' }>
const TIMEOUT_MS = 30_000
/** Time for the store to copy 1 GB within itself. */
const COPY_TIMEOUT_MS = 300_000

/**
 * Creates the client of a store elsewhere that speaks S3, Tencent COS too. Browsers put into it by themselves with keys that its
 * STS makes; the server reads, deletes and lists with its own.
 */
export function createRemoteStore(config: RemoteConfig): ObjectStore {
  const { endpoint, bucket, region, path_style, secret_id, secret_key } = config
  const base = new URL(endpoint)
  if (!path_style) base.host = `${bucket}.${base.host}`
  const keys = { accessKeyId: secret_id, secretAccessKey: secret_key }
  const client = new AwsClient({ ...keys, region, service: 's3', retries: 0 })

  /** Throws AppError storage_unavailable for every failure but a missing or another object (404, 412). */
  const send = async (
    method: string,
    key: string,
    {
      query = '',
      headers = {},
      body,
      timeout_ms = TIMEOUT_MS,
    }: { query?: string; headers?: Record<string, string>; body?: Uint8Array; timeout_ms?: number } = {},
  ): Promise<Response> => {
    const path = [...(path_style ? [bucket] : []), ...(key ? key.split('/').map(encodeUri) : [])].join('/')
    const url = new URL(`/${path}${query && `?${query}`}`, base)
    const sending = client.fetch(url, {
      method,
      headers,
      aws: { allHeaders: true },
      redirect: 'error',
      ...(body ? { body: Buffer.from(body) } : {}),
      // A body that is being read may take longer.
      ...(method === 'GET' && key ? {} : { signal: AbortSignal.timeout(timeout_ms) }),
    })
    const response = await sending.catch((cause: unknown) => {
      throw new AppError('storage_unavailable', { cause })
    })
    if (response.ok || response.status === 404 || response.status === 412) return response
    await response.body?.cancel()
    const cause = new Error(`the store answered ${method} with status ${response.status}`)
    throw new AppError('storage_unavailable', { cause })
  }

  /** Lists objects by the prefix of their keys, a page at a time. */
  async function* listObjects(prefix: string): AsyncGenerator<{ key: string; size: number; at: Date }[]> {
    let token: string | undefined
    do {
      const query = new URLSearchParams({ 'list-type': '2', prefix })
      if (token) query.set('continuation-token', token)
      const xml = await (await send('GET', '', { query: query.toString() })).text()
      yield [...xml.matchAll(/<Contents>([^]*?)<\/Contents>/g)].map(([, entry = '']) => ({
        key: readElement(entry, 'Key'),
        size: Number(readElement(entry, 'Size')),
        at: new Date(readElement(entry, 'LastModified')),
      }))
      token = readElement(xml, 'NextContinuationToken') || undefined
    } while (token)
  }

  return {
    origin: base.origin,

    async createCredential({ user_id }) {
      const prefix = toPrefix(user_id)
      try {
        const keys = await requestTemporaryKeys(config, prefix)
        const bucketUrl = path_style ? `${base.origin}/${bucket}` : base.origin
        return { ...keys, endpoint, bucket, bucket_url: bucketUrl, region, prefix }
      } catch (cause) {
        throw new AppError('credential_failed', { cause })
      }
    },

    async getSize(key) {
      const response = await send('HEAD', key)
      return response.ok ? Number(response.headers.get('Content-Length')) : null
    },

    async open(key) {
      const head = await send('HEAD', key)
      if (!head.ok) return null
      const etag = head.headers.get('ETag') ?? ''
      return {
        size: Number(head.headers.get('Content-Length')),
        version: `${etag} ${head.headers.get('Last-Modified') ?? ''}`,
        async read({ start, end }) {
          // The store refuses, with 412, where another object has replaced this one.
          const headers = { range: `bytes=${start}-${end}`, ...(etag ? { 'if-match': etag } : {}) }
          const response = await send('GET', key, { headers })
          if (!response.ok || !response.body) throw new Error('no such object')
          // Node has two types of web streams; `fetch` answers with the other one.
          const body: unknown = response.body
          return Readable.fromWeb(body as ReadableStream)
        },
        close: async () => {},
      }
    },

    /**
     * Copies an upload, since its owner's credential can still overwrite it, and the store does not check the MD5 in its name.
     * https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html copies the object of one moment, 5 GB at most.
     */
    async seal(key, sealedKey) {
      const source = `/${bucket}/${key.split('/').map(encodeUri).join('/')}`
      // Metadata that its owner has set, such as a Content-Encoding, stays behind.
      const headers = { 'x-amz-copy-source': source, 'x-amz-metadata-directive': 'REPLACE' }
      const response = await send('PUT', sealedKey, { headers, timeout_ms: COPY_TIMEOUT_MS })
      const answer = await response.text()
      if (!response.ok) return null
      // The store may fail after it has answered 200.
      if (answer.includes('<Error>'))
        throw new AppError('storage_unavailable', { cause: new Error('the store could not copy an object') })
      return sealedKey
    },

    async listUploads(userId, days) {
      const prefixes = days.flatMap((day) =>
        ['image', 'file'].map((kind) => `${toPrefix(userId)}${kind}/${day.replaceAll('-', '/')}/`),
      )
      const listPrefix = async (prefix: string) => (await Array.fromAsync(listObjects(prefix))).flat()
      return (await Promise.all(prefixes.map(listPrefix))).flat()
    },

    getPath: () => null,

    async put(key, bytes) {
      await (await send('PUT', key, { body: bytes })).body?.cancel()
    },

    async delete(key) {
      await (await send('DELETE', key)).body?.cancel()
    },

    async *listOlder(than) {
      for (const prefix of ['u/', SEALED_PREFIX, PICTURE_PREFIX]) {
        for await (const page of listObjects(prefix)) {
          yield page
            // Others may have names in the bucket that begin like those of sealed files and of pictures.
            .filter(({ key, at }) => (key.startsWith('u/') || isObjectKey(key)) && at < than)
            .map(({ key }) => key)
        }
      }
    },

    // A lifecycle rule of the bucket removes them (AbortIncompleteMultipartUpload).
    async sweepUploads() {},
  }
}

function readElement(xml: string, name: string): string {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => entities[entity]!)
}
