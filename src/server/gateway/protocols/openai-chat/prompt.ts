import type { ChatCompletionMessage } from '#contract/gateway/completion-messages.ts'
import type { ChatCompletionRequest } from '#contract/gateway/chat-completions.ts'
import { AppError } from '#server/core/app-error.ts'
import { pickForwardedFields } from '#server/llm/llm.ts'
import type {
  AudioPart,
  ModelEntry,
  ChatRequest,
  Content,
  ContentPart,
  ImagePart,
  JsonSchemaFormat,
  PromptMessage,
  Reasoning,
  SignedReasoning,
  Tool,
  ToolCall,
} from '#server/llm/llm.ts'
import { encodeCustomInput, toCustomFunction } from '../custom-input.ts'
import { parseFile } from '../parts.ts'

/**
 * Converts a completion's request to a prompt that every platform understands. Throws AppError tool_unavailable for a request to
 * search the web: an answer without a search would look like one with it.
 */
export function buildPrompt(body: ChatCompletionRequest, model: ModelEntry): ChatRequest {
  if (body.enable_search)
    throw new AppError('tool_unavailable', { fields: { enable_search: '接口不提供联网搜索' } })
  const maxTokens = body.max_completion_tokens ?? body.max_tokens ?? model.max_tokens
  const { stop } = body
  return {
    messages: parseMessages(body.messages),
    max_tokens: Math.min(maxTokens, model.max_tokens),
    temperature: body.temperature ?? undefined,
    top_p: body.top_p ?? undefined,
    top_k: body.top_k ?? undefined,
    stop_sequences: typeof stop === 'string' ? [stop] : (stop ?? undefined),
    seed: body.seed ?? undefined,
    reasoning_effort: body.reasoning_effort ?? undefined,
    modalities: body.modalities ?? undefined,
    n: body.n && body.n > 1 ? body.n : undefined,
    response_format: body.json_mode ? { type: 'json' } : parseResponseFormat(body.response_format),
    ...parseTools(body),
    provider_options: { openai: body },
  }
}

function parseResponseFormat(
  format: ChatCompletionRequest['response_format'],
): ChatRequest['response_format'] {
  if (!format || format.type === 'text') return undefined
  return format.type === 'json_object' ? { type: 'json' } : createSchemaFormat(format.json_schema)
}

type Nullable<T> = { [Name in keyof T]?: T[Name] | null | undefined }

/** Creates the format of an answer that follows a JSON schema, as OpenAI's protocols send it. */
export function createSchemaFormat({
  name,
  schema,
  description,
  strict,
}: Pick<JsonSchemaFormat, 'name' | 'schema'> &
  Nullable<Pick<JsonSchemaFormat, 'description' | 'strict'>>): JsonSchemaFormat {
  return { type: 'json_schema', name, schema, ...omitEmpty({ description, strict }) }
}

/** Reads a tool as OpenAI's protocols send it. */
export function parseTool({
  name,
  description,
  parameters,
  strict,
}: Pick<Tool, 'name'> & Nullable<Omit<Tool, 'name'>>): Tool {
  const schema = parameters ?? { type: 'object', properties: {} }
  return { name, ...omitEmpty({ description, strict }), parameters: schema }
}

/** Tells whether a request has functions in place of tools, as OpenAI's API had them before. */
export const usesFunctions = ({ tools, functions }: ChatCompletionRequest): boolean =>
  !tools?.length && Boolean(functions?.length)

function parseTools(body: ChatCompletionRequest): Pick<ChatRequest, 'tools' | 'tool_choice'> {
  const { tools, tool_choice: choice, functions, function_call } = body
  if (usesFunctions(body)) {
    const toolChoice =
      typeof function_call === 'object' && function_call ? { name: function_call.name } : function_call
    return { tools: functions!.map(parseTool), tool_choice: toolChoice ?? undefined }
  }
  if (!tools?.length) return {}
  return {
    tools: tools.map((tool) =>
      tool.type === 'custom' ? toCustomFunction(readCustomTool(tool.custom)) : parseTool(tool.function),
    ),
    tool_choice:
      typeof choice === 'object' && choice ? { name: getChosenName(choice) } : (choice ?? undefined),
  }
}

type NamedChoice = Extract<ChatCompletionRequest['tool_choice'], object>
const getChosenName = (choice: NamedChoice): string =>
  choice.type === 'custom' ? choice.custom.name : choice.function.name

type CustomTool = Extract<NonNullable<ChatCompletionRequest['tools']>[number], { type: 'custom' }>['custom']

/** The names of custom tools, which are called with one free text. */
export const listCustomNames = ({ tools }: ChatCompletionRequest): ReadonlySet<string> =>
  new Set((tools ?? []).flatMap((tool) => (tool.type === 'custom' ? tool.custom.name : [])))

/** A grammar may stand in a member of its own, unlike in Responses. */
function readCustomTool({ name, description, format }: CustomTool) {
  if (format?.type !== 'grammar') return { name, description }
  const { syntax, definition } = 'grammar' in format ? (format.grammar as Grammar) : (format as Grammar)
  return { name, description, grammar: { syntax, definition } }
}

type Grammar = { syntax: string; definition: string }

/** Leaves out members without a value. */
function omitEmpty<Members extends object>(members: Members) {
  const entries = Object.entries(members).filter(
    ([, value]: [string, unknown]) => value !== null && value !== undefined && value !== '',
  )
  return Object.fromEntries(entries) as { [Name in keyof Members]?: NonNullable<Members[Name]> }
}

function parseMessages(messages: ChatCompletionMessage[]): PromptMessage[] {
  // Function calls have no id: a result belongs to the last call.
  let functionCallId = ''
  return messages.map((message, index) => {
    if (message.role === 'assistant' && message.function_call) functionCallId = `function_call_${index}`
    const openai = pickForwardedFields('completion_message', message)
    const parsed = parseRoleMessage(message, functionCallId)
    return Object.keys(openai).length ? { ...parsed, provider_options: { openai } } : parsed
  })
}

function parseRoleMessage(message: ChatCompletionMessage, functionCallId: string): PromptMessage {
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: parseContent(message.content ?? '') }
    case 'user':
      return { role: 'user', content: parseContent(message.content ?? '') }
    case 'tool':
      return {
        role: 'tool',
        tool_call_id: message.tool_call_id,
        content: parseContent(message.content ?? ''),
      }
    case 'function':
      return { role: 'tool', tool_call_id: functionCallId, content: parseContent(message.content ?? '') }
    case 'assistant': {
      const { function_call } = message
      const toolCalls = function_call
        ? [{ id: functionCallId, name: function_call.name, arguments: function_call.arguments }]
        : message.tool_calls?.map(parseToolCall)
      const reasoning = parseReasoning(message)
      return {
        role: 'assistant',
        content: parseContent(message.content ?? ''),
        ...(toolCalls?.length ? { tool_calls: toolCalls } : {}),
        ...(reasoning ? { reasoning } : {}),
      }
    }
  }
}

type AssistantMessage = Extract<ChatCompletionMessage, { role: 'assistant' }>

function parseToolCall(call: NonNullable<AssistantMessage['tool_calls']>[number]): ToolCall {
  if (call.type === 'custom') {
    const { name, input } = call.custom
    return { id: call.id, name, arguments: encodeCustomInput(input) }
  }
  const { name, arguments: text } = call.function
  return { id: call.id, name, arguments: text }
}

/** Reads the reasoning of a message, as DeepSeek, OpenRouter and MiniMax name it. */
function parseReasoning({
  reasoning_content,
  reasoning,
  reasoning_details,
}: AssistantMessage): Reasoning | null {
  const details = reasoning_details ?? []
  const detailed = details.flatMap(({ text, summary }) => text || summary || []).join('')
  const text = reasoning_content || reasoning || detailed
  const signed = details.flatMap(({ text: piece, signature, data }): SignedReasoning[] => {
    if (data) return [{ text: '', signature: data, redacted: true }]
    return signature ? [{ text: piece ?? '', signature }] : []
  })
  return text || signed.length ? { text, ...(signed.length ? { signed } : {}) } : null
}

type InputContent = NonNullable<ChatCompletionMessage['content']>
type InputPart = Exclude<InputContent, string>[number]

const parseContent = (content: InputContent): Content =>
  typeof content === 'string' ? content : content.map(parsePart)

/** Throws AppError bad_request for a file that is neither a text nor a PDF. */
function parsePart(part: InputPart): ContentPart {
  switch (part.type) {
    case 'text':
      // Only the type is passed on: a cache with a longer time to live has a price of its own.
      return {
        type: 'text',
        text: part.text,
        ...(part.cache_control ? { cache_control: { type: 'ephemeral' } } : {}),
      }
    case 'refusal':
      return { type: 'text', text: part.refusal }
    case 'image_url':
      return parseImageUrl(part.image_url.url, part.image_url.detail)
    case 'input_audio':
      return parseAudio(part)
    case 'file':
      return parseFile(part.file.file_data, part.file.filename ?? undefined)
  }
}

/** A URL is fetched by the platform, never from here. */
export function parseImageUrl(url: string, detail?: string | null): ImagePart {
  const detailField = detail ? { detail } : {}
  if (!url.startsWith('data:')) return { type: 'image', url, ...detailField }
  const comma = url.indexOf(',')
  return {
    type: 'image',
    ...detailField,
    media_type: url.slice('data:'.length, comma - ';base64'.length),
    data: url.slice(comma + 1),
  }
}

export const parseAudio = ({
  input_audio: { data, format },
}: {
  input_audio: Pick<AudioPart, 'data' | 'format'>
}): AudioPart => ({ type: 'audio', format, data: data.replace(/^data:[^,]{0,100},/, '') })
