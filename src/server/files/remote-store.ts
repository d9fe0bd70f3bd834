import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AppError } from '#server/core/app-error.ts'
import type { StoreConfig } from '#server/core/config.ts'
import { requestTemporaryKeys } from './temporary-keys.ts'
import { isPictureKey, PICTURE_PREFIX, toPrefix } from './object-store.ts'
import type { ByteRange, ObjectStore } from './object-store.ts'
import { encodeUri, signRequest } from './sigv4.ts'

type RemoteConfig = Exclude<StoreConfig, { kind: 'local' }>
const TIMEOUT_MS = 30_000

/**
 * A store elsewhere that speaks S3, Tencent COS too. Browsers put into it by themselves with keys that its STS makes; the
 * server reads, deletes and lists with its own.
 */
export function createRemoteStore(config: RemoteConfig): ObjectStore {
  const { endpoint, bucket, region, path_style } = config
  const base = new URL(endpoint)
  if (!path_style) base.host = `${bucket}.${base.host}`

  const send = async (
    method: string,
    key: string,
    {
      query = '',
      headers = {},
      body,
    }: { query?: string; headers?: Record<string, string>; body?: Uint8Array } = {},
  ): Promise<Response> => {
    const path = [...(path_style ? [bucket] : []), ...(key ? key.split('/').map(encodeUri) : [])].join('/')
    const url = new URL(`/${path}${query && `?${query}`}`, base)
    const signed = signRequest(config, { region, service: 's3', now: new Date() }, { method, url, headers })
    const response = await fetch(url, {
      method,
      headers: signed,
      redirect: 'error',
      ...(body ? { body: Buffer.from(body) } : {}),
      // A body that is being read may take longer.
      ...(method === 'GET' && key ? {} : { signal: AbortSignal.timeout(TIMEOUT_MS) }),
    })
    if (response.ok || response.status === 404) return response
    await response.body?.cancel()
    throw new Error(`the store answered ${method} with status ${response.status}`)
  }

  return {
    origin: base.origin,

    async createCredential({ user_id }) {
      const prefix = toPrefix(user_id)
      try {
        const keys = await requestTemporaryKeys(config, prefix)
        const bucket_url = path_style ? `${base.origin}/${bucket}` : base.origin
        return { ...keys, endpoint, bucket, bucket_url, region, prefix }
      } catch (cause) {
        throw new AppError('credential_failed', { cause })
      }
    },

    async getSize(key) {
      const response = await send('HEAD', key)
      return response.ok ? Number(response.headers.get('Content-Length')) : null
    },

    async read(key, range?: ByteRange) {
      const headers = range ? { range: `bytes=${range.start}-${range.end}` } : undefined
      const response = await send('GET', key, headers ? { headers } : {})
      if (!response.ok || !response.body) throw new Error('no such object')
      // Of the two types of web streams that Node has, `fetch` answers with the other one.
      const body: unknown = response.body
      return Readable.fromWeb(body as ReadableStream)
    },

    getPath: () => null,

    async put(key, bytes) {
      await (await send('PUT', key, { body: bytes })).body?.cancel()
    },

    async delete(key) {
      await (await send('DELETE', key)).body?.cancel()
    },

    async *listOlder(than) {
      for (const prefix of ['u/', PICTURE_PREFIX]) {
        let token: string | undefined
        do {
          const query = new URLSearchParams({ 'list-type': '2', prefix })
          if (token) query.set('continuation-token', token)
          const xml = await (await send('GET', '', { query: query.toString() })).text()
          yield [...xml.matchAll(/<Contents>([^]*?)<\/Contents>/g)]
            .map(([, entry = '']) => ({
              key: readElement(entry, 'Key'),
              at: readElement(entry, 'LastModified'),
            }))
            // A name as short as that of the pictures others may have in the bucket too.
            .filter(({ key, at }) => (key.startsWith('u/') || isPictureKey(key)) && new Date(at) < than)
            .map(({ key }) => key)
          token = readElement(xml, 'NextContinuationToken') || undefined
        } while (token)
      }
    },

    // A lifecycle rule of the bucket does it (AbortIncompleteMultipartUpload).
    async sweepUploads() {},
  }
}

export function readElement(xml: string, name: string): string {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => entities[entity]!)
}
