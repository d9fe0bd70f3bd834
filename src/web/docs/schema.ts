/** What of JSON Schema (2020-12) the reference understands. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
  default?: unknown
}
export type Schemas = Record<string, Schema>

export type Field = {
  /** With its way from the outside: `items[].title`. */
  name: string
  type: string
  required: boolean
  note: string
  fallback: unknown
}

/** Deeper parts are left to the OpenAPI document itself. */
const MAX_DEPTH = 3

function resolve(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return (name && schemas[name]) || schema
}

const isNull = (schema: Schema) => schema.type === 'null'
const alternatives = (schema: Schema) => schema.anyOf ?? schema.oneOf

/** A schema without its null, when that leaves one meaning: what a nullable field holds. */
function held(schema: Schema, schemas: Schemas): Schema {
  const resolved = resolve(schema, schemas)
  const real = alternatives(resolved)?.filter((one) => !isNull(one))
  return real?.length === 1 && real[0] ? held(real[0], schemas) : resolved
}

/** How a schema is written in one line: `string (uuid)`, `"text" | "audio"`, `object[]`, `integer | null`. */
export function typeOf(schema: Schema, schemas: Schemas): string {
  const own = resolve(schema, schemas)
  const parts = alternatives(own)
  if (parts) return [...new Set(parts.map((part) => typeOf(part, schemas)))].join(' | ')
  if (own.const !== undefined) return JSON.stringify(own.const)
  if (own.enum) return own.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (own.items) {
    const item = typeOf(own.items, schemas)
    return item.includes('|') ? `(${item})[]` : `${item}[]`
  }
  const type = [own.type ?? (own.properties ? 'object' : '')].flat().join(' | ') || 'any'
  return own.format ? `${type} (${own.format})` : type
}

/** The fields of an object schema, nested ones after their parent. */
export function fieldsOf(schema: Schema, schemas: Schemas, prefix = '', depth = 0): Field[] {
  const own = held(schema, schemas)
  if (own.items) return fieldsOf(own.items, schemas, `${prefix}[]`, depth)
  const dot = prefix ? `${prefix}.` : ''
  return Object.entries(own.properties ?? {}).flatMap(([key, child]) => {
    const name = dot + key
    const field = {
      name,
      type: typeOf(child, schemas),
      required: own.required?.includes(key) ?? false,
      note: child.description ?? resolve(child, schemas).description ?? '',
      fallback: child.default,
    }
    return depth < MAX_DEPTH ? [field, ...fieldsOf(child, schemas, name, depth + 1)] : [field]
  })
}
