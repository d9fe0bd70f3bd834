import type { z } from 'zod'
import { parseJson } from './json.ts'
import { mostValues, SCHEMAS } from './schemas.ts'
import type { Body, SchemaName } from './schemas.ts'

/** What became of a body. `fields` are those at fault, the first ones of them. */
export type Read<T> =
  | { body: T }
  | { refused: 'bad_request' | 'payload_too_large'; fields?: Record<string, string> }

const MOST_FIELDS = 20

/** Reads a JSON body through a schema. */
export function read<Name extends SchemaName>(name: Name, bytes: Buffer): Read<Body<Name>> {
  const json = parseJson(bytes, mostValues(name))
  if ('refused' in json) {
    return json.refused === 'bad_request' ? { ...json, fields: { body: 'JSON' } } : json
  }
  return readThrough(SCHEMAS[name], json.value)
}

/** Reads a value through a schema. */
export function readThrough<T>(schema: z.ZodType<T>, value: unknown): Read<T> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return { body: parsed.data }
  const fields: Record<string, string> = {}
  for (const { path, message } of parsed.error.issues.slice(0, MOST_FIELDS)) {
    fields[path.join('.') || 'body'] ??= message
  }
  return { refused: 'bad_request', fields }
}
