import type { z } from 'zod'
import { parseJson } from './json.ts'
import { getMaxValues, BODY_SCHEMAS } from './body-schemas.ts'
import type { Body, BodySchemaName } from './body-schemas.ts'

/** What became of a body. `fields` are those at fault, the first ones of them. */
export type ParseResult<T> =
  | { body: T }
  | { refused: 'bad_request' | 'payload_too_large'; fields?: Record<string, string> }

const MAX_REPORTED_FIELDS = 20

/** Reads a JSON body through a schema. */
export function parseBody<Name extends BodySchemaName>(name: Name, bytes: Buffer): ParseResult<Body<Name>> {
  const json = parseJson(bytes, getMaxValues(name))
  if ('refused' in json) {
    return json.refused === 'bad_request' ? { ...json, fields: { body: 'JSON' } } : json
  }
  return parseValue(BODY_SCHEMAS[name], json.value)
}

/** Reads a value through a schema. */
export function parseValue<T>(schema: z.ZodType<T>, value: unknown): ParseResult<T> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return { body: parsed.data }
  const fields: Record<string, string> = {}
  for (const { path, message } of parsed.error.issues.slice(0, MAX_REPORTED_FIELDS)) {
    fields[path.join('.') || 'body'] ??= message
  }
  return { refused: 'bad_request', fields }
}
