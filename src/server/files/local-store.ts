import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseJsonObject } from '#server/core/json.ts'
import { moveDurably, placeOnce } from './durable-files.ts'
import { CREDENTIAL_SECONDS, getMd5OfKey, isObjectKey, isSealedKey, toPrefix } from './object-store.ts'
import type { ObjectStore, Uploader } from './object-store.ts'

/** Endpoint, bucket and region of the store that comes with the server. */
export const LOCAL_ENDPOINT = '/s3'
export const LOCAL_BUCKET = 'wenqu'
export const LOCAL_REGION = 'local'

/** Most open uploads of one person: more are no use, and each takes room. */
const MAX_OPEN_UPLOADS = 20

/** An error of an upload, with S3's name for it. */
export class StoreError extends Error {
  readonly code: keyof typeof STORE_ERRORS
  constructor(code: keyof typeof STORE_ERRORS) {
    super(STORE_ERRORS[code][1])
    this.code = code
  }
}
export const STORE_ERRORS = {
  AccessDenied: [403, 'Access Denied'],
  SignatureDoesNotMatch: [403, 'The request signature does not match'],
  ExpiredToken: [400, 'The provided token has expired'],
  InvalidRequest: [400, 'The request is not supported'],
  InvalidPart: [400, 'A part could not be found, or has another ETag'],
  InvalidPartOrder: [400, 'The parts are not in ascending order'],
  EntityTooSmall: [400, 'A part that is not the last is smaller than 5 MB'],
  EntityTooLarge: [400, 'The file is larger than its owner may upload'],
  BadDigest: [400, 'The body is not what its checksum says'],
  IncompleteBody: [400, 'The body ended before its declared length'],
  MalformedXML: [400, 'The XML is not well-formed'],
  QuotaExceeded: [403, 'Too much was uploaded that is not saved yet, or there is no room for more files'],
  NoSuchUpload: [404, 'The upload does not exist'],
  NoSuchBucket: [404, 'The bucket does not exist'],
  MethodNotAllowed: [405, 'The method is not allowed'],
  MissingContentLength: [411, 'Content-Length is missing'],
  PreconditionFailed: [412, 'Another object has this name'],
  SlowDown: [503, 'Too many uploads, try again later'],
} as const satisfies Record<string, readonly [status: number, message: string]>

type PartInfo = { number: number; etag: string; size: number }
type Upload = { dir: string; key: string }
/** Limits of a body, and its declared length and digests. */
export type ExpectedBody = {
  max_bytes: number
  length: number
  md5?: Buffer | undefined
  sha256?: string | undefined
}

export type LocalStore = ObjectStore & {
  /** Returns a credential's secret key and owner; null for one that the server did not make. Throws StoreError ExpiredToken. */
  openCredential(secretId: string, token: string): { secret_key: string; uploader: Uploader } | null
  putObject(key: string, body: AsyncIterable<Buffer>, expected: ExpectedBody): Promise<string>
  createUpload(uploader: Uploader, key: string): Promise<string>
  putPart(
    key: string,
    uploadId: string,
    number: number,
    body: AsyncIterable<Buffer>,
    expected: ExpectedBody,
  ): Promise<string>
  listParts(key: string, uploadId: string): Promise<PartInfo[]>
  completeUpload(key: string, uploadId: string, parts: { number: number; etag: string }[]): Promise<string>
  abortUpload(key: string, uploadId: string): Promise<void>
}

/** Least size of a part that is not the last, as in every store that speaks S3. */
const MIN_PART_BYTES = 5 * 1024 * 1024

/**
 * Creates a store of files in a folder. An acknowledged file is complete and on the disk, since it is written beside its place,
 * synced and then renamed. Credentials are not stored: their token says whose they are, and only the server can have made it.
 */
export function createLocalStore(folder: string, appSecret: string): LocalStore {
  const objects = join(folder, 'objects')
  const uploads = join(folder, 'uploads')
  const incoming = join(folder, 'incoming')
  const toPath = (key: string): string => {
    if (!isObjectKey(key)) throw new StoreError('AccessDenied')
    return join(objects, key)
  }
  const sign = (...parts: string[]): string =>
    createHmac('sha256', appSecret).update(parts.join('\n')).digest('base64url')

  /** Writes a body beside its place, to which `place` then moves it, so that each file in its place is complete. */
  const receive = async (
    body: AsyncIterable<Buffer>,
    { max_bytes, length, md5, sha256 }: ExpectedBody,
    place: (temporary: string, etag: string, size: number) => Promise<void>,
  ): Promise<string> => {
    if (length > max_bytes) throw new StoreError('EntityTooLarge')
    await mkdir(incoming, { recursive: true })
    const temporary = join(incoming, randomBytes(16).toString('hex'))
    const file = await open(temporary, 'wx', 0o600)
    try {
      const [digest, payload] = [createHash('md5'), createHash('sha256')]
      let size = 0
      for await (const chunk of body) {
        size += chunk.length
        if (size > max_bytes) throw new StoreError('EntityTooLarge')
        digest.update(chunk)
        if (sha256 !== undefined) payload.update(chunk)
        await file.writeFile(chunk)
      }
      if (size !== length) throw new StoreError('IncompleteBody')
      const actualMd5 = digest.digest()
      if (md5 && !md5.equals(actualMd5)) throw new StoreError('BadDigest')
      if (sha256 !== undefined && payload.digest('hex') !== sha256) throw new StoreError('BadDigest')
      await file.sync()
      const etag = actualMd5.toString('hex')
      await place(temporary, etag, size)
      return etag
    } finally {
      await file.close()
      await rm(temporary, { force: true })
    }
  }

  /**
   * Gives an object its place, once: one with the MD5 of its name stays for ever. Throws StoreError BadDigest for bytes without
   * the MD5 of the name, PreconditionFailed where other bytes of that MD5 are there.
   */
  const placeObject = async (key: string, temporary: string, md5: string): Promise<void> => {
    const nameMd5 = getMd5OfKey(key)
    if (nameMd5 !== undefined && nameMd5 !== md5) throw new StoreError('BadDigest')
    if (!(await placeOnce(temporary, toPath(key), md5))) throw new StoreError('PreconditionFailed')
  }

  const openUpload = async (key: string, uploadId: string): Promise<Upload> => {
    const [, userId] = key.split('/')
    if (!/^[0-9a-f]{32}$/.test(uploadId) || !isObjectKey(key)) throw new StoreError('NoSuchUpload')
    const dir = join(uploads, userId!, uploadId)
    const storedKey = await readFile(join(dir, 'key'), 'utf8').catch(() => null)
    if (storedKey !== key) throw new StoreError('NoSuchUpload')
    return { dir, key }
  }

  const readParts = async (dir: string): Promise<PartInfo[]> =>
    (await readdir(dir).catch(() => []))
      .map((name) => /^(\d{5})-([0-9a-f]{32})-(\d+)$/.exec(name))
      .filter((match) => match !== null)
      .map(([, number, etag, size]) => ({ number: Number(number), etag: etag!, size: Number(size) }))
      .sort((a, b) => a.number - b.number)

  const toPartName = ({ number, etag, size }: PartInfo): string =>
    `${String(number).padStart(5, '0')}-${etag}-${size}`

  return {
    origin: null,

    async createCredential({ user_id, max_bytes }) {
      const expireTime = Math.floor(Date.now() / 1000) + CREDENTIAL_SECONDS
      const claims = Buffer.from(JSON.stringify({ user_id, max_bytes, expire_time: expireTime })).toString(
        'base64url',
      )
      const token = `${claims}.${sign('upload token', claims)}`
      return {
        secret_id: `WQ${sign('upload id', token).replace(/[-_]/g, '').slice(0, 18).toUpperCase()}`,
        secret_key: sign('upload key', token),
        token,
        expire_time: expireTime,
        endpoint: LOCAL_ENDPOINT,
        bucket: LOCAL_BUCKET,
        bucket_url: `${LOCAL_ENDPOINT}/${LOCAL_BUCKET}`,
        region: LOCAL_REGION,
        prefix: toPrefix(user_id),
      }
    },

    openCredential(_secret_id, token) {
      const [claims = '', mac = ''] = token.split('.')
      const expected = Buffer.from(sign('upload token', claims))
      if (mac.length !== expected.length || !timingSafeEqual(Buffer.from(mac), expected)) return null
      const { user_id, max_bytes, expire_time } = parseJsonObject(
        Buffer.from(claims, 'base64url').toString(),
      ) as Uploader & { expire_time: number }
      if (expire_time * 1000 < Date.now()) throw new StoreError('ExpiredToken')
      return { secret_key: sign('upload key', token), uploader: { user_id, max_bytes } }
    },

    getSize: (key) =>
      stat(toPath(key)).then(
        ({ size }) => size,
        () => null,
      ),

    async open(key) {
      const file = await open(toPath(key)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      })
      if (!file) return null
      const { size, ino, mtimeNs, ctimeNs } = await file.stat({ bigint: true })
      return {
        size: Number(size),
        version: [ino, size, mtimeNs, ctimeNs].join('-'),
        // The file stays open between two readings, so that both are of the same file.
        read: async (range) =>
          file.createReadStream({ autoClose: false, highWaterMark: 256 * 1024, ...range }),
        close: () => file.close(),
      }
    },

    // Each object here has the MD5 of its name, and is never written over.
    seal: (key) =>
      stat(toPath(key)).then(
        () => key,
        () => null,
      ),

    getPath: toPath,

    async put(key, bytes) {
      const body = [Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)]
      const expected = { max_bytes: bytes.byteLength, length: bytes.byteLength }
      await receive(toAsync(body), expected, (temporary, md5) => placeObject(key, temporary, md5))
    },

    async delete(key) {
      const path = toPath(key)
      await rm(path, { force: true })
      // A sealed file is alone in its folder.
      if (isSealedKey(key)) await rmdir(dirname(path)).catch(() => {})
    },

    putObject: (key, body, expected) =>
      receive(body, expected, (temporary, md5) => placeObject(key, temporary, md5)),

    async createUpload({ user_id }, key) {
      if (!isObjectKey(key)) throw new StoreError('AccessDenied')
      const userUploads = join(uploads, user_id)
      await mkdir(userUploads, { recursive: true })
      if ((await readdir(userUploads)).length >= MAX_OPEN_UPLOADS) throw new StoreError('SlowDown')
      const uploadId = randomBytes(16).toString('hex')
      await mkdir(join(userUploads, uploadId))
      await writeFile(join(userUploads, uploadId, 'key'), key)
      return uploadId
    },

    async putPart(key, uploadId, number, body, expected) {
      const upload = await openUpload(key, uploadId)
      const others = (await readParts(upload.dir)).filter((part) => part.number !== number)
      const otherBytes = others.reduce((sum, { size }) => sum + size, 0)
      const maxBytes = expected.max_bytes - otherBytes
      return receive(body, { ...expected, max_bytes: maxBytes }, async (temporary, etag, size) => {
        const older = (await readParts(upload.dir)).filter((part) => part.number === number)
        // A part that is sent again replaces the one before.
        for (const part of older) await rm(join(upload.dir, toPartName(part)), { force: true })
        await moveDurably(temporary, join(upload.dir, toPartName({ number, etag, size })))
      })
    },

    listParts: async (key, uploadId) => readParts((await openUpload(key, uploadId)).dir),

    async completeUpload(key, uploadId, parts) {
      const upload = await openUpload(key, uploadId)
      const partsByNumber = new Map((await readParts(upload.dir)).map((part) => [part.number, part]))
      const uploadedParts = parts.map(({ number, etag }, at) => {
        const part = partsByNumber.get(number)
        if (at > 0 && number <= parts[at - 1]!.number) throw new StoreError('InvalidPartOrder')
        if (!part || part.etag !== etag) throw new StoreError('InvalidPart')
        if (at < parts.length - 1 && part.size < MIN_PART_BYTES) throw new StoreError('EntityTooSmall')
        return part
      })
      if (!uploadedParts.length) throw new StoreError('MalformedXML')
      await mkdir(incoming, { recursive: true })
      const temporary = join(incoming, randomBytes(16).toString('hex'))
      const file = await open(temporary, 'wx', 0o600)
      try {
        const md5 = createHash('md5')
        for (const part of uploadedParts) await append(file, join(upload.dir, toPartName(part)), md5)
        await file.sync()
        await placeObject(key, temporary, md5.digest('hex'))
      } catch (error) {
        // Parts that do not make the declared file are of no use.
        if (error instanceof StoreError) await rm(upload.dir, { recursive: true, force: true })
        throw error
      } finally {
        await file.close()
        await rm(temporary, { force: true })
      }
      await rm(upload.dir, { recursive: true, force: true })
      const digests = Buffer.from(uploadedParts.map(({ etag }) => etag).join(''), 'hex')
      return `${createHash('md5').update(digests).digest('hex')}-${uploadedParts.length}`
    },

    async abortUpload(key, uploadId) {
      await rm((await openUpload(key, uploadId)).dir, { recursive: true, force: true })
    },

    async listUploads(userId, days) {
      const folders = days.flatMap((day) =>
        ['image', 'file'].map((kind) => `${toPrefix(userId)}${kind}/${day.replaceAll('-', '/')}`),
      )
      const entries: { key: string; size: number }[] = []
      for (const folder of folders) {
        for (const name of await readdir(join(objects, folder)).catch(() => [])) {
          const size = (await stat(join(objects, folder, name)).catch(() => null))?.size
          if (size !== undefined) entries.push({ key: `${folder}/${name}`, size })
        }
      }
      for (const uploadId of await readdir(join(uploads, userId)).catch(() => [])) {
        const parts = await readParts(join(uploads, userId, uploadId))
        entries.push({ key: uploadId, size: parts.reduce((sum, { size }) => sum + size, 0) })
      }
      return entries
    },

    async *listOlder(than) {
      const names = await readdir(objects, { recursive: true }).catch(() => [])
      for (let at = 0; at < names.length; at += 500) {
        const keys: string[] = []
        for (const key of names.slice(at, at + 500)) {
          const modified = isObjectKey(key) && (await stat(toPath(key)).catch(() => null))?.mtime
          if (modified && modified < than) keys.push(key)
        }
        yield keys
      }
    },

    async sweepUploads(before) {
      await removeOlder(incoming, before)
      for (const userId of await readdir(uploads).catch(() => []))
        await removeOlder(join(uploads, userId), before)
    },
  }
}

/** Removes the entries of a folder that were last modified before a moment. */
export async function removeOlder(dir: string, before: Date): Promise<void> {
  for (const name of await readdir(dir).catch(() => [])) {
    const path = join(dir, name)
    const modified = (await stat(path).catch(() => null))?.mtime
    if (modified && modified < before) await rm(path, { recursive: true, force: true })
  }
}

async function* toAsync(chunks: Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks
}

async function append(file: FileHandle, path: string, md5: Hash): Promise<void> {
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    md5.update(chunk)
    await file.writeFile(chunk)
  }
}
