/** The part of JSON Schema (2020-12) that the reference supports. */
export type Schema = {
  $ref?: string
  title?: string
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
  examples?: unknown[]
  minimum?: number
}
export type Schemas = Record<string, Schema>

export type Field = {
  /** Name with the path from the outside, like `items[].title`. */
  name: string
  type: string
  required: boolean
  note: string
  defaultValue: unknown
}

/** Deeper levels are shown only by the OpenAPI document itself. */
const MAX_DEPTH = 3
const MAX_EXAMPLE_DEPTH = 5

/** Example strings, by format or by name of the field. */
const EXAMPLE_STRINGS: Record<string, string> = {
  uuid: '018f3c2e-7a54-7b1c-9d2e-5f6a7b8c9d0e',
  'date-time': '2026-01-31T08:00:00.000Z',
  date: '2026-01-31',
  email: 'name@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  model: 'deepseek-chat',
}

function resolveRef(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return (name && schemas[name]) || schema
}

const isNull = (schema: Schema) => schema.type === 'null'
const getAlternatives = (schema: Schema) => schema.anyOf ?? schema.oneOf

/** The schema that a nullable field holds, where only one is left without null. */
function unwrapNullable(schema: Schema, schemas: Schemas): Schema {
  const resolvedSchema = resolveRef(schema, schemas)
  const real = getAlternatives(resolvedSchema)?.filter((one) => !isNull(one))
  return real?.length === 1 && real[0] ? unwrapNullable(real[0], schemas) : resolvedSchema
}

/** Describes a schema in one line: `string (uuid)`, `"text" | "audio"`, `object[]`, `integer | null`. */
export function formatType(schema: Schema, schemas: Schemas): string {
  const resolvedSchema = resolveRef(schema, schemas)
  const parts = getAlternatives(resolvedSchema)
  if (parts) return [...new Set(parts.map((part) => formatType(part, schemas)))].join(' | ')
  if (resolvedSchema.const !== undefined) return JSON.stringify(resolvedSchema.const)
  if (resolvedSchema.enum) return resolvedSchema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (resolvedSchema.items) {
    const item = formatType(resolvedSchema.items, schemas)
    return item.includes('|') ? `(${item})[]` : `${item}[]`
  }
  const type =
    [resolvedSchema.type ?? (resolvedSchema.properties ? 'object' : '')].flat().join(' | ') || 'any'
  return resolvedSchema.format ? `${type} (${resolvedSchema.format})` : type
}

/** Lists the fields of an object schema, nested ones after their parent. */
export function listFields(schema: Schema, schemas: Schemas, prefix = '', depth = 0): Field[] {
  const resolvedSchema = unwrapNullable(schema, schemas)
  if (resolvedSchema.items) return listFields(resolvedSchema.items, schemas, `${prefix}[]`, depth)
  const dot = prefix ? `${prefix}.` : ''
  return Object.entries(resolvedSchema.properties ?? {}).flatMap(([key, child]) => {
    const name = dot + key
    const field = {
      name,
      type: formatType(child, schemas),
      required: resolvedSchema.required?.includes(key) ?? false,
      note: child.description ?? resolveRef(child, schemas).description ?? '',
      defaultValue: child.default,
    }
    return depth < MAX_DEPTH ? [field, ...listFields(child, schemas, name, depth + 1)] : [field]
  })
}

/** A list of fields that an object may have; the title says when. */
export type Variant = { title: string; fields: Field[] }

/** Lists the fields of each titled alternative of a schema; of any other schema all fields, without a title. */
export function listVariants(schema: Schema, schemas: Schemas): Variant[] {
  const alternatives = resolveRef(schema, schemas).oneOf ?? []
  const variants = alternatives.map((one) => ({
    title: resolveRef(one, schemas).title ?? '',
    fields: listFields(one, schemas),
  }))
  const isTitled = variants.length > 1 && variants.every(({ title }) => title)
  return isTitled ? variants : [{ title: '', fields: listFields(schema, schemas) }]
}

/**
 * An example that the schema allows: all fields, one item of each list, the first of several values, and never null. The schema's
 * own `examples` and `default` take precedence.
 */
export function buildExample(schema: Schema, schemas: Schemas, name = '', depth = 0): unknown {
  const resolvedSchema = unwrapNullable(schema, schemas)
  const { const: only, enum: values, items, properties, examples } = resolvedSchema
  const [example] = examples ?? [schema.default ?? resolvedSchema.default]
  if (example !== undefined) return example
  if (only !== undefined) return only
  if (values) return values[0]
  const alternative = getAlternatives(resolvedSchema)?.find((one) => !isNull(one))
  if (alternative) return buildExample(alternative, schemas, name, depth)
  if (items) return depth > MAX_EXAMPLE_DEPTH ? [] : [buildExample(items, schemas, name, depth + 1)]
  if (properties) {
    if (depth > MAX_EXAMPLE_DEPTH) return {}
    const fields = Object.entries(properties).map(([key, child]) => [
      key,
      buildExample(child, schemas, key, depth + 1),
    ])
    return Object.fromEntries(fields)
  }
  const type = [resolvedSchema.type].flat().find((one) => one !== 'null')
  if (type === 'integer' || type === 'number') return resolvedSchema.minimum ?? 1
  if (type === 'boolean') return true
  if (type === 'array') return []
  if (type === 'object' || type === undefined) return {}
  return EXAMPLE_STRINGS[resolvedSchema.format ?? name] ?? '…'
}
