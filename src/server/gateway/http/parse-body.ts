import { z } from 'zod'
import { gatewayBodies } from '#contract/gateway/bodies.ts'
import type { Body, BodyName } from '#contract/gateway/bodies.ts'
import { withMessages } from '#contract/gateway/other-shapes.ts'
import { someString } from '#server/core/json.ts'

/** A body that was read, or the reason of its rejection; `fields` are the first ones at fault. */
export type ParseResult<T> =
  | { body: T }
  | { error: 'bad_request' | 'payload_too_large'; fields?: Record<string, string> }

/** A body for the parser's thread to read, in memory that is transferred to it. */
export type ParseTask = { name: BodyName; bytes: ArrayBuffer }

const MAX_REPORTED_FIELDS = 20

/**
 * Returns the most values that a body may have, names of fields included: the parsed values cross threads and are walked on the
 * event loop. 10,000 messages have a quarter of it. Embeddings may also be of token arrays, 300,000 at OpenAI: numbers, which are
 * cheap to walk.
 */
const getMaxValues = (name: BodyName): number => (name === 'embedding' ? 400_000 : 200_000)

const SCHEMAS: { [Name in BodyName]: z.ZodType<Body<Name>> } = {
  ...gatewayBodies,
  completion: z.preprocess(withMessages, gatewayBodies.completion),
}

/** Reads a JSON body through the schema of this name. */
export function parseBody<Name extends BodyName>(name: Name, bytes: Buffer): ParseResult<Body<Name>> {
  const json = parseJson(bytes, getMaxValues(name))
  if ('error' in json) {
    return json.error === 'bad_request' ? { ...json, fields: { body: 'JSON' } } : json
  }
  return parseValue(SCHEMAS[name], json.value)
}

export function parseValue<T>(schema: z.ZodType<T>, value: unknown): ParseResult<T> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return { body: parsed.data }
  const fields: Record<string, string> = {}
  for (const issue of parsed.error.issues.slice(0, MAX_REPORTED_FIELDS)) {
    const { path, message } = findCause(issue)
    fields[path.join('.') || 'body'] ??= message
  }
  return { error: 'bad_request', fields }
}

type Issue = Pick<z.core.$ZodIssue, 'path' | 'message'>

/** For a value that fits none of several schemas, returns its fault in the schema that it gets deepest into. */
function findCause(issue: z.core.$ZodIssue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const causes = issue.errors.flatMap(([first]) => (first ? [findCause(first)] : []))
  const [deepest] = causes.toSorted((a, b) => b.path.length - a.path.length)
  if (!deepest?.path.length) return issue
  return { path: [...issue.path, ...deepest.path], message: deepest.message }
}

type ParsedJson = { value: unknown } | { error: 'bad_request' | 'payload_too_large' }

/** Deepest nesting of arrays and objects: later steps read and write them recursively. */
const MAX_DEPTH = 200

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Parses JSON of at most `maxValues`, counted before parsing, so that few bytes cannot become a huge value. */
function parseJson(bytes: Buffer, maxValues: number): ParsedJson {
  const error = findViolation(bytes, maxValues)
  if (error) return { error }
  try {
    const value = JSON.parse(decoder.decode(bytes)) as unknown
    return mayHoldSurrogates(bytes) && someString(value, isMalformed) ? { error: 'bad_request' } : { value }
  } catch {
    return { error: 'bad_request' }
  }
}

/** Half of a surrogate pair cannot be sent to a platform, since UTF-8 has none. JSON can bring it only as an escape. */
const isMalformed = (text: string): boolean => !text.isWellFormed()
const mayHoldSurrogates = (bytes: Buffer): boolean => bytes.includes('\\ud') || bytes.includes('\\uD')

/** Counts values and depth outside of strings. The result means nothing for bytes that are not JSON: parsing rejects those. */
function findViolation(bytes: Buffer, maxValues: number): 'bad_request' | 'payload_too_large' | null {
  let [values, depth] = [0, 0]
  for (let position = 0; position < bytes.length; position++) {
    const byte = bytes[position]
    if (byte === QUOTE) position = findStringEnd(bytes, position + 1)
    else if (byte === COMMA || byte === COLON) values += 1
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      values += 1
      depth += 1
      if (depth > MAX_DEPTH) return 'bad_request'
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1
    if (values > maxValues) return 'payload_too_large'
  }
  return null
}

/** Position of the closing quote of the string that begins at `from`; the end when there is none. */
function findStringEnd(bytes: Buffer, from: number): number {
  for (
    let position = bytes.indexOf(QUOTE, from);
    position !== -1;
    position = bytes.indexOf(QUOTE, position + 1)
  ) {
    let escapes = 0
    while (position - escapes > from && bytes[position - escapes - 1] === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return position
  }
  return bytes.length
}
