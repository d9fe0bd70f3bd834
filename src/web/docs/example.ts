import type { ApiCall } from './openapi.ts'
import type { Field } from './schema.ts'

/** A value that a reader recognises as a stand-in for the field's own. */
function standIn({ name, type, fallback }: Field): unknown {
  if (fallback !== undefined) return fallback
  if (type.startsWith('"')) return JSON.parse(type.split(' | ')[0] ?? 'null')
  if (type.includes('[]')) return []
  if (type.startsWith('integer') || type.startsWith('number')) return 1
  if (type.startsWith('boolean')) return true
  if (type.includes('uuid')) return '018f…'
  return name === 'email' ? 'name@example.com' : name === 'code' ? '123456' : '…'
}

const topLevel = (field: Field) => !/[.[]/.test(field.name)

/** Required fields, or the first one when none is. */
function sample(fields: Field[]): Record<string, unknown> {
  const own = fields.filter(topLevel)
  const needed = own.filter((field) => field.required && field.fallback === undefined)
  const shown = needed.length ? needed : own.slice(0, 1)
  return Object.fromEntries(shown.map((field) => [field.name, standIn(field)]))
}

function urlOf(call: ApiCall, base: string): string {
  const needed = call.query_parameters.filter((field) => field.required)
  const query = needed.map((field) => `${field.name}=${String(standIn(field))}`).join('&')
  return base + call.path + (query && `?${query}`)
}

const byKey = (call: ApiCall): boolean => call.callers !== 'anyone' && call.callers.includes('provision_key')

/** The call as a command. `base` is the origin of the site. */
export function curlOf(call: ApiCall, base: string): string {
  const lines = [`curl ${call.method === 'GET' ? '' : `-X ${call.method} `}'${urlOf(call, base)}'`]
  if (byKey(call)) lines.push('  -H "Authorization: Bearer $PROVISION_KEY"')
  else if (call.method !== 'GET') lines.push(`  -H 'X-Requested-With: XMLHttpRequest'`)
  if (call.body) {
    lines.push(`  -H 'Content-Type: application/json'`, `  -d '${JSON.stringify(sample(call.body.fields))}'`)
  }
  return lines.join(' \\\n')
}

/** The call as the browser makes it, or a program where programs may. */
export function fetchOf(call: ApiCall, base: string): string {
  const headers: string[] = []
  if (byKey(call)) headers.push('Authorization: `Bearer ${PROVISION_KEY}`')
  else if (call.method !== 'GET') headers.push(`'X-Requested-With': 'XMLHttpRequest'`)
  if (call.body) headers.push(`'Content-Type': 'application/json'`)
  const options = [
    call.method !== 'GET' && `method: '${call.method}',`,
    headers.length > 0 && `headers: { ${headers.join(', ')} },`,
    call.body && `body: JSON.stringify(${JSON.stringify(sample(call.body.fields))}),`,
  ].filter(Boolean)
  const rest = options.length ? `, {\n  ${options.join('\n  ')}\n}` : ''
  return `const response = await fetch('${urlOf(call, base)}'${rest})`
}
