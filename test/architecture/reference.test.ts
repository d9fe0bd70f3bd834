import { expect, test } from 'vitest'
import { calls } from '#contract/calls.ts'
import { buildOpenApiSpec } from '#server/core/openapi.ts'
import { describeGateway } from '#server/gateway/openapi.ts'

// The API reference states the bounds of every value that a request may have.

type Schema = Record<string, unknown> & {
  type?: string | string[]
  description?: string | undefined
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
}
type Operation = {
  parameters?: { name: string; in: string; required: boolean; schema: Schema; description?: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>
}

type Paths = Record<string, Record<string, Operation>>

const listOperations = (paths: Paths): [string, Operation][] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      operation,
    ]),
  )

const BOUNDS: Record<string, string[]> = {
  string: ['maxLength', 'enum', 'const', 'format', 'pattern'],
  array: ['maxItems'],
}

/** Lists the places of a schema whose values have no bounds. */
function listUnbounded(schema: Schema, path: string): string[] {
  const [type = ''] = [schema.type ?? []].flat()
  const isBounded = ['integer', 'number'].includes(type)
    ? 'const' in schema || ('maximum' in schema && ('minimum' in schema || 'exclusiveMinimum' in schema))
    : !BOUNDS[type] || BOUNDS[type].some((bound) => bound in schema)
  return [
    ...(isBounded ? [] : [path]),
    ...(schema.anyOf ?? []).flatMap((one) => listUnbounded(one, path)),
    ...(schema.items ? listUnbounded(schema.items, `${path}[]`) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
      listUnbounded(one, `${path}.${name}`),
    ),
  ]
}

// Payment platforms define the fields of these calls.
const { sandbox: _, ...own } = calls
const part = { paths: {}, schemas: {}, security_schemes: {} }
const { paths } = buildOpenApiSpec(own, { app_url: '', cookie: '' }, part) as { paths: Paths }
const operations = listOperations(paths).filter(([key]) => !key.includes(' /api/credit/notify/'))

test('every value of a request has its bounds in the reference', () => {
  const unbounded = operations.flatMap(([key, { parameters = [], requestBody }]) => [
    ...parameters
      .filter((one) => one.in === 'query')
      .flatMap(({ name, schema }) => listUnbounded(schema, `${key}?${name}`)),
    ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => listUnbounded(schema, key)),
  ])
  expect([...new Set(unbounded)]).toEqual([])
})

test('every page and page size has its default there, and the most that is given', () => {
  const pages = operations.flatMap(([key, { parameters = [] }]) =>
    parameters
      .filter(({ name }) => /^(page|page_size|size)$/.test(name))
      .map(({ name, required, schema }) => [`${key} ${name}`, required, schema] as const),
  )
  expect(pages.length).toBeGreaterThan(20)
  for (const [key, required, schema] of pages) {
    expect(required, key).toBe(false)
    expect(schema, key).toMatchObject({
      type: 'integer',
      minimum: 1,
      default: expect.any(Number),
      maximum: key.endsWith('page') ? 1_000_000 : 100,
    })
  }
})

/** Notes whose words promise another type than their field has: `name: type, note`. */
function listFalseNotes(schema: Schema, name: string): string[] {
  const { description = '' } = schema
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  const types = [schema, ...alternatives].flatMap(({ type = [] }) => type)
  const is = (...some: string[]) => some.some((type) => types.includes(type))
  const isFalse =
    description.startsWith('是否') !== is('boolean')
      ? !(is('boolean') && /能不能|是否/.test(description))
      : (description.endsWith('列表') && !is('array', 'string')) ||
        (/[^指参]数量?$/.test(description) && !is('integer', 'number', 'object')) ||
        (description.endsWith('编号') && is('boolean', 'object'))
  return [
    ...(types.length && description && isFalse ? [`${name}: ${types.join()}, ${description}`] : []),
    ...alternatives.flatMap((one) => listFalseNotes(one, name)),
    ...(schema.items ? listFalseNotes(schema.items, name) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, one]) => listFalseNotes(one, key)),
  ]
}

test('a note in the reference speaks of what its field is', () => {
  const gateway = listOperations(describeGateway().paths as Paths)
  const notes = [...operations, ...gateway].flatMap(
    ([, { parameters = [], requestBody, responses = {} }]) => [
      ...parameters.flatMap(({ name, schema, description }) =>
        listFalseNotes({ description, ...schema }, name),
      ),
      ...[requestBody, ...Object.values(responses)].flatMap((body) =>
        Object.values(body?.content ?? {}).flatMap(({ schema = {} }) => listFalseNotes(schema, '')),
      ),
    ],
  )
  expect([...new Set(notes)]).toEqual([])
})
