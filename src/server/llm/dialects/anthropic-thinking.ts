import type { ChatRequest } from '../chat.ts'

/** Tokens to think with, of models that want a number. */
const BUDGET = { minimal: 1024, low: 2048, medium: 8192, high: 24_576 }
const LEAST_BUDGET = 1024

type Thinking = {
  thinking?: object
  output_config?: { effort: string }
  temperature?: number
  top_p?: number
}

/**
 * How a Claude thinks and samples, which differs by its version:
 * up to 4.5 it thinks within a budget (https://platform.claude.com/docs/en/build-with-claude/extended-thinking), from 4.6
 * on as it sees fit (https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking), and from 4.7 on it refuses
 * temperature and top_p. Other makers' models behind this dialect are spoken to in the oldest form.
 */
export function anthropicThinking(model: string, request: ChatRequest): Thinking {
  const version = versionOf(model)
  const thinking = thinkingOf(version, request)
  if (thinking || version >= 4.7) return thinking ?? {}
  const { temperature, top_p } = request
  // Not both: the newer ones refuse that.
  if (temperature === undefined) return top_p === undefined ? {} : { top_p }
  // Anthropic's ends at 1, the others' at 2.
  return { temperature: Math.min(temperature, 1) }
}

function thinkingOf(version: number, request: ChatRequest): Thinking | null {
  const { reasoning_effort: effort, tool_choice, messages, max_tokens } = request
  if (!effort || effort === 'none') return null
  // A forced tool and thinking exclude each other.
  if (typeof tool_choice === 'object' || tool_choice === 'required') return null
  if (version >= 4.6) {
    const asked = { effort: effort === 'minimal' ? 'low' : effort }
    return { thinking: { type: 'adaptive', display: 'summarized' }, output_config: asked }
  }
  // Within a budget, a turn that called tools goes on only with its signed thoughts, which no door carries.
  if (messages.at(-1)?.role === 'tool') return null
  const budget_tokens = Math.min(BUDGET[effort], Math.floor(max_tokens / 2))
  return budget_tokens < LEAST_BUDGET ? null : { thinking: { type: 'enabled', budget_tokens } }
}

/** 4.5 of `claude-sonnet-4-5-20250929`, 3.7 of `claude-3-7-sonnet-latest`, 4 of `claude-opus-4-20250514`; 0 of others. */
function versionOf(model: string): number {
  const [, major, minor = '0'] = /^claude-(?:[a-z]+-)?(\d+)(?:-(\d)(?!\d))?/.exec(model) ?? []
  return major === undefined ? 0 : Number(`${major}.${minor}`)
}
