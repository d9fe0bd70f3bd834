import type { Message, MessageBlock, MessageUsage, StopReason } from '#contract/messages.ts'
import { argumentsOf } from '../../llm/dialects/turns.ts'
import type { Ended } from '../../runs/finish.ts'
import { partsOf } from '../increments.ts'
import type { Increment } from '../increments.ts'

/** What a message bears before anything is said. */
export type Head = Omit<Message, 'usage' | 'stop_reason'>

export const headOf = (run_id: string, model: string): Head => ({
  id: `msg_${run_id}`,
  type: 'message',
  role: 'assistant',
  model,
  content: [],
  stop_sequence: null,
  stop_details: null,
  container: null,
  diagnostics: null,
})

/** An answer in Anthropic's shape (https://platform.claude.com/docs/en/api/messages). */
export const messageOf = (head: Head, ended: Ended): Message => ({
  ...head,
  content: blocksOf(partsOf(ended)),
  ...stopOf(ended),
  usage: { ...usageOf(ended.metered), ...UNKNOWN },
})

/** What the pipe does not know of a usage. */
export const UNKNOWN = { cache_creation: null, inference_geo: null, service_tier: null, speed: null }

/** The platform counts apart what it read from and wrote to its cache. */
export function usageOf({ tokens }: Ended['metered']): MessageUsage {
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

export function stopOf({ said }: Ended): { stop_reason: StopReason; stop_sequence: string | null } {
  const { finish, tool_calls, stop_sequence = null } = said
  return { stop_reason: reasonOf(finish, tool_calls.length > 0, stop_sequence !== null), stop_sequence }
}

/** Some platforms name no reason of their own when they call tools. */
function reasonOf(finish: string | null, calls: boolean, sequence: boolean): StopReason {
  if (finish === 'length') return 'max_tokens'
  if (finish === 'content_filter') return 'refusal'
  if (calls) return 'tool_use'
  return sequence ? 'stop_sequence' : 'end_turn'
}

function blocksOf(parts: Increment[]): MessageBlock[] {
  const blocks: MessageBlock[] = []
  for (const part of parts) {
    const last = blocks.at(-1)
    if (part.type === 'signature' && !part.redacted && last?.type === 'thinking') {
      last.signature = part.signature
    } else blocks.push(blockOf(part))
  }
  return blocks
}

function blockOf(part: Increment): MessageBlock {
  switch (part.type) {
    case 'delta':
      return { type: 'text', text: part.text, citations: null }
    case 'reasoning':
      return { type: 'thinking', thinking: part.text, signature: '' }
    case 'signature':
      return part.redacted
        ? { type: 'redacted_thinking', data: part.signature }
        : { type: 'thinking', thinking: '', signature: part.signature }
    case 'tool_call': {
      const { id, name } = part
      return { type: 'tool_use', id, name, input: argumentsOf(part), caller: { type: 'direct' } }
    }
  }
}
