import type { Context } from 'hono'
import { z } from 'zod'
import type { Call } from '#contract/call.ts'
import { AppError } from './app-error.ts'
import { someString } from './json.ts'

z.config({ customError: getFieldMessage })

/** Largest body of a call. A prompt of MAX_PROMPT_CHARS fits even when each character is escaped. */
const MAX_BODY_BYTES = 2_000_000

/**
 * Reads the parts of a request through the call's schemas. Throws AppError: `not_found` for a path parameter that
 * cannot name anything, `bad_request` for what is not readable, `invalid_input` with one message a field. `reserve` is
 * called with the size of each chunk of the body, and throws when there is no room for it.
 */
export async function readInput(c: Context, call: Call, reserve: (bytes: number) => void) {
  const params = call.params?.safeParse(c.req.param())
  if (params && !params.success) throw new AppError('not_found')
  return {
    params: params?.data,
    query: call.query ? validate(call.query, c.req.query()) : undefined,
    body: await readCallBody(c.req.raw, call, reserve),
  }
}

async function readCallBody(
  request: Request,
  { body, form, webhook }: Call,
  reserve: (bytes: number) => void,
): Promise<unknown> {
  // A signature is over the bytes that came, in whatever order their fields are.
  if (webhook) return decodeStrictly(await readBytes(request, reserve))
  return body && validate(body, await readBody(request, form === true, reserve))
}

function validate(schema: z.ZodObject, value: unknown): unknown {
  if (someString(value, isUnstorable)) throw new AppError('bad_request')
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const fields: Record<string, string> = {}
  for (const issue of parsed.error.issues) fields[issue.path.join('.')] ??= issue.message
  throw new AppError('invalid_input', { fields })
}

/** JSON, or form fields where the call takes them. An absent body reads as an empty object. */
async function readBody(request: Request, form: boolean, reserve: (bytes: number) => void): Promise<unknown> {
  const bytes = await readBytes(request, reserve)
  if (bytes.length === 0) return {}
  const type = (request.headers.get('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase()
  const text = decodeStrictly(bytes)
  if (type === 'application/json' || type === '') return parseJson(text)
  if (form && type === 'application/x-www-form-urlencoded') {
    // A form sends its empty fields too.
    return Object.fromEntries([...new URLSearchParams(text)].filter(([, value]) => value !== ''))
  }
  throw new AppError('unsupported_media')
}

async function readBytes(request: Request, reserve: (bytes: number) => void): Promise<Uint8Array> {
  if (Number(request.headers.get('Content-Length') ?? 0) > MAX_BODY_BYTES)
    throw new AppError('payload_too_large')
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    // Not cancelled where it is refused: that would close the connection before the answer.
    for await (const chunk of request.body.values({ preventCancel: true })) {
      size += chunk.length
      if (size > MAX_BODY_BYTES) throw new AppError('payload_too_large')
      reserve(chunk.length)
      chunks.push(chunk)
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    // The client went away or broke the framing in the middle of its body.
    throw new AppError('bad_request', { cause })
  }
  return Buffer.concat(chunks)
}

function decodeStrictly(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new AppError('bad_request')
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('bad_request')
  }
}

/**
 * PostgreSQL's text cannot hold U+0000, and UTF-8 no half of a surrogate pair: the one would fail, the other be stored as
 * something else.
 */
const isUnstorable = (text: string): boolean => text.includes('\0') || !text.isWellFormed()

/**
 * What a person reads beside a field that its schema refused. Says what is wanted and never repeats what was sent.
 * A message written in a schema itself goes before these.
 */
function getFieldMessage(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || issue.input === null ? '不能为空' : '格式不正确'
    case 'too_big':
      return formatTooBig(issue.origin, Number(issue.maximum))
    case 'too_small':
      return formatTooSmall(issue.origin, Number(issue.minimum))
    case 'invalid_format':
      return issue.format === 'email' ? '请输入正确的邮箱地址' : '格式不正确'
    case 'invalid_value':
      return '不在可选范围内'
    default:
      return '格式不正确'
  }
}

function formatTooBig(origin: string, maximum: number): string {
  if (origin === 'string') return `不能超过 ${maximum} 个字符`
  if (origin === 'array') return `不能超过 ${maximum} 项`
  return `不能大于 ${maximum}`
}

function formatTooSmall(origin: string, minimum: number): string {
  if (origin === 'string') return minimum === 1 ? '不能为空' : `至少 ${minimum} 个字符`
  if (origin === 'array') return `至少 ${minimum} 项`
  return `不能小于 ${minimum}`
}
