import { UpstreamError } from '../chat.ts'
import type { JsonObject, Take } from '../chat.ts'
import { isJson } from '../dialects/event.ts'
import { RefusalReader, reported, withoutKey } from '../dialects/refusal.ts'
import { post } from '../http.ts'
import type { BodyReader, Head } from '../http.ts'
import type { Offer } from '../offers.ts'
import type { Work, WorkPart } from './work.ts'

/** Bytes of a JSON answer: thousands of vectors, or ten pictures in base64. */
const MOST_JSON = 100_000_000

type Target = Pick<Offer, 'base_url' | 'api_key' | 'model' | 'timeouts' | 'defaults'>

/**
 * Asks one platform of OpenAI's dialect for a work. Throws UpstreamError, or the signal's reason when the caller aborts.
 */
export async function askWork(
  { base_url, api_key, model, timeouts, defaults = {} }: Target,
  work: Work,
  signal: AbortSignal,
  take: Take<WorkPart>,
): Promise<void> {
  const { content_type, body } = await encoded(work, model, defaults)
  let answer: RefusalReader | BytesReader | WholeReader | null = null
  const sending = {
    headers: { 'content-type': content_type, ...(api_key ? { authorization: `Bearer ${api_key}` } : {}) },
    body,
    // A picture takes as long before its first byte as a text takes altogether.
    timeouts: { ...timeouts, first_byte_ms: timeouts.idle_ms },
    signal,
  }
  try {
    await post(base_url + work.path, sending, (head) => (answer = readerOf(head, work, take)))
  } catch (cause) {
    if (!isRefused(answer) || !(cause instanceof UpstreamError)) {
      throw cause instanceof UpstreamError ? withoutKey(cause, api_key) : cause
    }
  }
  try {
    for (const part of partsOf(answer, work)) await take(part)
  } catch (cause) {
    throw cause instanceof UpstreamError ? withoutKey(cause, api_key) : cause
  }
}

type Reader = RefusalReader | BytesReader | WholeReader

const isRefused = (reader: Reader | null): boolean => reader instanceof RefusalReader

function readerOf(head: Head, work: Work, take: Take<WorkPart>): Reader {
  if (head.status < 200 || head.status > 299) return new RefusalReader(head)
  const media_type = String(head.headers['content-type'] ?? 'application/octet-stream')
  const isObject = /^application\/([\w.]+\+)?json\b/i.test(media_type)
  return work.answer === 'bytes' && !isObject ? new BytesReader(media_type, take) : new WholeReader()
}

/** What is left to say of an answer that was read to its end. Throws UpstreamError when it is none. */
function partsOf(reader: Reader | null, work: Work): WorkPart[] {
  if (reader instanceof WholeReader) return said(reader.answer(), work)
  if (reader instanceof RefusalReader) throw reader.error()
  if (!reader?.size) throw new UpstreamError('upstream_empty', 'no bytes')
  return [{ type: 'finish', reason: 'stop' }]
}

/** Hands bytes on as they come. */
class BytesReader implements BodyReader {
  readonly done = false
  size = 0
  readonly #media_type: string
  readonly #take: Take<WorkPart>

  constructor(media_type: string, take: Take<WorkPart>) {
    this.#media_type = media_type
    this.#take = take
  }

  take(bytes: Buffer): Promise<void> | void {
    this.size += bytes.length
    return this.#take({ type: 'bytes', bytes, media_type: this.#media_type })
  }
}

/** Gathers a JSON answer. */
class WholeReader implements BodyReader {
  readonly done = false
  readonly #pieces: Buffer[] = []
  #size = 0

  take(bytes: Buffer): void {
    this.#size += bytes.length
    if (this.#size > MOST_JSON) throw new UpstreamError('upstream_malformed', `more than ${MOST_JSON} bytes`)
    this.#pieces.push(bytes)
  }

  answer(): JsonObject {
    return parsed(Buffer.concat(this.#pieces).toString('utf8'))
  }
}

async function encoded(
  { body }: Work,
  model: string,
  defaults: NonNullable<Target['defaults']>,
): Promise<{ content_type: string; body: string | Buffer }> {
  if ('json' in body) {
    const named = Object.fromEntries(
      Object.entries(body.json).filter(([name, value]) => value !== null || !(name in defaults)),
    )
    return { content_type: 'application/json', body: JSON.stringify({ ...defaults, ...named, model }) }
  }
  const form = new FormData()
  form.append('model', model)
  for (const [name, value] of body.form) form.append(name, value)
  const request = new Response(form)
  const content_type = request.headers.get('content-type') ?? ''
  return { content_type, body: Buffer.from(await request.arrayBuffer()) }
}

function said(answer: JsonObject, work: Work): WorkPart[] {
  if (answer.error) throw reported(answer.error)
  const measured = work.measure(answer)
  return [
    // A platform that knows no plain text sends its usual object instead.
    work.answer === 'bytes' ? plain(String(answer.text)) : { type: 'json', answer },
    'flagged' in measured
      ? { type: 'used_flagged', detail: measured.flagged }
      : { type: 'used', ...measured },
    { type: 'finish', reason: 'stop' },
  ]
}

const plain = (text: string): WorkPart => ({
  type: 'bytes',
  bytes: Buffer.from(text),
  media_type: 'text/plain; charset=utf-8',
})

function parsed(text: string): JsonObject {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    throw new UpstreamError('upstream_malformed', `no JSON: ${text.slice(0, 200)}`)
  }
  if (!isJson(answer)) throw new UpstreamError('upstream_malformed', 'no object')
  return answer
}
