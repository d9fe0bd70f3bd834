import type { AnthropicThinking, ChatRequest, PromptMessage } from '../../chat-request.ts'

/** Tokens for thinking, for models that need a number. */
const BUDGET = { minimal: 1024, low: 2048, medium: 8192, high: 24_576, xhigh: 32_768, max: 65_536 }
const MIN_BUDGET = 1024

type ThinkingFields = {
  thinking?: AnthropicThinking
  output_config?: { effort: string }
  temperature?: number
  top_p?: number
  top_k?: number
}

/**
 * The fields for thinking and sampling, which differ by a Claude's version: up to 4.5 it thinks within a budget
 * (https://platform.claude.com/docs/en/build-with-claude/extended-thinking), from 4.6 on adaptively
 * (https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking), and from 4.7 on it rejects temperature, top_p
 * and top_k. Other vendors' models behind this dialect get the oldest form.
 */
export function buildThinkingFields(model: string, request: ChatRequest): ThinkingFields {
  const version = parseVersion(model)
  const requested = request.provider_options?.anthropic?.thinking
  const thinking_fields = toThinkingFields(version, request, requested)
  if (thinking_fields) return thinking_fields
  const fields: ThinkingFields = requested?.type === 'disabled' ? { thinking: requested } : {}
  return version >= 4.7 ? fields : { ...fields, ...toSampling(request) }
}

function toSampling({ temperature, top_p, top_k }: ChatRequest): ThinkingFields {
  const fields: ThinkingFields = top_k === undefined ? {} : { top_k }
  // Not both: newer versions reject that.
  if (temperature === undefined) return top_p === undefined ? fields : { ...fields, top_p }
  // Anthropic's range ends at 1, the others' at 2.
  return { ...fields, temperature: Math.min(temperature, 1) }
}

/** Null: no thinking. A kind of thinking that the version does not support becomes the one that it supports. */
function toThinkingFields(
  version: number,
  request: ChatRequest,
  requested: AnthropicThinking | undefined,
): ThinkingFields | null {
  const { reasoning_effort: effort, tool_choice, max_tokens } = request
  if (requested?.type === 'disabled') return null
  // A forced tool and thinking exclude each other.
  if (typeof tool_choice === 'object' || tool_choice === 'required') return null
  if (requested?.type === 'adaptive' && version >= 4.6) return { thinking: requested }
  if (requested?.type === 'enabled' && version < 4.7) {
    return toBudgetedThinking(request, {
      ...requested,
      budget_tokens: Math.min(requested.budget_tokens, max_tokens - 1),
    })
  }
  if (!effort || effort === 'none') return null
  if (version >= 4.6) {
    const config = { effort: toEffortLevel(version, effort) }
    return { thinking: { type: 'adaptive', display: 'summarized' }, output_config: config }
  }
  const budget_tokens = Math.min(BUDGET[effort], Math.floor(max_tokens / 2))
  return toBudgetedThinking(request, { type: 'enabled', budget_tokens })
}

/** https://platform.claude.com/docs/en/build-with-claude/effort: there is no `minimal`, and `xhigh` came with 4.7. */
function toEffortLevel(version: number, effort: keyof typeof BUDGET): string {
  if (effort === 'minimal') return 'low'
  return effort === 'xhigh' && version < 4.7 ? 'high' : effort
}

/** With a budget, a turn that called tools continues only with its signed thinking, which not every protocol carries. */
function toBudgetedThinking(
  { messages }: ChatRequest,
  thinking: Extract<AnthropicThinking, { type: 'enabled' }>,
): ThinkingFields | null {
  const last = messages.findLast(({ role }) => role !== 'system')
  const isMissingSignature = last?.role === 'tool' && !hasThinkingBlocks(messages)
  return isMissingSignature || thinking.budget_tokens < MIN_BUDGET ? null : { thinking }
}

function hasThinkingBlocks(messages: PromptMessage[]): boolean {
  const last = messages.findLast(({ role }) => role === 'assistant')
  const blocks = last?.provider_options?.anthropic?.blocks ?? []
  return blocks.some(({ type }) => type === 'thinking' || type === 'redacted_thinking')
}

/** 4.5 of `claude-sonnet-4-5-20250929`, 3.7 of `claude-3-7-sonnet-latest`, 4 of `claude-opus-4-20250514`; 0 of others. */
export function parseVersion(model: string): number {
  const [, major, minor = '0'] = /^claude-(?:[a-z]+-)?(\d+)(?:-(\d)(?!\d))?/.exec(model) ?? []
  return major === undefined ? 0 : Number(`${major}.${minor}`)
}
