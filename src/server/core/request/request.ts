import { isDeepStrictEqual } from 'node:util'
import type { Context } from 'hono'
import { z } from 'zod'
import { getBodyShape } from '#contract/call.ts'
import type { BodySchema, Call } from '#contract/call.ts'
import { joinChatbot } from '#contract/chatbot.ts'
import { AppError } from '../app-error.ts'
import { someString } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { readFields, readText } from './body.ts'
import type { ReserveBytes } from './body.ts'
import './field-messages.ts'
import { nestFields } from './form-fields.ts'
import { readAgain } from './read-again.ts'
import type { ReadAgainOptions } from './read-again.ts'

/** How often a request is converted and validated: an object in a text has fields, which are lists, which have items. */
const MAX_READINGS = 5
/** A request with more issues was written by no person, and is not converted. */
const MAX_ISSUES = 1_000

/**
 * Reads the parts of a request through the call's schemas, leniently: in whichever form a client writes a value, and whether a
 * field is in the query or the body. Throws AppError: `not_found` for a path parameter that cannot name anything, `bad_request`
 * for an unreadable request, `invalid_input` with one message a field. `reserve` is called with the size of each chunk of the
 * body, and throws when there is no room for it.
 */
export async function readInput(c: Context, call: Call, reserve: ReserveBytes) {
  const params = call.params?.safeParse(c.req.param())
  if (params && !params.success) throw new AppError('not_found')
  const { method, url } = c.req.raw
  const query = readQuery(url)
  // A signature covers the bytes as they came, in whatever order their fields are.
  if (call.webhook) return { params: params?.data, query, body: await readText(c.req.raw, reserve) }
  const hasBody = method !== 'GET' && method !== 'HEAD' && (call.query ?? call.body) !== undefined
  const body = hasBody ? await readFields(c.req.raw, reserve) : {}
  // Deleting too much is worse than refusing: an empty field may have been meant to name something.
  const options = { drops_empty: method !== 'DELETE' }
  return {
    params: params?.data,
    query: call.query && validate(call.query, joinFields(call.query, query, body), options),
    body: call.body && validate(call.body, joinFields(call.body, body, query), options),
  }
}

function readQuery(url: string): JsonObject {
  const start = url.indexOf('?')
  return start < 0 ? {} : nestFields(new URLSearchParams(url.slice(start + 1)))
}

/** Joins the fields of query and body. Throws AppError invalid_input when both have a field with different values. */
function joinFields(schema: BodySchema, fields: JsonObject, other: JsonObject): JsonObject {
  const shape = getBodyShape(schema)
  for (const name of Object.keys(shape)) {
    const isTwice = Object.hasOwn(fields, name) && Object.hasOwn(other, name)
    if (isTwice && !isSameValue(fields[name], other[name]))
      throw new AppError('invalid_input', { fields: { [name]: '地址和内容里的值不一致' } })
  }
  const joined = { ...other, ...fields }
  return Object.hasOwn(shape, 'chatbot') ? joinChatbot(joined, shape) : joined
}

/** Compares values of query and body. A query has only text: a number there equals its text. */
const isSameValue = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(one, other) || JSON.stringify(one) === other || JSON.stringify(other) === one

function validate(schema: BodySchema, fields: JsonObject, options: ReadAgainOptions): unknown {
  if (someString(fields, isUnstorable)) throw new AppError('bad_request')
  let parsed = chooseSchema(schema, fields).safeParse(fields)
  for (let n = 1; !parsed.success && n < MAX_READINGS; n++) {
    if (parsed.error.issues.length > MAX_ISSUES) break
    if (!readAgain(fields, parsed.error.issues, options)) break
    parsed = chooseSchema(schema, fields).safeParse(fields)
  }
  if (parsed.success) return parsed.data
  const messages: Record<string, string> = {}
  for (const issue of parsed.error.issues) messages[issue.path.join('.')] ??= issue.message
  throw new AppError('invalid_input', { fields: messages })
}

/**
 * Returns the list of fields that a body in a conversation has to have: that of its chatbot's channel. A chatbot that is none, or
 * has still to be read, is for the first list to refuse, and the one chosen next may be another.
 */
function chooseSchema(schema: BodySchema, { chatbot }: JsonObject): z.ZodObject {
  if (!('options' in schema)) return schema
  const { options } = schema
  return options.find(({ shape }) => z.safeParse(shape.chatbot, chatbot).success) ?? options[0]!
}

/** Tells whether PostgreSQL cannot store a text: it refuses U+0000, and UTF-8 would replace half a surrogate pair. */
const isUnstorable = (text: string): boolean => text.includes('\0') || !text.isWellFormed()
