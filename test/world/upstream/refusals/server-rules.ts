import { estimateTokens, findLateSystem, findThoughtlessCalls } from './chat-checks.ts'
import {
  COMMON_RULES,
  choiceNeedsTools,
  resultsFollowCalls,
  resultsHaveCalls,
  toolNames,
} from './common-rules.ts'
import { readText, rule } from './rule.ts'
import type { Body, Rule } from './rule.ts'

/** The rules of servers that run other vendors' models. */

/** Qwen's templates have this rule on every server. */
export const qwenSystemComesFirst: Rule = rule(
  'system-comes-first',
  'https://github.com/vllm-project/vllm/issues/41114',
  (body) =>
    /qwen/i.test(readText(body.model)) && findLateSystem(body)
      ? { message: 'System message must be at the beginning.' }
      : null,
)

export const SILICONFLOW_RULES: Rule[] = [
  qwenSystemComesFirst,
  rule('thoughts-come-back', 'https://github.com/agentscope-ai/QwenPaw/issues/433', (body) => {
    const hasThoughts = /Kimi-K(2\.[5-9]|[3-9])/.test(readText(body.model)) && body.enable_thinking !== false
    const found = hasThoughts ? findThoughtlessCalls(body, { isEmptyMissing: true }) : null
    return (
      found && {
        message: `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${found.index}`,
      }
    )
  }),
  resultsFollowCalls,
  resultsHaveCalls,
  toolNames,
]

const WINDOW = 32_768
const readMaxTokens = ({ max_tokens, max_completion_tokens }: Body): number =>
  Number(max_completion_tokens ?? max_tokens ?? 0)

export const VLLM_RULES: Rule[] = [
  ...COMMON_RULES,
  rule('answer-fits-window', 'https://github.com/vllm-project/vllm/issues/42474', (body) => {
    const [asked, prompt] = [readMaxTokens(body), estimateTokens(body)]
    return asked + prompt > WINDOW
      ? {
          message: `This model's maximum context length is ${WINDOW} tokens. However, you requested ${asked} output tokens and your prompt contains at least ${prompt} input tokens, for a total of at least ${asked + prompt} tokens.`,
        }
      : null
  }),
]

export const OPENROUTER_RULES: Rule[] = [
  resultsFollowCalls,
  resultsHaveCalls,
  toolNames,
  choiceNeedsTools,
  rule('answer-fits-window', 'https://github.com/Aider-AI/aider/issues/3721', (body) => {
    const [asked, prompt] = [readMaxTokens(body), estimateTokens(body)]
    return asked + prompt > WINDOW
      ? {
          message: `This endpoint's maximum context length is ${WINDOW} tokens. However, you requested about ${asked + prompt} tokens (${prompt} of text input, ${asked} in the output). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.`,
        }
      : null
  }),
]
