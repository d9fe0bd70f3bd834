import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it came. */
export type StoreRequest = {
  method: string
  url: string
  authorization: string
  body: string
  headers: IncomingMessage['headers']
}
type StoredObject = { content: Buffer; etag: string; modified: Date; encoding: string | undefined }
export type S3Double = Awaited<ReturnType<typeof startS3Double>>

const BUCKET = 'bucket-125'
const PAGE = 2

/**
 * Starts a store elsewhere that speaks S3, with its token service. It refuses as Amazon's does: GetObject with `If-Match` of
 * another version 412, a range beyond the object 416, CopyObject of a missing object 404, `Content-MD5` of other bytes 400
 * BadDigest (https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html, API_CopyObject.html, API_PutObject.html; 27
 * November 2026); lists come in pages.
 */
export async function startS3Double() {
  const objects = new Map<string, StoredObject>()
  const double = {
    url: '',
    requests: [] as StoreRequest[],
    keys: (): string[] => [...objects.keys()],
    get: (key: string): Buffer | undefined => objects.get(key)?.content,
    /** Puts bytes as the owner of the bucket, or the holder of a credential for the key, does. */
    set(key: string, content: Buffer, encoding?: string): void {
      const etag = `"${createHash('md5').update(content).digest('hex')}"`
      objects.set(key, { content, etag, modified: new Date(), encoding })
    },
    clear: (): void => objects.clear(),
    /** An object is gone once it has been read. */
    is_read_once: false,
    /** Changes the bytes of an object on their way out; its headers stay. */
    distort: null as ((bytes: Buffer, key: string) => Buffer) | null,
    /** Requests of objects get 503 SlowDown or no answer; `cut` ends them in the middle of a body. */
    trouble: null as 'busy' | 'refuse' | 'cut' | null,
    sts: null as ((body: string, response: ServerResponse) => void) | null,
    close(): void {
      server.closeAllConnections()
      server.close()
    },
  }

  const refuse = (response: ServerResponse, status: number, code: string): void =>
    void response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)

  const list = (query: URLSearchParams, response: ServerResponse): void => {
    const keys = double.keys().filter((key) => key.startsWith(query.get('prefix') ?? ''))
    const from = Number(query.get('continuation-token') ?? 0)
    const entries = keys.slice(from, from + PAGE).map((key) => {
      const { content, modified } = objects.get(key)!
      return `<Contents><Key>${key}</Key><LastModified>${modified.toISOString()}</LastModified><Size>${content.length}</Size></Contents>`
    })
    const next =
      from + PAGE < keys.length ? `<NextContinuationToken>${from + PAGE}</NextContinuationToken>` : ''
    response.end(`<ListBucketResult>${entries.join('')}${next}</ListBucketResult>`)
  }

  const put = (
    key: string,
    content: Buffer,
    { headers }: Pick<StoreRequest, 'headers'>,
    response: ServerResponse,
  ): void => {
    const source = headers['x-amz-copy-source']
    if (source !== undefined) {
      const from = objects.get(decodeURIComponent(String(source)).replace(`/${BUCKET}/`, ''))
      if (!from) return refuse(response, 404, 'NoSuchKey')
      const isReplaced = headers['x-amz-metadata-directive'] === 'REPLACE'
      double.set(key, from.content, isReplaced ? undefined : from.encoding)
      return void response.end(
        `<CopyObjectResult><ETag>&quot;${from.etag.slice(1, -1)}&quot;</ETag></CopyObjectResult>`,
      )
    }
    const md5 = createHash('md5').update(content).digest('base64')
    if (headers['content-md5'] !== undefined && headers['content-md5'] !== md5)
      return refuse(response, 400, 'BadDigest')
    double.set(key, content, headers['content-encoding'])
    response.writeHead(200, { ETag: objects.get(key)!.etag }).end()
  }

  const give = (key: string, { method, headers }: StoreRequest, response: ServerResponse): void => {
    const object = objects.get(key)
    if (!object) return refuse(response, 404, 'NoSuchKey')
    const { content, etag, modified, encoding } = object
    if (headers['if-match'] !== undefined && headers['if-match'] !== etag)
      return refuse(response, 412, 'PreconditionFailed')
    const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '')
    if (range && Number(range[1]) >= content.length) return refuse(response, 416, 'InvalidRange')
    if (double.is_read_once && method === 'GET') objects.delete(key)
    const bytes = range ? content.subarray(Number(range[1]), Number(range[2]) + 1) : content
    response.writeHead(range ? 206 : 200, {
      ETag: etag,
      'Last-Modified': modified.toUTCString(),
      ...(encoding ? { 'Content-Encoding': encoding } : {}),
      // Where other bytes are to come, only HEAD states a length.
      ...(double.distort && method === 'GET' ? {} : { 'Content-Length': bytes.length }),
    })
    if (double.trouble === 'cut' && method === 'GET')
      return void response.write(bytes.subarray(0, 1), () => response.destroy())
    response.end(method === 'HEAD' ? '' : (double.distort?.(bytes, key) ?? bytes))
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const content = Buffer.concat(chunks)
    const { method = '', url = '', headers } = request
    const one = {
      method,
      url,
      authorization: headers.authorization ?? '',
      body: content.toString(),
      headers,
    }
    double.requests.push(one)
    if (url === '/' && method === 'POST') return double.sts!(one.body, response)
    if (double.trouble === 'busy') return refuse(response, 503, 'SlowDown')
    if (double.trouble === 'refuse') return void response.destroy()
    const [path = '', query = ''] = url.split('?')
    if (query.includes('list-type=2')) return list(new URLSearchParams(query), response)
    const key = decodeURIComponent(path).replace(`/${BUCKET}/`, '')
    if (method === 'PUT') return put(key, content, one, response)
    if (method !== 'DELETE') return give(key, one, response)
    objects.delete(key)
    response.writeHead(204).end()
  }

  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  double.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return double
}

/** The environment of an app whose files lie in the double. */
export const toS3Environment = ({ url }: S3Double): Record<string, string> => ({
  S3_ENDPOINT: url,
  S3_BUCKET: BUCKET,
  S3_REGION: 'cn-north-1',
  S3_ACCESS_KEY_ID: 'server-key',
  S3_SECRET_ACCESS_KEY: 'server-secret',
})

/** Answers as AssumeRole does. */
export const assumeRole = (_: string, response: ServerResponse): unknown =>
  response.end(
    '<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>temporary</AccessKeyId><SecretAccessKey>temporary-secret</SecretAccessKey><SessionToken>temporary-token</SessionToken><Expiration>2026-11-22T10:30:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>',
  )
