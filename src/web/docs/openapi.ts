import {
  buildExample,
  formatType,
  listFields,
  listVariants,
  type Field,
  type Schema,
  type Schemas,
  type Variant,
} from './jsonSchema.ts'
import { docsText } from '#web/text/docs/reference.ts'

/** The part of an OpenAPI 3.1 document that the reference shows. */
export type OpenApi = {
  info: { title: string; version: string; description?: string }
  tags?: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Schemas; securitySchemes?: Record<string, { description?: string }> }
}
type Content = Record<string, { schema?: Schema; example?: unknown }>
type Operation = {
  summary?: string
  description?: string
  tags?: string[]
  parameters?: {
    name: string
    in: string
    required?: boolean
    description?: string
    schema?: Schema
  }[]
  requestBody?: { content?: Content }
  /** Alternative authentication schemes; `{}` allows anyone. */
  security?: Record<string, string[]>[]
  responses?: Record<string, { description?: string; content?: Content }>
}

type ApiResponse = {
  status: string
  description: string
  mime: string | null
  type: string
  fields: Field[]
  /** A JSON response made from its schema. */
  example: unknown
}
export type ApiCall = {
  /** Id of the anchor, like `post-api-chat-create`. */
  id: string
  method: string
  path: string
  /** The call's tag in the document. */
  group: string
  summary: string
  description: string
  path_parameters: Field[]
  query_parameters: Field[]
  /** A body has one of the variants. `example` is the document's own, where it has one. */
  body: { mimes: string[]; type: string; variants: Variant[]; example: unknown } | null
  /** Permitted callers: anyone, or the document's schemes. */
  callers: 'anyone' | string[]
  responses: ApiResponse[]
  errors: { status: string; description: string }[]
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** All calls of the document, in its order. */
export function parseCalls(doc: OpenApi): ApiCall[] {
  const schemas = doc.components?.schemas ?? {}
  return Object.entries(doc.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation ? [parseCall(method, path, operation, schemas)] : []
    }),
  )
}

function parseCall(method: string, path: string, operation: Operation, schemas: Schemas): ApiCall {
  const parameters = (kind: string) =>
    (operation.parameters ?? [])
      .filter((parameter) => parameter.in === kind)
      .map(({ name, required = false, description, schema = {} }) => ({
        name,
        required,
        type: formatType(schema, schemas),
        note: description ?? schema.description ?? '',
        defaultValue: schema.default,
      }))
  const responses = Object.entries(operation.responses ?? {})
  const content = operation.requestBody?.content
  const { schema: bodySchema, example } = (content && Object.values(content)[0]) ?? {}
  return {
    id: buildAnchor(method, path),
    method: method.toUpperCase(),
    path,
    group: operation.tags?.[0] ?? '',
    summary: operation.summary ?? '',
    description: operation.description ?? '',
    path_parameters: parameters('path'),
    query_parameters: parameters('query'),
    body: bodySchema
      ? {
          mimes: Object.keys(content ?? {}),
          type: formatType(bodySchema, schemas),
          variants: listVariants(bodySchema, schemas),
          example,
        }
      : null,
    callers: parseCallers(operation.security ?? []),
    responses: responses
      .filter(([status]) => status.startsWith('2'))
      .map(([status, { description = '', content = {} }]) => {
        const [mime, schema] = getFirstContent(content)
        return {
          status,
          description,
          mime,
          type: schema ? formatType(schema, schemas) : '',
          fields: schema ? listFields(schema, schemas) : [],
          example: schema && mime === 'application/json' ? buildExample(schema, schemas) : undefined,
        }
      }),
    errors: responses
      .filter(([status]) => !status.startsWith('2'))
      .map(([status, { description = '' }]) => ({ status, description })),
  }
}

function parseCallers(security: Record<string, string[]>[]): ApiCall['callers'] {
  const ways = security.map((way) => Object.keys(way)[0])
  return ways.length && ways.every((way) => way !== undefined) ? ways : 'anyone'
}

function getFirstContent(content: Content): [string | null, Schema | undefined] {
  const entry = Object.entries(content)[0]
  return entry ? [entry[0], entry[1].schema] : [null, undefined]
}

const buildAnchor = (method: string, path: string) =>
  `${method}-${path.replace(/[^A-Za-z0-9_]+/g, '-').replace(/^-|-$/g, '')}`

/** Tells whether every word of a search occurs in the call's method, path, summary or field names. */
export function matchesSearch(call: ApiCall, search: string): boolean {
  const fields = [
    call.path_parameters,
    call.query_parameters,
    ...(call.body?.variants.map((variant) => variant.fields) ?? []),
    ...call.responses.map((answer) => answer.fields),
  ]
  const text = [
    call.method,
    call.path,
    call.summary,
    getTagTitle(call.group),
    ...fields.flat().map((field) => field.name),
  ]
    .join(' ')
    .toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

const getTagTitle = (tag: string): string => docsText.groups[tag] ?? tag

export type CallGroup = { name: string; title: string; calls: ApiCall[] }

/** Groups calls by tag, in the document's order. */
export const groupByTag = (calls: ApiCall[]): CallGroup[] =>
  [...Map.groupBy(calls, ({ group }) => group)].map(([name, theirs]) => ({
    name,
    title: getTagTitle(name),
    calls: theirs,
  }))

/** Links to the page of a group, and to a call in it. */
export const getGroupHref = (name: string): string => `/docs/api?${new URLSearchParams({ group: name })}`
export const getCallHref = ({ group, id }: ApiCall): string => `${getGroupHref(group)}#${id}`
