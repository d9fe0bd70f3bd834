import { getThinkingMode, THINKING_BUDGET, toKnownEffort } from '../../catalogue/families.ts'
import type { Family } from '../../catalogue/families.ts'
import { isThinking } from '../../prompt/reasoning.ts'
import { isToolForced } from '../../chat-request.ts'
import type { AnthropicThinking, ChatRequest, PromptMessage } from '../../chat-request.ts'

const MIN_BUDGET = 1024

type ThinkingFields = {
  thinking?: AnthropicThinking
  output_config?: { effort: string }
  temperature?: number
  top_p?: number
  top_k?: number
}

/**
 * The fields for thinking and sampling, which differ by a model's family: older ones think within a budget
 * (https://platform.claude.com/docs/en/build-with-claude/extended-thinking), newer ones adaptively
 * (https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking). An unknown family thinks within a budget.
 * `needsBinding`: the platform drops reasoning that does not fit the prompt before it.
 */
export function buildThinkingFields(
  family: Family,
  request: ChatRequest,
  needsBinding = false,
): ThinkingFields {
  const fields = buildUnboundFields(family, request)
  const { thinking = { type: 'adaptive' } } = fields
  if (!needsBinding || thinking.type !== 'adaptive') return fields
  return { ...fields, thinking: { block_binding: { prefix_mismatch_behavior: 'drop_block' }, ...thinking } }
}

function buildUnboundFields(family: Family, request: ChatRequest): ThinkingFields {
  const requested = request.provider_options?.anthropic?.thinking
  const thinkingFields = toThinkingFields(family, request, requested)
  if (thinkingFields) return thinkingFields
  // A model that thinks adaptively does so unless it is told not to, and a forced tool excludes it.
  const isAdaptive = family.thinking?.forms?.[0] === 'adaptive'
  const isOff =
    (requested?.type === 'disabled' || (isAdaptive && isToolForced(request))) &&
    getThinkingMode(family) !== 'always'
  const fields: ThinkingFields = isOff ? { thinking: { type: 'disabled' } } : {}
  return family.refuses.includes('temperature') ? fields : { ...fields, ...toSampling(request) }
}

function toSampling({ temperature, top_p, top_k }: ChatRequest): ThinkingFields {
  const fields: ThinkingFields = top_k === undefined ? {} : { top_k }
  // Not both: newer versions reject that.
  if (temperature === undefined) return top_p === undefined ? fields : { ...fields, top_p }
  // Anthropic's range ends at 1, the others' at 2.
  return { ...fields, temperature: Math.min(temperature, 1) }
}

/** Null: no thinking. A form of thinking that the family does not support becomes one that it supports. */
function toThinkingFields(
  { thinking }: Family,
  request: ChatRequest,
  requested: AnthropicThinking | undefined,
): ThinkingFields | null {
  const { reasoning_effort: effort, max_tokens } = request
  const forms = thinking?.forms ?? ['budget']
  if (thinking === null || requested?.type === 'disabled') return null
  // A forced tool and thinking exclude each other.
  if (isToolForced(request)) return null
  if (requested?.type === 'adaptive' && forms.includes('adaptive')) return { thinking: requested }
  if (requested?.type === 'enabled' && forms.includes('budget')) {
    return toBudgetedThinking(request, {
      ...requested,
      budget_tokens: Math.min(requested.budget_tokens, max_tokens - 1),
    })
  }
  if (!effort || effort === 'none') return null
  if (forms[0] === 'adaptive') {
    const config = { effort: toKnownEffort(effort, thinking?.efforts ?? []) }
    return { thinking: { type: 'adaptive', display: 'summarized' }, output_config: config }
  }
  const budgetTokens = Math.min(THINKING_BUDGET[effort], Math.floor(max_tokens / 2))
  return toBudgetedThinking(request, { type: 'enabled', budget_tokens: budgetTokens })
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

/** Tells whether the last answer of the prompt has signed reasoning. */
const hasThinkingBlocks = (messages: PromptMessage[]): boolean =>
  hasReasoning([messages.findLast(({ role }) => role === 'assistant')].flatMap((last) => last ?? []))

/** Tells whether one of the messages has signed reasoning, by itself or in blocks of this dialect. */
export const hasReasoning = (messages: PromptMessage[]): boolean =>
  messages.some(
    (message) =>
      message.role === 'assistant' &&
      (message.reasoning?.signed?.length || message.provider_options?.anthropic?.blocks.some(isThinking)),
  )
