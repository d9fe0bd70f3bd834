import type { Completion, CompletionToolCall, CompletionUsage } from '#contract/gateway.ts'
import type { ToolCall } from '../../llm/chat.ts'
import type { Ended } from '../../runs/finish.ts'
import { secondsOf } from '../source.ts'

/** What every chunk and the whole completion bear. */
export type Head = { id: string; created: number; model: string }

export const headOf = (run_id: string, model: string): Head => ({
  id: `chatcmpl-${run_id}`,
  created: secondsOf(run_id),
  model,
})

/** An answer in OpenAI's shape (https://platform.openai.com/docs/api-reference/chat/object). */
export function completionOf({ id, created, model }: Head, { outcome, said, metered }: Ended): Completion {
  const { reasoning, tool_calls, logprobs } = said
  const message: Completion['choices'][0]['message'] = {
    role: 'assistant',
    content: outcome.text || (tool_calls.length ? null : ''),
    refusal: null,
    ...(reasoning ? { reasoning_content: reasoning } : {}),
    ...(tool_calls.length ? { tool_calls: tool_calls.map(callOf) } : {}),
  }
  const choice = {
    index: 0,
    message,
    logprobs: logprobs ? { content: logprobs, refusal: null } : null,
    finish_reason: finishReason(said.finish),
  } as const
  return { id, object: 'chat.completion', created, model, choices: [choice], usage: usageOf(metered) }
}

const callOf = ({ id, name, arguments: text }: ToolCall): CompletionToolCall => ({
  id,
  type: 'function',
  function: { name, arguments: text },
})

export function usageOf({ tokens }: Ended['metered']): CompletionUsage {
  const { input, output, cached, reasoning } = tokens
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    billed_units: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}

/** One of the words that clients know. */
export function finishReason(finish: string | null): string {
  return finish !== null && /^(length|tool_calls|content_filter)$/.test(finish) ? finish : 'stop'
}
