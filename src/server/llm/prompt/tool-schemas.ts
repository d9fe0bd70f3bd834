import { filterObjects, isJsonObject } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import type { ChatRequest } from '../chat-request.ts'

/** Platforms refuse these at the top of a schema. */
const REFUSED_AT_THE_TOP = ['anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not', '$ref']

/** Gives the tools of a request, also in the fields of Anthropic's dialect, schemas that every platform takes. */
export function completeSchemas(request: ChatRequest, hasAnyOfTypes: boolean): ChatRequest {
  const { tools, provider_options } = request
  if (!tools) return request
  const complete = (schema: JsonObject): JsonObject => {
    const whole = completeSchema(schema)
    return hasAnyOfTypes ? moveTypes(whole) : whole
  }
  const native = provider_options?.anthropic?.['tools']
  return {
    ...request,
    tools: tools.map((tool) => ({ ...tool, parameters: complete(tool.parameters) })),
    ...(Array.isArray(native)
      ? {
          provider_options: {
            ...provider_options,
            anthropic: {
              ...provider_options?.anthropic,
              tools: native.map((tool) => completeNative(tool, complete)),
            },
          },
        }
      : {}),
  }
}

function completeNative(tool: unknown, complete: (schema: JsonObject) => JsonObject): unknown {
  if (!isJsonObject(tool) || !isJsonObject(tool['input_schema'])) return tool
  return { ...tool, input_schema: complete(tool['input_schema']) }
}

/** Turns any schema into that of an object. Alternatives at its top become one object with the properties of all of them. */
function completeSchema(schema: JsonObject): JsonObject {
  const isComplete =
    schema['type'] === 'object' &&
    isJsonObject(schema['properties']) &&
    !REFUSED_AT_THE_TOP.some((name) => name in schema)
  if (isComplete) return schema
  const top = { ...resolveTop(schema) }
  const every = [top, ...filterObjects(top['allOf'])]
  const some = [...filterObjects(top['anyOf']), ...filterObjects(top['oneOf'])]
  const properties = Object.assign({}, ...[...some, ...every].map((one) => one['properties'])) as JsonObject
  const required = [
    ...every.flatMap(listRequired),
    ...(some.length
      ? listRequired(some[0]!).filter((name) => some.every((one) => listRequired(one).includes(name)))
      : []),
  ]
  for (const name of REFUSED_AT_THE_TOP) delete top[name]
  return {
    ...top,
    type: 'object',
    properties,
    ...(required.length ? { required: [...new Set(required)] } : {}),
  }
}

/** Resolves a reference that stands for the whole schema, beside its definitions. */
function resolveTop(schema: JsonObject): JsonObject {
  const { $ref: ref } = schema
  const [, place = '', name = ''] =
    typeof ref === 'string' ? (/^#\/(\$defs|definitions)\/([^/]+)$/.exec(ref) ?? []) : []
  const definitions = schema[place]
  const definition = isJsonObject(definitions) ? definitions[name] : undefined
  return isJsonObject(definition) ? { ...schema, ...definition } : schema
}

const listRequired = ({ required }: JsonObject): string[] =>
  Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : []

/** Moves a type beside `anyOf` into each alternative, at any depth. */
function moveTypes(schema: JsonObject): JsonObject {
  const moved = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, moveTypesIn(value)]))
  const { type, ...rest } = moved
  if (type === undefined || !Array.isArray(moved['anyOf'])) return moved
  const anyOf = filterObjects(moved['anyOf']).map((one) =>
    'type' in one || '$ref' in one ? one : { type, ...one },
  )
  return { ...rest, anyOf }
}

function moveTypesIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moveTypesIn)
  return isJsonObject(value) ? moveTypes(value) : value
}
