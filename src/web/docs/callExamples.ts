import type { ApiCall } from './openapi.ts'
import type { Field } from './jsonSchema.ts'

/** A value that a reader recognises as a stand-in for the field's own. */
function createPlaceholder({ name, type, defaultValue }: Field): unknown {
  if (defaultValue !== undefined) return defaultValue
  if (type.startsWith('"')) return JSON.parse(type.split(' | ')[0] ?? 'null')
  if (type.includes('[]')) return []
  if (type.startsWith('integer') || type.startsWith('number')) return 1
  if (type.startsWith('boolean')) return true
  if (type.includes('uuid')) return '018f…'
  return name === 'email' ? 'name@example.com' : name === 'code' ? '123456' : '…'
}

const isTopLevel = (field: Field) => !/[.[]/.test(field.name)

/** Required fields, or the first one when none is. */
function createExampleBody(fields: Field[]): Record<string, unknown> {
  const own = fields.filter(isTopLevel)
  const needed = own.filter((field) => field.required && field.defaultValue === undefined)
  const shown = needed.length ? needed : own.slice(0, 1)
  return Object.fromEntries(shown.map((field) => [field.name, createPlaceholder(field)]))
}

function buildExampleUrl(call: ApiCall, base: string): string {
  const needed = call.query_parameters.filter((field) => field.required)
  const query = needed.map((field) => `${field.name}=${String(createPlaceholder(field))}`).join('&')
  return base + call.path + (query && `?${query}`)
}

const usesProvisionKey = (call: ApiCall): boolean =>
  call.callers !== 'anyone' && call.callers.includes('provision_key')

/** The call as a command. `base` is the origin of the site. */
export function buildCurlExample(call: ApiCall, base: string): string {
  const lines = [`curl ${call.method === 'GET' ? '' : `-X ${call.method} `}'${buildExampleUrl(call, base)}'`]
  if (usesProvisionKey(call)) lines.push('  -H "Authorization: Bearer $PROVISION_KEY"')
  else if (call.method !== 'GET') lines.push(`  -H 'X-Requested-With: XMLHttpRequest'`)
  if (call.body) {
    lines.push(
      `  -H 'Content-Type: application/json'`,
      `  -d '${JSON.stringify(createExampleBody(call.body.fields))}'`,
    )
  }
  return lines.join(' \\\n')
}

/** The call as the browser makes it, or a program where programs may. */
export function buildFetchExample(call: ApiCall, base: string): string {
  const headers: string[] = []
  if (usesProvisionKey(call)) headers.push('Authorization: `Bearer ${PROVISION_KEY}`')
  else if (call.method !== 'GET') headers.push(`'X-Requested-With': 'XMLHttpRequest'`)
  if (call.body) headers.push(`'Content-Type': 'application/json'`)
  const options = [
    call.method !== 'GET' && `method: '${call.method}',`,
    headers.length > 0 && `headers: { ${headers.join(', ')} },`,
    call.body && `body: JSON.stringify(${JSON.stringify(createExampleBody(call.body.fields))}),`,
  ].filter(Boolean)
  const rest = options.length ? `, {\n  ${options.join('\n  ')}\n}` : ''
  return `const response = await fetch('${buildExampleUrl(call, base)}'${rest})`
}
