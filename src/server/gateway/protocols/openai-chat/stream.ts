import { isJsonObject } from '#server/core/json.ts'
import { createOpenAiErrorBody } from '../../http/errors.ts'
import type { CachedResult } from '../../pipeline/cached-result.ts'
import type { OutputIncrement, ResponseWriter } from '../../pipeline/response-writer.ts'
import { createCustomInputReader } from '../custom-input.ts'
import type { CustomInputReader } from '../custom-input.ts'
import { formatPicture, formatUsage, toFinishReason } from './response.ts'
import type { CompletionHeader } from './response.ts'

const FIRST_DELTA = '{"role":"assistant","content":""}'
const event = (data: string): string => `data: ${data}\n\n`

/**
 * Writes a response as OpenAI's chunks (https://platform.openai.com/docs/api-reference/chat-streaming). With `includeUsage` the
 * usage comes last, beside the fields that `describe` adds, and every chunk before it has a null. No `[DONE]` follows an error.
 */
export function createChunkWriter(
  { id, created, model, as_function, customNames }: CompletionHeader,
  includeUsage: boolean,
  describe: (result: CachedResult) => object = () => ({}),
): ResponseWriter {
  const prefix = JSON.stringify({ id, object: 'chat.completion.chunk', created, model }).slice(0, -1)
  const suffix = includeUsage ? ',"usage":null}' : '}'
  const chunk = (delta: string, { index = 0, finish = 'null', logprobs = 'null' } = {}): string =>
    event(
      `${prefix},"choices":[{"index":${index},"delta":${delta},"logprobs":${logprobs},"finish_reason":${finish}}]${suffix}`,
    )
  const rewrite = createChunkRewriter({ id, created, model })
  /** Count of pictures so far, and the readers of the inputs of custom tools, by the index of the call. */
  let pictures = 0
  const inputs = new Map<number, CustomInputReader>()
  const formatPart = (part: Piece): string => {
    if (part.type === 'picture') return formatDelta(part, as_function, pictures++)
    if (part.type !== 'tool_call') return formatDelta(part, as_function)
    if (customNames.has(part.name)) inputs.set(part.index, createCustomInputReader())
    const input = inputs.get(part.index)
    return input ? formatCustomCallDelta(part, input.read(part.arguments)) : formatDelta(part, as_function)
  }
  /** Writes the text that the readers of custom inputs still hold back. */
  const writeInputEnds = (): string =>
    [...inputs]
      .map(([index, input]) => [index, input.end()] as const)
      .filter(([, rest]) => rest)
      .map(([index, input]) => chunk(JSON.stringify({ tool_calls: [{ index, custom: { input } }] })))
      .join('')
  const hasUsage = (raw: string): boolean => !includeUsage || raw.includes('"usage":null')
  let hasStarted = false
  /** Indexes of the further answers that have begun. */
  const started = new Set<number>()
  const startChoice = (index: number): string => {
    if (started.has(index)) return ''
    started.add(index)
    return chunk(FIRST_DELTA, { index })
  }

  return {
    writePart(part) {
      // Signatures are of use to their own platform only, and OpenAI's shape has no place for them.
      if (part.type === 'signature') return ''
      if (part.type === 'choice') {
        // The reason of its end is sent with the usage of all answers, once that is settled.
        if (part.part.type === 'finish' || part.part.type === 'replace') return ''
        const { index } = part
        return (
          startChoice(index) +
          chunk(formatDelta(part.part, as_function), { index, ...formatLogprobs(part.part) })
        )
      }
      const upstreamChunk = 'raw' in part ? part.raw : undefined
      const raw = upstreamChunk && hasUsage(upstreamChunk) ? rewrite(upstreamChunk) : null
      const text = raw === null ? chunk(formatPart(part), formatLogprobs(part)) : event(raw)
      if (hasStarted) return text
      hasStarted = true
      return chunk(FIRST_DELTA) + text
    },

    writeEnd(result: CachedResult) {
      const { response } = result
      const last = { choices: [], usage: formatUsage(result), ...describe(result) }
      const usage = event(`${prefix},${JSON.stringify(last).slice(1)}`)
      const finish = [response, ...(response.alternatives ?? [])]
        .map((one, index) =>
          chunk('{}', { index, finish: JSON.stringify(toFinishReason(one.finish, as_function)) }),
        )
        .join('')
      return `${writeInputEnds()}${finish}${includeUsage ? usage : ''}data: [DONE]\n\n`
    },

    writeError: (code, rejection) => event(JSON.stringify(createOpenAiErrorBody(code, { rejection }))),
  }
}

type Piece = Exclude<OutputIncrement, { type: 'signature' | 'choice' }>
type ToolCallPiece = Extract<OutputIncrement, { type: 'tool_call' }>

const formatLogprobs = (part: Piece): { logprobs?: string } =>
  'logprobs' in part ? { logprobs: JSON.stringify({ content: part.logprobs, refusal: null }) } : {}

function formatDelta(part: Piece, asFunction: boolean, pictureIndex = 0): string {
  if (part.type === 'picture') return JSON.stringify({ images: [formatPicture(part.url, pictureIndex)] })
  if (part.type === 'delta') return `{"${part.refusal ? 'refusal' : 'content'}":${JSON.stringify(part.text)}}`
  if (part.type === 'reasoning') return `{"reasoning_content":${JSON.stringify(part.text)}}`
  if (part.type === 'annotations') return JSON.stringify({ annotations: part.annotations })
  return asFunction ? formatFunctionCallDelta(part) : formatToolCallDelta(part)
}

/** An answer has one function call at most: the first of several tool calls. */
function formatFunctionCallDelta({ index, name, arguments: text }: ToolCallPiece): string {
  if (index > 0) return '{}'
  return JSON.stringify({ function_call: { ...(name ? { name } : {}), arguments: text } })
}

/** Id, type and name come with the first piece of a call only. */
function formatToolCallDelta({ index, id, name, arguments: text }: ToolCallPiece): string {
  const call = id
    ? { index, id, type: 'function', function: { name, arguments: text } }
    : { index, function: { arguments: text } }
  return JSON.stringify({ tool_calls: [call] })
}

/** The same for a custom tool, whose arguments hold its one text. */
function formatCustomCallDelta({ index, id, name }: ToolCallPiece, input: string): string {
  const call = id ? { index, id, type: 'custom', custom: { name, input } } : { index, custom: { input } }
  return JSON.stringify({ tool_calls: [call] })
}

/**
 * Rewrites chunks of OpenAI's shape with the id, time and model of this completion. All chunks of a stream begin with the same
 * fields: those are parsed and serialized once, and the rest is not read. Returns null for a chunk that does not begin with all
 * of them: it must be serialized anew.
 */
function createChunkRewriter(
  head: Pick<CompletionHeader, 'id' | 'created' | 'model'>,
): (raw: string) => string | null {
  let upstreamPrefix: string | null = null
  let ownPrefix = ''
  return (raw) => {
    if (raw.includes('\n')) return null
    if (upstreamPrefix === null || !raw.startsWith(upstreamPrefix)) {
      const prefix = raw.slice(0, Math.max(0, raw.indexOf('"choices"')))
      const fields = parseLeadingFields(prefix)
      if (!fields) return null
      upstreamPrefix = prefix
      ownPrefix = `${JSON.stringify({ ...fields, ...head, object: 'chat.completion.chunk' }).slice(0, -1)},`
    }
    return ownPrefix + raw.slice(upstreamPrefix.length)
  }
}

/** Parses the fields before the choices; null unless all are there, so that none of them can follow. */
function parseLeadingFields(prefix: string): object | null {
  try {
    const fields: unknown = JSON.parse(`${prefix.replace(/,\s*$/, '')}}`)
    return isJsonObject(fields) && ['id', 'object', 'created', 'model'].every((name) => name in fields)
      ? fields
      : null
  } catch {
    return null
  }
}
