// Programs that speak several APIs (Cursor, for one) ask for chat completions in the shapes of OpenAI's Responses or of
// Anthropic's Messages: these functions turn them into the chat completions that they mean.

type JsonObject = Record<string, unknown>

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mapList = (list: unknown, map: (one: JsonObject) => unknown): unknown =>
  Array.isArray(list) ? list.map((one: unknown) => (isObject(one) ? map(one) : one)) : list

/** Reads a body with `input` instead of `messages`, as Responses have it. */
export function withMessages(body: unknown): unknown {
  if (!isObject(body) || body['messages'] !== undefined || body['input'] === undefined) return body
  const { input, instructions, ...rest } = body
  const first = typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : []
  const messages = typeof input === 'string' ? [{ role: 'user', content: input }] : mapList(input, toMessage)
  return { ...rest, messages: Array.isArray(messages) ? [...first, ...(messages as unknown[])] : messages }
}

function toMessage(item: JsonObject): unknown {
  const { type, call_id, name, arguments: text, output } = item
  if (type === 'function_call')
    return {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: call_id, type: 'function', function: { name, arguments: text } }],
    }
  if (type === 'function_call_output') return { role: 'tool', tool_call_id: call_id, content: output }
  return { ...item, content: mapList(item['content'], toPart) }
}

function toPart(part: JsonObject): unknown {
  const { type, text, image_url } = part
  if (type === 'input_text' || type === 'output_text') return { type: 'text', text }
  return type === 'input_image' ? { type: 'image_url', image_url: { url: image_url } } : part
}

/** Reads tools whose name stands beside their type: `{type, name, parameters}`, `{name, input_schema}`. */
export const withNestedTools = (tools: unknown): unknown =>
  mapList(tools, (tool) => {
    const { type = 'function', name, description, parameters, input_schema, strict, format } = tool
    if (name === undefined || tool['function'] !== undefined || tool['custom'] !== undefined) return tool
    if (type === 'custom' && input_schema === undefined)
      return { type, custom: { name, description, format } }
    return {
      type: 'function',
      function: { name, description, strict, parameters: parameters ?? input_schema },
    }
  })

/** Reads a choice that is an object with nothing but a mode, or with a name beside its type. */
export function withNestedChoice(choice: unknown): unknown {
  if (!isObject(choice)) return choice
  const { type, name } = choice
  if (typeof name === 'string' && choice['function'] === undefined && choice['custom'] === undefined)
    return type === 'custom' ? { type, custom: { name } } : { type: 'function', function: { name } }
  if (type === 'any') return 'required'
  return type === 'auto' || type === 'none' || type === 'required' ? type : choice
}
