import { createId } from '#server/core/ids.ts'

/** Values of fields whose schemas alone do not determine a good one. */
const VALUES: Record<string, unknown> = {
  email: 'forms@example.com',
  phone: '13800138000',
  code: '123456',
  old_code: '123456',
  chatbot: 'dati',
  channel: 'dati',
  type: 'text/plain',
  md5: 'd41d8cd98f00b204e9800998ecf8427e',
  hash: '0123456789abcdef',
  url: 'x',
  logo: '',
  avatar: '',
  model: 'nobody',
  models: ['nobody'],
  target_lang: 'en',
  expired_at: '2099-12-31',
  allowed_addresses: ['192.0.2.1'],
  emails: ['one@example.com', 'two@example.com'],
  quick_action: 'explain',
  currency: 'CNY',
  sites: ['https://www.example.com'],
  timeRange: '7',
  name: '名称',
  text: '文字',
  block: createId(),
  token: 'x'.repeat(43),
}

export type JsonSchema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  default?: unknown
  minimum?: number
  anyOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
}
export type Fields = Record<string, unknown>

function makeValue(name: string, schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.format === 'uuid') return createId()
  if (schema.anyOf) return name in VALUES ? VALUES[name] : makeValue(name, schema.anyOf[0]!)
  switch ([schema.type].flat()[0]) {
    case 'object':
      return makeFields(schema)
    case 'array':
      return VALUES[name] ?? [makeValue(name, schema.items ?? {})]
    case 'boolean':
      return true
    case 'number':
    case 'integer':
      return Math.max(schema.minimum ?? 1, 1)
    default:
      return VALUES[name] ?? schema.default ?? '字'
  }
}

/** Makes the fields of an object that its schema takes: all of them, or only the required ones. */
export const makeFields = (
  { properties = {}, required }: JsonSchema,
  which: 'all' | 'required' = 'all',
): Fields =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => which === 'all' || required?.includes(name))
      .map(([name, schema]) => [name, makeValue(name, schema)]),
  )
