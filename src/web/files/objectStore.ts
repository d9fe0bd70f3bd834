import { AwsClient } from 'aws4fetch'
import type { UploadCredential } from '#contract/files.ts'
import { ApiError, request } from '#web/core/api.ts'
import { uploadMessages } from '#contract/uploads.ts'

/** The store refused a request (`status`) or did not respond (0). */
export class StoreError extends Error {
  readonly status: number
  constructor(status: number) {
    super(uploadMessages.upload_failed)
    this.status = status
  }
}

/** A part that the store has received. */
export type StoredPart = { number: number; etag: string; size: number }

/** A credential that expires sooner is renewed, because a slice on a slow line takes minutes. */
const MIN_VALID_MS = 10 * 60_000

let credential: UploadCredential | null = null

async function getCredential(): Promise<UploadCredential> {
  if (!credential || credential.expire_time * 1000 - Date.now() < MIN_VALID_MS)
    credential = await request('GET /api/cos/credential', {}).catch((error: unknown) => {
      throw toCredentialError(error)
    })
  return credential
}

/** Keeps a refusal with the server's message; other failures get the specification's (section 8, Upload). */
function toCredentialError(error: unknown): unknown {
  if (!(error instanceof ApiError) || (error.status >= 400 && error.status < 500)) return error
  const { status, request_id } = error
  return new ApiError(status, {
    code: 'credential_failed',
    message: uploadMessages.credential_failed,
    request_id,
  })
}

/** Makes the next request fetch a new credential, because the store rejects this one. */
export const forgetCredential = (): void => {
  credential = null
}

/** The day in an object's path, like `2026-11-22`: the server's, since a browser's clock may be wrong. */
export const getUploadDay = async (): Promise<string> => (await getCredential()).day

/** The key of a path in the bucket, and the URL of the stored file. */
export async function locate(path: string): Promise<{ key: string; url: string }> {
  const { prefix, base_url } = await getCredential()
  return { key: prefix + path, url: `${base_url}${prefix}${path}` }
}

/** URL of a request to the store, signed in its query, so that the request needs no headers. */
async function sign(method: string, key: string, query: Record<string, string> = {}): Promise<string> {
  const { secret_id, secret_key, token, region, bucket_url } = await getCredential()
  const client = new AwsClient({
    accessKeyId: secret_id,
    secretAccessKey: secret_key,
    sessionToken: token,
    region,
    service: 's3',
  })
  const url = new URL(`${bucket_url}/${key}`, location.origin)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return (await client.sign(url.href, { method, aws: { signQuery: true } })).url
}

async function call(
  method: string,
  key: string,
  query: Record<string, string>,
  { body, signal }: { body?: string; signal?: AbortSignal } = {},
): Promise<Document> {
  const url = await sign(method, key, query)
  let text: string
  try {
    const response = await fetch(url, {
      method,
      ...(body ? { body } : {}),
      ...(signal ? { signal } : {}),
    })
    if (!response.ok) throw new StoreError(response.status)
    text = await response.text()
  } catch (cause) {
    if (signal?.aborted || cause instanceof StoreError) throw cause
    throw new StoreError(0)
  }
  const xml = new DOMParser().parseFromString(text, 'text/xml')
  // S3 may report a failure after the status 200 (CompleteMultipartUpload).
  if (xml.documentElement.localName === 'Error') throw new StoreError(500)
  return xml
}

const readText = (node: Document | Element, name: string): string =>
  node.getElementsByTagName(name)[0]?.textContent ?? ''

type PutOptions = { signal: AbortSignal; onProgress: (bytes: number) => void }

/** Sends bytes with progress, which `fetch` does not report. Returns the ETag. */
async function putBlob(url: string, body: Blob, { signal, onProgress }: PutOptions): Promise<string> {
  signal.throwIfAborted()
  return new Promise<string>((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    const abort = () => xhr.abort()
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', abort)
      settle()
    }
    signal.addEventListener('abort', abort)
    xhr.open('PUT', url)
    xhr.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    xhr.addEventListener('load', () => {
      const isDone = xhr.status >= 200 && xhr.status < 300
      end(() => (isDone ? resolve(xhr.getResponseHeader('ETag') ?? '') : reject(new StoreError(xhr.status))))
    })
    xhr.addEventListener('error', () => end(() => reject(new StoreError(0))))
    xhr.addEventListener('abort', () => end(() => reject(signal.reason as Error)))
    xhr.send(body)
  })
}

/** The part of S3's interface that uploads need. All functions throw StoreError, and ApiError without a credential. */
export const objectStore = {
  putObject: async (key: string, body: Blob, options: PutOptions): Promise<string> =>
    putBlob(await sign('PUT', key), body, options),

  /** Returns the upload's id. */
  async createUpload(key: string, signal: AbortSignal): Promise<string> {
    return readText(await call('POST', key, { uploads: '' }, { signal }), 'UploadId')
  },

  putPart: async (
    { key, upload_id, number }: { key: string; upload_id: string; number: number },
    body: Blob,
    options: PutOptions,
  ): Promise<string> =>
    putBlob(await sign('PUT', key, { partNumber: String(number), uploadId: upload_id }), body, options),

  /** The parts that the store has received; those of 1 GB in slices of 50 MB fit into one response. */
  async listParts(key: string, uploadId: string, signal: AbortSignal): Promise<StoredPart[]> {
    const xml = await call('GET', key, { uploadId: uploadId }, { signal })
    return [...xml.getElementsByTagName('Part')].map((part) => ({
      number: Number(readText(part, 'PartNumber')),
      etag: readText(part, 'ETag'),
      size: Number(readText(part, 'Size')),
    }))
  },

  async completeUpload(
    key: string,
    uploadId: string,
    etags: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const parts = etags.map((etag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${etag}</ETag></Part>`)
    const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
    await call('POST', key, { uploadId: uploadId }, { body, signal })
  },

  abortUpload: async (key: string, uploadId: string): Promise<void> =>
    void (await call('DELETE', key, { uploadId: uploadId })),
}

/**
 * Tells whether another try may help: nobody responded, or the server has a temporary failure. A missing credential is reported
 * at once, unless the browser has no network.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof ApiError && error.code === 'credential_failed') return !navigator.onLine
  return (
    (error instanceof StoreError || error instanceof ApiError) && (error.status === 0 || error.status >= 500)
  )
}
