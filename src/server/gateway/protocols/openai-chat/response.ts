import type {
  BackgroundCompletion,
  ChatCompletion,
  ChatCompletionChoice,
  ChatCompletionPicture,
  ChatCompletionToolCall,
  ChatCompletionUsage,
} from '#contract/gateway/completion-answers.ts'
import { getIdSeconds } from '#server/core/ids.ts'
import type { ToolCall } from '#server/llm/llm.ts'
import { createOpenAiErrorBody } from '../../http/errors.ts'
import { decodeCustomInput } from '../custom-input.ts'
import type { CachedResult } from '../../pipeline/cached-result.ts'
import type { BackgroundState } from '../../pipeline/background.ts'

/** Properties that every chunk and the whole completion share. */
export type CompletionHeader = {
  id: string
  created: number
  model: string
  /** The first tool call is answered as a `function_call`, see `usesFunctions`. */
  as_function: boolean
  /** A call of these tools is answered with its one text. */
  customNames: ReadonlySet<string>
}

export const createCompletionHeader = (
  runId: string,
  model: string,
  { as_function = false, customNames = new Set() }: Partial<CompletionHeader> = {},
): CompletionHeader => ({
  id: `chatcmpl-${runId}`,
  created: getIdSeconds(runId),
  model,
  as_function,
  customNames,
})

/** A response in OpenAI's shape (https://platform.openai.com/docs/api-reference/chat/object). */
export function formatCompletion(header: CompletionHeader, result: CachedResult): ChatCompletion {
  const { id, created, model } = header
  const { text, response } = result
  const others = (response.alternatives ?? []).map((one, index) =>
    formatChoice(index + 1, one.text, one, header),
  )
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [formatChoice(0, text, response, header), ...others],
    usage: formatUsage(result),
    ...response.platform_fields,
  }
}

function formatChoice(
  index: number,
  text: string,
  response: CachedResult['response'],
  { as_function, customNames }: CompletionHeader,
): ChatCompletionChoice {
  const { reasoning, tool_calls, pictures, logprobs, annotations, refusal = '', finish } = response
  const content = text.slice(0, text.length - refusal.length)
  const calls = tool_calls.map((call) => formatToolCall(call, customNames))
  const message: ChatCompletionChoice['message'] = {
    role: 'assistant',
    content: content || (tool_calls.length || refusal ? null : ''),
    refusal: refusal || null,
    ...(reasoning ? { reasoning_content: reasoning } : {}),
    ...(calls.length ? formatToolCalls(calls, as_function) : {}),
    ...(pictures ? { images: pictures.map(formatPicture) } : {}),
    ...(annotations ? { annotations } : {}),
  }
  return {
    index,
    message,
    logprobs: logprobs ? { content: logprobs, refusal: null } : null,
    finish_reason: toFinishReason(finish, as_function),
  }
}

/** A completion in the background, without choices while it has no result. */
export function formatBackground(
  header: CompletionHeader,
  { status, code, rejection, result }: BackgroundState,
): BackgroundCompletion {
  if (result) return { ...formatCompletion(header, result), status }
  const { id, created, model } = header
  const pending = { id, object: 'chat.completion', status, created, model, choices: [] as [] } as const
  return { ...pending, ...(code ? createOpenAiErrorBody(code, { rejection }) : {}) }
}

const formatToolCalls = (
  toolCalls: ChatCompletionToolCall[],
  asFunction: boolean,
): Pick<ChatCompletionChoice['message'], 'tool_calls' | 'function_call'> =>
  asFunction && toolCalls[0]?.type === 'function'
    ? { function_call: toolCalls[0].function }
    : { tool_calls: toolCalls }

const formatToolCall = (
  { id, name, arguments: text }: ToolCall,
  customNames: ReadonlySet<string>,
): ChatCompletionToolCall =>
  customNames.has(name)
    ? { id, type: 'custom', custom: { name, input: decodeCustomInput(text) } }
    : { id, type: 'function', function: { name, arguments: text } }

export const formatPicture = (url: string, index: number): ChatCompletionPicture => ({
  type: 'image_url',
  index,
  image_url: { url },
})

/** Usage with all of its details. A token that a platform reports as two kinds counts as the first of them. */
export function formatUsage({ metered }: Pick<CachedResult, 'metered'>): ChatCompletionUsage {
  const { input, output, cached, reasoning, ...media } = metered.tokens
  const { audio_input = 0, image_input = 0, audio_output = 0, image_output = 0 } = media
  const imagePrompt = Math.min(image_input, input - audio_input)
  const audioAnswer = Math.min(audio_output, output - reasoning)
  const imageAnswer = Math.min(image_output, output - reasoning - audioAnswer)
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    billed_units: input + output,
    prompt_tokens_details: {
      cached_tokens: cached,
      text_tokens: input - audio_input - imagePrompt,
      audio_tokens: audio_input,
      image_tokens: imagePrompt,
      video_tokens: 0,
      citation_tokens: 0,
    },
    completion_tokens_details: {
      text_tokens: output - reasoning - audioAnswer - imageAnswer,
      audio_tokens: audioAnswer,
      image_tokens: imageAnswer,
      reasoning_tokens: reasoning,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}

/** Returns a reason that clients know. An answer that ended for any other reason may be cut short: `length`. */
export function toFinishReason(finish: string | null, asFunction = false): string {
  if (asFunction && finish === 'tool_calls') return 'function_call'
  return finish === null ? 'stop' : /^(stop|tool_calls|content_filter)$/.test(finish) ? finish : 'length'
}
