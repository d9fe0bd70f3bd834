import type { Context } from 'hono'
import type { fileCalls } from '#contract/files.ts'
import { AppError } from '#server/core/app-error.ts'
import type { App, Handlers, VisitorResolver } from '#server/core/http.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import type { FileRow, Files } from './files.ts'
import { FILES_URL } from './object-store.ts'
import type { ByteRange } from './object-store.ts'
import { PICTURES_URL } from './pictures.ts'

/** Limit for credentials of one user; one is enough for half an hour. */
const CREDENTIAL_LIMIT = { points: 60, seconds: 60 }

export function fileRoutes(files: Files): Handlers<typeof fileCalls> {
  const limit = createRateLimit(CREDENTIAL_LIMIT)
  return {
    'GET /api/cos/credential': async (_, { visitor }) => {
      await limit(visitor.user_id)
      return files.createCredential(visitor.user_id)
    },

    'GET /api/user/storage': (_, { visitor }) => files.getUse(visitor.user_id),
  }
}

/** Types that are shown in place; all others are offered for saving, since a browser would run them. */
const SHOWN_TYPES = /^(image\/(png|jpeg|gif|webp|avif|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+|application\/pdf)$/
/** A file never runs in our origin, whatever it is: no scripts, no forms, no frames, a document without an origin. */
const FILE_CSP = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; sandbox"

/** Serves files to their owner, with ranges. Another person's file answers like a missing one. */
export function mountFiles(app: App, files: Files, identify: VisitorResolver): void {
  app.get(`${FILES_URL}*`, async (c) => {
    const headers = new Headers()
    const visitor = await identify.resolveVisitor(c.req.raw, headers)
    const key = c.req.path.slice(FILES_URL.length)
    const file = visitor && (await files.find(visitor.user_id, key))
    if (!file) throw new AppError('not_found')
    setFileHeaders(headers, file, c.req.query('download') !== undefined)
    const isKnown = c.req.header('If-None-Match') === headers.get('ETag')
    if (isKnown) return new Response(null, { status: 304, headers })
    const range = readRange(c, file)
    if (range === 'unsatisfiable') {
      headers.set('Content-Range', `bytes */${file.size}`)
      return new Response(null, { status: 416, headers })
    }
    const { start, end } = range ?? { start: 0, end: file.size - 1 }
    headers.set('Content-Length', String(end - start + 1))
    if (range) headers.set('Content-Range', `bytes ${start}-${end}/${file.size}`)
    const status = range ? 206 : 200
    const object = await files.open(file)
    if (c.req.method === 'HEAD') {
      await object.close()
      return new Response(null, { status, headers })
    }
    c.set('bytes', await object.read({ start, end }))
    return new Response(null, { status, headers })
  })
}

/** A picture never changes under its name: a browser that has it need not ask again. */
const PICTURE_HEADERS = {
  'Content-Type': 'image/webp',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'public, max-age=31536000, immutable',
}

/** Serves the pictures of people, agents and organizations to everybody. */
export function mountPictures(app: App, files: Files): void {
  app.get(`${PICTURES_URL}:name`, async (c) =>
    c.body(await files.readPicture(c.req.path), 200, PICTURE_HEADERS),
  )
}

function setFileHeaders(headers: Headers, { name, type, md5 }: FileRow, isDownload: boolean): void {
  const disposition = !isDownload && SHOWN_TYPES.test(type) ? 'inline' : 'attachment'
  // RFC 6266: a plain name for old clients, and the real one.
  const plain = name.replace(/[^\w.-]/g, '_')
  headers.set(
    'Content-Disposition',
    `${disposition}; filename="${plain}"; filename*=UTF-8''${encodeName(name)}`,
  )
  headers.set('Content-Type', type.startsWith('text/') ? 'text/plain' : toSafeType(type))
  headers.set('Content-Security-Policy', FILE_CSP)
  headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Accept-Ranges', 'bytes')
  headers.set('Cache-Control', 'private, no-cache')
  headers.set('ETag', `"${md5}"`)
}

const encodeName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)

/** Returns a type as it was given, where a header can hold it and a browser does not run it. */
const toSafeType = (type: string): string =>
  /^[\w.+-]+\/[\w.+-]+$/.test(type) && !/html|xml/.test(type) ? type : 'application/octet-stream'

/** Reads the one range of a request; null for the whole file (RFC 9110, 14.2: a range that cannot be read is ignored). */
function readRange(c: Context, { size, md5 }: FileRow): ByteRange | null | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(c.req.header('Range') ?? '')
  const condition = c.req.header('If-Range')
  if (!match || (match[1] === '' && match[2] === '') || (condition && condition !== `"${md5}"`)) return null
  const [, first = '', last = ''] = match
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start >= size || (first === '' && Number(last) === 0)) return 'unsatisfiable'
  return start <= end ? { start, end } : null
}
