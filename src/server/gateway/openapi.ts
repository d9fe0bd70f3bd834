import type { ErrorCode } from '#contract/errors.ts'
import { gatewayBodies } from '#contract/gateway/bodies.ts'
import { gatewayCallList, getErrorShape } from '#contract/gateway/calls.ts'
import type { GatewayCall } from '#contract/gateway/calls.ts'
import { getErrorStatus } from '#contract/gateway/errors.ts'
import type { ErrorShape } from '#contract/gateway/errors.ts'
import { toErrorResponses, toJsonSchema } from '#server/core/openapi.ts'
import type { Json, OpenApiPart } from '#server/core/openapi.ts'

const COMMON_ERRORS: ErrorCode[] = [
  'key_invalid',
  'key_disabled',
  'key_expired',
  'provision_key_refused',
  'address_not_allowed',
  'rate_limited',
  'too_many_calls',
  'overloaded',
  'internal',
]
const BODY_ERRORS: ErrorCode[] = ['bad_request', 'payload_too_large', 'unsupported_media']
const MODEL_ERRORS: ErrorCode[] = ['model_not_found', 'model_not_allowed']
const RUN_ERRORS: ErrorCode[] = [
  'insufficient_balance',
  'key_limit_reached',
  'idempotency_mismatch',
  'model_unavailable',
  'request_rejected',
  'content_rejected',
  'upstream_refused',
  'upstream_failed',
  'upstream_rejected',
  'upstream_rate_limited',
  'upstream_overloaded',
  'upstream_timeout',
  'upstream_cut',
  'upstream_malformed',
  'upstream_empty',
  'interrupted',
]

const listErrors = ({ body, model_type, runs, errors = [] }: GatewayCall): ErrorCode[] => [
  ...COMMON_ERRORS,
  ...(body ? BODY_ERRORS : []),
  ...(model_type ? MODEL_ERRORS : []),
  ...(runs ? RUN_ERRORS : []),
  ...errors,
]

/** Notes on the parameters in paths, by name. */
const PATH_NOTES: Readonly<Record<string, string>> = { id: '应答的编号', model: '模型 ID' }

const text = (description: string): Json => ({ type: 'string', description })
const MESSAGE = text('给人看的中文说明')
const TYPE = text('错误的类别')
const ERROR_SCHEMAS: Record<ErrorShape, { name: string; schema: Json }> = {
  openai: {
    name: 'OpenAiError',
    schema: toObjectSchema({
      error: toObjectSchema({
        message: MESSAGE,
        type: TYPE,
        param: { type: ['string', 'null'], description: '第一个有问题的字段' },
        code: text('给程序看的稳定代码'),
      }),
    }),
  },
  anthropic: {
    name: 'AnthropicError',
    schema: toObjectSchema({
      type: { const: 'error' },
      error: toObjectSchema({ type: TYPE, message: MESSAGE }),
      request_id: text('请求编号，反馈问题时请附上'),
    }),
  },
}

/** The calls of the gateway for the OpenAPI document, under their whole paths. */
export function describeGateway(): OpenApiPart {
  const paths: Record<string, Json> = {}
  for (const entry of gatewayCallList) {
    paths[entry.url] = { ...paths[entry.url], [entry.method.toLowerCase()]: toOperation(entry) }
  }
  return {
    paths,
    schemas: Object.fromEntries(Object.values(ERROR_SCHEMAS).map(({ name, schema }) => [name, schema])),
    security_schemes: {
      api_key: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'sk-wq-…',
        description: '密钥：供程序调用模型，也可以放在请求头 x-api-key 里',
      },
    },
  }
}

function toOperation({ key, path, call }: (typeof gatewayCallList)[number]): Json {
  const shape = getErrorShape(call)
  const getStatus = (code: ErrorCode) => getErrorStatus(shape, code)
  const parameters = toParameters(path, call)
  return {
    tags: ['gateway'],
    summary: call.summary,
    description: call.description,
    operationId: `v1_${key.replace(/[^A-Za-z0-9]+/g, '_').replace(/_$/, '')}`,
    'x-auth': 'api_key',
    'x-protocol': call.protocol,
    security: [{ api_key: [] }],
    ...(parameters.length ? { parameters } : {}),
    ...(call.body ? { requestBody: toRequestBody(call) } : {}),
    responses: {
      200: toSuccessResponse(call),
      ...toErrorResponses(listErrors(call), { getStatus, schema: ERROR_SCHEMAS[shape].name }),
    },
  }
}

function toParameters(path: string, { query = {}, runs }: GatewayCall): Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: PATH_NOTES[name!],
    schema: { type: 'string' },
  }))
  const inQuery = Object.entries(query).map(([name, { type, description }]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema: { type },
  }))
  const idempotency = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: '同一个值再发一次，得到同一个回答，只收一次费',
    schema: { type: 'string', maxLength: 255 },
  }
  return [...inPath, ...inQuery, ...(runs ? [idempotency] : [])]
}

function toRequestBody({ body, multipart, example }: GatewayCall): Json {
  if (!body) return {}
  const schema = toJsonSchema(gatewayBodies[body], 'input') as { properties?: Json; required?: string[] }
  if (!multipart) {
    const content = { schema, ...(example?.body ? { example: example.body } : {}) }
    return { required: true, content: { 'application/json': content } }
  }
  const form = {
    ...schema,
    properties: {
      file: { type: 'string', format: 'binary', description: '要识别的音频文件' },
      ...schema.properties,
    },
    required: ['file', ...(schema.required ?? [])],
  }
  return { required: true, content: { 'multipart/form-data': { schema: form } } }
}

function toSuccessResponse({ response }: GatewayCall): Json {
  if (response === 'bytes') return { description: '成功', content: { 'audio/*': {} } }
  const content = { 'application/json': { schema: { type: 'object' } } }
  if (response === 'json') return { description: '成功', content }
  return { description: '成功；stream 为 true 时是事件流', content: { ...content, 'text/event-stream': {} } }
}

function toObjectSchema(properties: Json): Json {
  return { type: 'object', required: Object.keys(properties), properties }
}
