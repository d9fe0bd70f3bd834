import type { ApiCall } from './openapi.ts'
import type { Field } from './jsonSchema.ts'

/** A value that readers recognise as a placeholder for the field's own. */
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

/** The required fields, or the first one where none is. */
function createExampleBody(fields: Field[]): Record<string, unknown> {
  const topLevelFields = fields.filter(isTopLevel)
  const requiredFields = topLevelFields.filter((field) => field.required && field.defaultValue === undefined)
  const shownFields = requiredFields.length ? requiredFields : topLevelFields.slice(0, 1)
  return Object.fromEntries(shownFields.map((field) => [field.name, createPlaceholder(field)]))
}

type Body = NonNullable<ApiCall['body']>

/** The fields of an example: those of the first variant. */
const getFields = ({ variants }: Body): Field[] => variants[0]?.fields ?? []

const getExampleBody = (body: Body): unknown => body.example ?? createExampleBody(getFields(body))

function buildExampleUrl(call: ApiCall, base: string): string {
  const requiredFields = call.query_parameters.filter((field) => field.required)
  const query = requiredFields.map((field) => `${field.name}=${String(createPlaceholder(field))}`).join('&')
  return base + call.path + (query && `?${query}`)
}

/** Name of the variable with a program's key; null where only the browser calls. */
function getKeyVariable({ callers }: ApiCall): string | null {
  if (callers === 'anyone') return null
  if (callers.includes('api_key')) return 'API_KEY'
  return callers.includes('provision_key') ? 'PROVISION_KEY' : null
}

const isForm = ({ body }: ApiCall): boolean => body?.mimes[0] === 'multipart/form-data'

/** Fields of a form as pairs for curl or FormData. */
const listFormFields = (fields: Field[]): [string, string][] =>
  Object.entries(createExampleBody(fields)).map(([name, value]) => [name, String(value)])

/** The call as a curl command. `base` is the origin of the site. */
export function buildCurlExample(call: ApiCall, base: string): string {
  const lines = [`curl ${call.method === 'GET' ? '' : `-X ${call.method} `}'${buildExampleUrl(call, base)}'`]
  const key = getKeyVariable(call)
  if (key) lines.push(`  -H "Authorization: Bearer $${key}"`)
  else if (call.method !== 'GET') lines.push(`  -H 'X-Requested-With: XMLHttpRequest'`)
  if (call.body && isForm(call)) {
    for (const [name, value] of listFormFields(getFields(call.body)))
      lines.push(`  -F '${name}=${name === 'file' ? '@…' : value}'`)
  } else if (call.body) {
    lines.push(`  -H 'Content-Type: application/json'`, `  -d '${JSON.stringify(getExampleBody(call.body))}'`)
  }
  return lines.join(' \\\n')
}

/** The call in JavaScript, by a program where programs may call, else by the browser. */
export function buildFetchExample(call: ApiCall, base: string): string {
  const headers: string[] = []
  const key = getKeyVariable(call)
  if (key) headers.push(`Authorization: \`Bearer \${${key}}\``)
  else if (call.method !== 'GET') headers.push(`'X-Requested-With': 'XMLHttpRequest'`)
  if (call.body && !isForm(call)) headers.push(`'Content-Type': 'application/json'`)
  const options = [
    call.method !== 'GET' && `method: '${call.method}',`,
    headers.length > 0 && `headers: { ${headers.join(', ')} },`,
    call.body &&
      (isForm(call) ? 'body: form,' : `body: JSON.stringify(${JSON.stringify(getExampleBody(call.body))}),`),
  ].filter(Boolean)
  const rest = options.length ? `, {\n  ${options.join('\n  ')}\n}` : ''
  const form = call.body && isForm(call) ? buildFormData(getFields(call.body)) : ''
  return `${form}const response = await fetch('${buildExampleUrl(call, base)}'${rest})`
}

/** The call in Python, with the package `requests`. */
export function buildPythonExample(call: ApiCall, base: string): string {
  const key = getKeyVariable(call)
  const header = key
    ? `"Authorization": f"Bearer {${key}}"`
    : call.method === 'GET'
      ? null
      : '"X-Requested-With": "XMLHttpRequest"'
  const lines = [
    `"${buildExampleUrl(call, base)}",`,
    header && `headers={${header}},`,
    ...(call.body ? listPythonBody(call.body, isForm(call)) : []),
  ].filter(Boolean)
  return `import requests\n\nresponse = requests.${call.method.toLowerCase()}(\n    ${lines.join('\n    ')}\n)\nprint(response.text)`
}

function listPythonBody(body: Body, isForm: boolean): string[] {
  if (!isForm) return [`json=${toPython(getExampleBody(body))},`]
  const fields = listFormFields(getFields(body))
  const data = fields.filter(([name]) => name !== 'file')
  const hasFile = data.length < fields.length
  return [
    ...(hasFile ? ['files={"file": open("…", "rb")},'] : []),
    ...(data.length ? [`data=${toPython(Object.fromEntries(data))},`] : []),
  ]
}

/** Writes a value of JSON as Python. */
function toPython(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(toPython).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const fields = Object.entries(value).map(([key, field]) => `${JSON.stringify(key)}: ${toPython(field)}`)
  return `{${fields.join(', ')}}`
}

function buildFormData(fields: Field[]): string {
  const lines = listFormFields(fields).map(
    ([name, value]) => `form.append('${name}', ${name === 'file' ? 'file' : `'${value}'`})`,
  )
  return ['const form = new FormData()', ...lines, ''].join('\n')
}
