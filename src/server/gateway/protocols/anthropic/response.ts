import type { MessageResponse, MessageBlock, MessageUsage, StopReason } from '#contract/gateway/messages.ts'
import { parseToolArguments } from '#server/llm/llm.ts'
import type { CachedResult } from '../../pipeline/cached-result.ts'
import { encodeCallId } from './call-ids.ts'
import { toIncrements } from '../../pipeline/response-writer.ts'
import type { OutputIncrement } from '../../pipeline/response-writer.ts'

/** A message before any output. */
export type MessageHeader = Omit<MessageResponse, 'usage' | 'stop_reason'>

export const createMessageHeader = (runId: string, model: string): MessageHeader => ({
  id: `msg_${runId}`,
  type: 'message',
  role: 'assistant',
  model,
  content: [],
  stop_sequence: null,
  stop_details: null,
  container: null,
  diagnostics: null,
})

/** A response in Anthropic's shape (https://platform.claude.com/docs/en/api/messages). */
export const formatMessage = (head: MessageHeader, result: CachedResult): MessageResponse => ({
  ...head,
  content: formatBlocks(toIncrements(result)),
  ...formatStop(result),
  usage: { ...formatUsage(result.metered), ...UNKNOWN_USAGE_FIELDS },
})

/** Fields of a usage that are not known here. */
export const UNKNOWN_USAGE_FIELDS = {
  cache_creation: null,
  inference_geo: null,
  service_tier: null,
  speed: null,
}

/** Tokens read from and written to the cache are counted apart. */
export function formatUsage({ tokens }: CachedResult['metered']): MessageUsage {
  const { input, output, cached, cache_write, reasoning } = tokens
  return {
    input_tokens: input - cached - cache_write,
    cache_creation_input_tokens: cache_write,
    cache_read_input_tokens: cached,
    output_tokens: output,
    output_tokens_details: reasoning ? { thinking_tokens: reasoning } : null,
    server_tool_use: null,
  }
}

export function formatStop({ response }: CachedResult): {
  stop_reason: StopReason
  stop_sequence: string | null
} {
  const { tool_calls, refusal, stop_sequence = null } = response
  const finish = refusal ? 'content_filter' : response.finish
  return { stop_reason: toStopReason(finish, tool_calls.length > 0, stop_sequence !== null), stop_sequence }
}

/** Some platforms report no separate reason for tool calls. */
function toStopReason(finish: string | null, calls: boolean, sequence: boolean): StopReason {
  if (finish === 'length') return 'max_tokens'
  if (finish === 'content_filter') return 'refusal'
  if (calls) return 'tool_use'
  return sequence ? 'stop_sequence' : 'end_turn'
}

function formatBlocks(parts: OutputIncrement[]): MessageBlock[] {
  const blocks: MessageBlock[] = []
  for (const part of parts) {
    if (part.type === 'choice' || part.type === 'annotations') continue
    const last = blocks.at(-1)
    if (part.type === 'signature' && !part.redacted && last?.type === 'thinking') {
      last.signature = part.signature
    } else blocks.push(formatBlock(part))
  }
  return blocks
}

/** Messages of this protocol hold no pictures, so a picture is written as Markdown. */
export const formatPicture = (url: string): string => `\n\n![](${url})\n\n`

function formatBlock(part: Exclude<OutputIncrement, { type: 'choice' | 'annotations' }>): MessageBlock {
  switch (part.type) {
    case 'delta':
      return { type: 'text', text: part.text }
    case 'picture':
      return { type: 'text', text: formatPicture(part.url) }
    case 'reasoning':
      return { type: 'thinking', thinking: part.text, signature: '' }
    case 'signature':
      return part.redacted
        ? { type: 'redacted_thinking', data: part.signature }
        : { type: 'thinking', thinking: '', signature: part.signature }
    case 'tool_call': {
      const { id, name } = part
      return {
        type: 'tool_use',
        id: encodeCallId(id),
        name,
        input: parseToolArguments(part),
        caller: { type: 'direct' },
      }
    }
  }
}
