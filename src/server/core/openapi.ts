import { z } from 'zod'
import { parseCallKey } from '#contract/call.ts'
import type { BodySchema, Call, CallKey, Calls } from '#contract/call.ts'
import { WIDGET_HEADER } from '#contract/agents/widget-visitor.ts'
import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'

export type Json = Record<string, unknown>

/** Returns the errors that every call of a kind may answer, besides its own. */
const getCommonErrors = (call: Call, method: string): ErrorCode[] => [
  'too_many_calls',
  'overloaded',
  'unavailable',
  ...(call.creates_guest ? (['rate_limited'] as const) : []),
  ...(call.query || call.body ? (['bad_request', 'invalid_input'] as const) : []),
  ...(call.auth === 'user' ? (['unauthorized'] as const) : []),
  ...(call.widget ? (['widget_unavailable'] as const) : []),
  ...(call.bearer ? (['key_invalid', 'key_disabled'] as const) : []),
  ...(method === 'GET' || call.webhook ? [] : (['untrusted_origin'] as const)),
  ...(call.body ? (['payload_too_large', 'unsupported_media'] as const) : []),
]

/** Every body may be written in each of these types (core/request/body.ts). */
const BODY_TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']

const errorSchema = {
  type: 'object',
  required: ['message', 'code', 'request_id'],
  properties: {
    message: { type: 'string', description: '给人看的中文说明' },
    code: { type: 'string', description: '给程序看的稳定代码' },
    request_id: { type: 'string', description: '请求编号，反馈问题时请附上' },
    errors: { type: 'object', additionalProperties: { type: 'string' }, description: '字段 → 原因' },
  },
}

/** Ways to identify the caller. */
const buildSecuritySchemes = (cookie: string): Json => ({
  session: { type: 'apiKey', in: 'cookie', name: cookie, description: '登录后由浏览器带上的 Cookie' },
  provision_key: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'pk-wq-…',
    description: '管理密钥：供程序管理密钥、查询余额和账单，不需要 Cookie 与 X-Requested-With',
  },
  widget: {
    type: 'apiKey',
    in: 'header',
    name: WIDGET_HEADER,
    description: '嵌入网站的智能体的访客：智能体编号，之后是空格和访客令牌',
  },
})

/** Any one of these suffices; `{}` means nobody in particular. */
function toSecurity({ auth, bearer, widget }: Call): Json[] {
  if (auth === 'public') return []
  return [
    { session: [] },
    ...(auth === 'guest' ? [{}] : []),
    ...(bearer ? [{ provision_key: [] }] : []),
    ...(widget ? [{ widget: [] }] : []),
  ]
}

/** Calls that another part of the server describes by itself, with the schemas that their descriptions refer to. */
export type OpenApiPart = { paths: Record<string, Json>; schemas: Json; security_schemes: Json }

type ApiSite = {
  app_url: string
  /** Name of the cookie that carries a session. */
  cookie: string
}

/** Builds the OpenAPI 3.1 document of the contract's calls, grouped by feature, and of the calls of `part`. */
export function buildOpenApiSpec(
  features: Record<string, Calls>,
  { app_url, cookie }: ApiSite,
  part: OpenApiPart,
): Json {
  const paths: Record<string, Json> = {}
  for (const [feature, calls] of Object.entries(features)) {
    for (const [key, call] of Object.entries(calls) as [CallKey, Call][]) {
      const { method, path } = parseCallKey(key)
      paths[path] = { ...paths[path], [method.toLowerCase()]: toOperation(feature, key, call) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: '问渠 API',
      version: '0.1.0',
      description:
        '所有会改变状态的请求都要带 X-Requested-With 请求头，用 Bearer 方式带管理密钥的除外。请求体可以是 JSON 或表单，字段也可以放在地址里；空的可选字段等于没有提交，数字和开关可以写成文字。',
    },
    servers: [{ url: app_url }],
    components: {
      schemas: { Error: errorSchema, ...part.schemas },
      securitySchemes: { ...buildSecuritySchemes(cookie), ...part.security_schemes },
    },
    paths: { ...paths, ...part.paths },
  }
}

function toOperation(feature: string, key: CallKey, call: Call): Json {
  const { method } = parseCallKey(key)
  const parameters = [
    ...toParameters('path', call.params),
    ...toParameters('query', call.query),
    ...toParameters('header', call.headers),
  ]
  return {
    tags: [feature],
    summary: call.summary,
    operationId: key.replace(/[^A-Za-z]+/g, '_').replace(/_$/, ''),
    'x-auth': call.auth,
    security: toSecurity(call),
    ...(parameters.length ? { parameters } : {}),
    ...(call.body ? { requestBody: toRequestBody(call.body) } : {}),
    responses: {
      ...toSuccessResponse(call),
      ...toErrorResponses([...getCommonErrors(call, method), ...(call.errors ?? [])]),
    },
  }
}

export const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // Limits of JavaScript's integers, which say nothing about the call.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return JSON.parse(JSON.stringify(json), (_, value: unknown) => hoistDescription(value)) as Json
}

/** Moves the note of a value that may also be null to the field itself, whose own note takes precedence. */
function hoistDescription(field: unknown): unknown {
  if (!isObject(field) || !Array.isArray(field.anyOf) || field.anyOf.length !== 2) return field
  const schemas = field.anyOf as Json[]
  const value = schemas.find(({ type }) => type !== 'null')
  if (!value?.description || !schemas.some(({ type }) => type === 'null')) return field
  const { description, ...schema } = value
  const anyOf = schemas.map((one) => (one === value ? schema : one))
  return { ...field, anyOf, description: field.description ?? description }
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

function toParameters(place: 'path' | 'query' | 'header', schema: z.ZodObject | undefined): Json[] {
  if (!schema) return []
  const json = toJsonSchema(schema, 'input') as { properties?: Json; required?: string[] }
  return Object.entries(json.properties ?? {}).map(([name, property]) => {
    const { description, ...schema } = property as Json
    return {
      name,
      in: place,
      required: place === 'path' || (json.required ?? []).includes(name),
      description,
      schema,
    }
  })
}

function toRequestBody(body: BodySchema): Json {
  const schema =
    'options' in body ? { oneOf: body.options.map((option) => toListedFields(option)) } : toListedFields(body)
  return { content: Object.fromEntries(BODY_TYPES.map((type) => [type, { schema }])) }
}

/** Describes the fields of a body that a client may use: those that are only refused or ignored are marked as `unlisted`. */
function toListedFields(body: z.ZodObject): Json {
  const { properties, ...json } = toJsonSchema(body, 'input')
  const fields = Object.entries(properties as Record<string, Json>)
  return { ...json, properties: Object.fromEntries(fields.filter(([, field]) => !field.unlisted)) }
}

function toSuccessResponse(call: Call): Json {
  if (call.response === 'none') return { 204: { description: '成功，没有内容' } }
  if (call.response === 'stream')
    return { 200: { description: '事件流', content: { 'text/event-stream': {} } } }
  if (call.response === 'text')
    return { 200: { description: '成功', content: { 'text/plain': { schema: { type: 'string' } } } } }
  if (call.response === 'file')
    return { 200: { description: '文件', content: { 'application/octet-stream': {} } } }
  return {
    200: {
      description: '成功',
      content: { 'application/json': { schema: toJsonSchema(call.response, 'output') } },
    },
  }
}

type ErrorResponseOptions = {
  getStatus?: (code: ErrorCode) => number
  /** Name of their bodies' schema. */
  schema?: string
}

/** Groups error codes into responses by status. */
export function toErrorResponses(
  codes: readonly ErrorCode[],
  { getStatus = (code) => errors[code].status, schema = 'Error' }: ErrorResponseOptions = {},
): Json {
  const byStatus = Object.groupBy([...new Set(codes)], (code) => String(getStatus(code)))
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group]) => [
      status,
      {
        description: (group ?? []).map((code) => `${code}：${errors[code].message}`).join('\n'),
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
      },
    ]),
  )
}
