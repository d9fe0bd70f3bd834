import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Agent, buildConnector, request } from 'undici'
import type { Dispatcher } from 'undici'
import { AppError } from '../app-error.ts'
import { isPublicAddress } from './address.ts'

/** How names become addresses, and which addresses may be reached; tests replace it to reach a server of theirs. */
export type EgressPolicy = {
  resolve(hostname: string): Promise<string[]>
  isAllowedAddress(address: string): boolean
  isAllowedPort(port: number): boolean
}

export const PUBLIC_INTERNET: EgressPolicy = {
  resolve: async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address),
  isAllowedAddress: isPublicAddress,
  isAllowedPort: (port) => port === 80 || port === 443,
}

type FetchOptions = {
  /** Limit of the decompressed body. */
  max_bytes: number
  /** From the start to the last byte, all redirects together: the caller has its answer by then, whatever the other side does. */
  timeout_ms: number
  /** The header Accept. */
  accept: string
  signal?: AbortSignal | undefined
}

export type FetchedPage = {
  /** The address after the last redirect. */
  url: string
  /** The header Content-Type; empty where there is none. */
  content_type: string
  bytes: Buffer
}

export type Egress = {
  /**
   * Gets a resource from an address that somebody else chose; nothing else may do so. Throws AppError: `link_refused` for an
   * address that leads to no public server, `link_too_large`, `link_unanswered` where the server is silent, cuts the connection or
   * is in trouble (408, 429, 5xx), `link_failed` for every other failure and status but 2xx; rejects with the reason of `signal`
   * when it aborts.
   */
  fetchUrl(url: string, options: FetchOptions): Promise<FetchedPage>
}

const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** A body that grows by a larger factor when decompressed is an attack; text reaches about 20. */
const MAX_RATIO = 100
/** Decompressed bytes below which no ratio does harm. */
const MIN_RATIO_BYTES = 1_000_000
const MAX_URL_CHARS = 2_000
const USER_AGENT = 'Mozilla/5.0 (compatible; WenquBot/1.0)'

const DECODERS: Record<string, () => NodeJS.ReadWriteStream & Readable> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

export function createEgress(policy: EgressPolicy = PUBLIC_INTERNET): Egress {
  return {
    async fetchUrl(url, { max_bytes, timeout_ms, accept, signal }) {
      const timeout = AbortSignal.timeout(timeout_ms)
      const deadline = signal ? AbortSignal.any([signal, timeout]) : timeout
      // Only the deadline limits the phases.
      const dispatcher = new Agent({
        connect: createCheckedConnector(policy, deadline, timeout_ms),
        allowH2: false,
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      try {
        const page = followRedirects(policy, url, { dispatcher, accept, max_bytes, signal: deadline })
        return await raceAbort(page, deadline)
      } catch (cause) {
        signal?.throwIfAborted()
        if (cause instanceof AppError) throw cause
        throw new AppError(timeout.aborted || isSilence(cause) ? 'link_unanswered' : 'link_failed', { cause })
      } finally {
        // Connections are never kept: the next fetch resolves and checks anew.
        void dispatcher.destroy()
      }
    },
  }
}

/** Codes of a server that is there, by its name, and does not answer: of the system, of its resolver, of undici. */
const SILENCE =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|UND_ERR_SOCKET|UND_ERR_\w+_TIMEOUT)$/
const TROUBLE = [408, 429]

const isSilence = (error: unknown): boolean =>
  error instanceof Error && SILENCE.test((error as NodeJS.ErrnoException).code ?? '')

/**
 * Resolves a name itself, checks all its addresses and connects to one of them by number: no resolver is asked between the check
 * and the connection, so that its answer cannot change (DNS rebinding).
 */
function createCheckedConnector(
  policy: EgressPolicy,
  signal: AbortSignal,
  timeout: number,
): buildConnector.connector {
  // undici's type omits that a connector returns its socket.
  const connect = buildConnector({ allowH2: false, timeout }) as (
    ...args: Parameters<buildConnector.connector>
  ) => Socket
  const dial = async (options: buildConnector.Options, callback: buildConnector.Callback): Promise<void> => {
    try {
      const address = await raceAbort(resolveChecked(policy, options.hostname), signal)
      const socket = connect({ ...options, hostname: address }, callback)
      // Aborting a request does not stop a connection that is still being made.
      const onAbort = (): unknown => socket.destroy(signal.reason as Error)
      signal.addEventListener('abort', onAbort, { once: true })
      socket.once('close', () => signal.removeEventListener('abort', onAbort))
    } catch (error) {
      callback(error as Error, null)
    }
  }
  return (options, callback) => void dial(options, callback)
}

/** Returns a checked address of a host. Throws AppError link_refused when any of its addresses may not be reached. */
async function resolveChecked(policy: EgressPolicy, hostname: string): Promise<string> {
  const host = hostname.replace(/^\[|\]$|\.$/g, '')
  const addresses = isIP(host) ? [host] : await policy.resolve(host)
  const [first] = addresses
  if (first === undefined || !addresses.every((address) => policy.isAllowedAddress(address)))
    throw new AppError('link_refused')
  return first
}

/** Settles like `work`, or rejects with the reason of `signal` when it aborts: not all work can be aborted itself. */
async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = (): void => aborted.reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

type Hop = { dispatcher: Dispatcher; accept: string; max_bytes: number; signal: AbortSignal }

async function followRedirects(policy: EgressPolicy, start: string, hop: Hop): Promise<FetchedPage> {
  let url = parseUrl(policy, start)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: hop.dispatcher,
      signal: hop.signal,
      headers: {
        Accept: hop.accept,
        'Accept-Encoding': 'gzip, deflate, br',
        'Accept-Language': 'zh-CN,zh;q=0.9,en;q=0.8',
        'User-Agent': USER_AGENT,
      },
    })
    body.on('error', () => {})
    const location = toText(headers.location)
    if (REDIRECTS.has(statusCode) && location) {
      body.destroy()
      url = parseUrl(policy, location, url)
      continue
    }
    if (statusCode < 200 || statusCode > 299) {
      body.destroy()
      const isTrouble = statusCode >= 500 || TROUBLE.includes(statusCode)
      const cause = new Error(`status ${statusCode}`)
      throw new AppError(isTrouble ? 'link_unanswered' : 'link_failed', { cause })
    }
    const bytes = await readBody(body, toText(headers['content-encoding']), hop.max_bytes)
    return { url: url.href, content_type: toText(headers['content-type']), bytes }
  }
  throw new AppError('link_failed', { cause: new Error('too many redirects') })
}

const toText = (header: string | string[] | undefined): string =>
  (Array.isArray(header) ? header[0] : header) ?? ''

/** Parses an address; refuses one that may not be reached. Each IP address gets one spelling (WHATWG URL). */
function parseUrl(policy: EgressPolicy, text: string, base?: URL): URL {
  const url = text.length <= MAX_URL_CHARS ? URL.parse(text, base?.href) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new AppError('link_refused')
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  if (!policy.isAllowedPort(port)) throw new AppError('link_refused')
  url.hash = ''
  return url
}

async function readBody(body: Readable, encoding: string, maxBytes: number): Promise<Buffer> {
  const createDecoder = DECODERS[encoding.trim().toLowerCase()]
  if (!createDecoder && !/^\s*(identity)?\s*$/i.test(encoding)) {
    body.destroy()
    throw new AppError('link_failed', { cause: new Error('unknown encoding') })
  }
  const decoder = createDecoder?.()
  let received = 0
  if (decoder) {
    body.on('data', (chunk: Buffer) => (received += chunk.length))
    body.on('error', (error) => decoder.destroy(error))
    body.pipe(decoder)
  }
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of (decoder ?? body) as AsyncIterable<Buffer>) {
      size += chunk.length
      const isBomb = decoder && size > MIN_RATIO_BYTES && size > received * MAX_RATIO
      if (size > maxBytes || isBomb) throw new AppError('link_too_large')
      chunks.push(chunk)
    }
  } finally {
    body.destroy()
    decoder?.destroy()
  }
  return Buffer.concat(chunks)
}
