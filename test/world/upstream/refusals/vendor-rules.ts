import {
  estimateTokens,
  findArgumentsError,
  findCall,
  findDuplicateTool,
  findLateSystem,
  findStrayResult,
  findThoughtlessCalls,
  findTool,
  findUnansweredCalls,
  listTools,
} from './chat-checks.ts'
import {
  COMMON_RULES,
  choiceNeedsTools,
  resultsFollowCalls,
  resultsHaveCalls,
  schemasAreObjects,
  toolNames,
} from './common-rules.ts'
import { findFirst, readObject, readText, rule } from './rule.ts'
import type { Body, Rule } from './rule.ts'

/** The platforms of China, and servers of one's own: what they refuse beyond the dialect. */

const isThinking = (body: Body): boolean => readObject(body.thinking).type !== 'disabled'
const isForced = ({ tool_choice }: Body): boolean =>
  tool_choice === 'required' || Object.keys(readObject(tool_choice)).length > 0
const hasLongName = (body: Body): boolean => findTool(body, ({ name }) => name.length > 64) !== null

export const DEEPSEEK_RULES: Rule[] = [
  // Thinking is on unless switched off. An empty text is enough: https://github.com/architects-toolkit/SmartHopper/issues/660.
  rule('thoughts-come-back', 'https://api-docs.deepseek.com/guides/thinking_mode.md', (body) =>
    body.model !== 'deepseek-chat' &&
    isThinking(body) &&
    findThoughtlessCalls(body, { isEmptyMissing: false })
      ? {
          message: 'The `reasoning_content` in the thinking mode must be passed back to the API.',
          code: 'invalid_request_error',
        }
      : null,
  ),
  rule('results-follow-calls', 'https://github.com/zed-industries/zed/issues/51944', (body) =>
    findUnansweredCalls(body)
      ? {
          message:
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)",
          code: 'invalid_request_error',
        }
      : null,
  ),
  rule('results-have-calls', 'https://github.com/qwersyk/Newelle/issues/425', (body) =>
    findStrayResult(body)
      ? {
          message: "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
          code: 'invalid_request_error',
        }
      : null,
  ),
  rule('thinking-forces-no-tool', 'https://github.com/maximhq/bifrost/pull/5177', (body) =>
    body.model !== 'deepseek-chat' && isThinking(body) && isForced(body)
      ? { message: 'Thinking mode does not support this tool_choice', code: 'invalid_request_error' }
      : null,
  ),
  rule('tool-names-differ', 'https://github.com/router-for-me/CLIProxyAPI/issues/4788', (body) =>
    findDuplicateTool(body) ? { message: 'Tool names must be unique.', code: 'invalid_request_error' } : null,
  ),
  toolNames,
  schemasAreObjects,
]

/** A place in a schema where anyOf stands beside type, as Moonshot writes it. */
function findUnionBesideType(schema: unknown, place: string[] = []): string | null {
  const { anyOf, type, properties, items } = readObject(schema)
  if (Array.isArray(anyOf) && type !== undefined) return place.join('.') || 'root'
  const branches = Array.isArray(anyOf) ? anyOf : []
  return (
    findFirst(Object.entries(readObject(properties)), ([name, one]) =>
      findUnionBesideType(one, [...place, 'properties', name]),
    ) ??
    (items === undefined ? null : findUnionBesideType(items, [...place, 'items'])) ??
    findFirst(branches, (one, index) => findUnionBesideType(one, [...place, 'anyOf', String(index)]))
  )
}

export const MOONSHOT_RULES: Rule[] = [
  // Reports differ about an empty text; here it counts as none (https://github.com/anomalyco/opencode/issues/10996).
  rule('thoughts-come-back', 'https://github.com/bytedance/deer-flow/issues/3043', (body) => {
    const hasThoughts = !readText(body.model).startsWith('moonshot-v1') && isThinking(body)
    const found = hasThoughts ? findThoughtlessCalls(body, { isEmptyMissing: true }) : null
    return (
      found && {
        message: `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${found.index}`,
      }
    )
  }),
  resultsFollowCalls,
  resultsHaveCalls,
  rule('tool-names', 'https://github.com/MoonshotAI/kimi-cli/issues/1773', (body) =>
    findTool(body, ({ name }) => !/^[a-zA-Z][a-zA-Z0-9_-]*$/.test(name)) || hasLongName(body)
      ? {
          message:
            'function name is invalid, must start with a letter and can contain letters, numbers, underscores, and dashes',
        }
      : null,
  ),
  rule('schemas-are-objects', 'https://github.com/14790897/MiqroForge-Desktop/issues/1165', (body) =>
    findTool(body, ({ parameters }) => readObject(parameters).type !== 'object' && parameters !== undefined)
      ? { message: 'tools.function.parameters.type is required and must be "object"' }
      : null,
  ),
  // Not of all models at all times: https://github.com/14790897/MiqroForge-Desktop/issues/1165 got none in September 2026.
  rule('no-type-beside-union', 'https://github.com/openclaw/openclaw/issues/113130', (body) => {
    const place = findFirst(listTools(body), ({ parameters }) => findUnionBesideType(parameters))
    return place === null
      ? null
      : {
          message: `Invalid request: tools.function.parameters is not a valid moonshot flavored json schema, details: <At path '${place}': when using anyOf, type should be defined in anyOf items instead of the parent schema>`,
        }
  }),
]

export const MINIMAX_RULES: Rule[] = [
  rule('one-system-message', 'https://github.com/openclaw/openclaw/issues/19386', (body) => {
    const late = findLateSystem(body)
    if (!late) return null
    return {
      message: late.index === 1 ? 'invalid chat setting' : 'chat content has invalid message role: system',
    }
  }),
  rule('results-follow-calls', 'https://github.com/anomalyco/opencode/issues/32608', (body) =>
    findUnansweredCalls(body) ? { message: 'tool call result does not follow tool call' } : null,
  ),
  rule('results-have-calls', 'https://github.com/MiniMax-AI/MiniMax-M2/issues/76', (body) => {
    const found = findStrayResult(body)
    return found && { message: `tool result's tool id(${found.id}) not found` }
  }),
  rule('arguments-are-json', 'https://github.com/earendil-works/pi/issues/5468', (body) => {
    const call = findCall(body, (one) => findArgumentsError(one.arguments) !== null)
    return call && { message: `invalid function arguments json string, tool_call_id: ${call.id}` }
  }),
  rule('schemas-are-there', 'https://github.com/QwenLM/qwen-code/issues/11905', (body) =>
    findTool(body, ({ parameters }) => parameters === undefined)
      ? { message: 'function parameters is empty' }
      : null,
  ),
]

/** Of Qwen's templates, whoever runs them; those of models before 3.5 do not look. */
const qwenSystemComesFirst: Rule = rule(
  'system-comes-first',
  'https://github.com/vllm-project/vllm/issues/41114',
  (body) =>
    /qwen/i.test(readText(body.model)) && findLateSystem(body)
      ? { message: 'System message must be at the beginning.' }
      : null,
)

export const DASHSCOPE_RULES: Rule[] = [
  qwenSystemComesFirst,
  rule('results-follow-calls', 'https://github.com/QwenLM/qwen-code/issues/315', (body) => {
    const found = findUnansweredCalls(body)
    return (
      found && {
        message: `An assistant message with "tool_calls" must be followed by tool messages responding to each "tool_call_id". The following tool_call_ids did not have response messages: message[${found.index + 1}].role`,
      }
    )
  }),
  rule('results-have-calls', 'https://github.com/philschmid/mcp-openai-gemini-llama-example/pull/5', (body) =>
    findStrayResult(body)
      ? { message: 'messages with role "tool" must be a response to a preceeding message with "tool_calls".' }
      : null,
  ),
  rule('arguments-are-json', 'https://github.com/HKUDS/nanobot/issues/1487', (body) =>
    findCall(body, (one) => findArgumentsError(one.arguments) !== null)
      ? { message: 'The "function.arguments" parameter of the code model must be in JSON format.' }
      : null,
  ),
  rule('tool-names', 'https://github.com/QwenLM/Qwen3-VL/issues/2069', (body) =>
    hasLongName(body) ? { message: 'The length of the tool name cannot exceed 64.' } : null,
  ),
  rule('thinking-forces-no-tool', 'https://github.com/cloudwego/eino/issues/994', (body) =>
    body.enable_thinking === true && isForced(body)
      ? {
          message:
            'The tool_choice parameter does not support being set to required or object in thinking mode',
        }
      : null,
  ),
]

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

/** Of a platform of which nothing else is known: no rule about its system messages, of which vendors think differently. */
export const PLAIN_RULES: Rule[] = COMMON_RULES.filter(({ name }) => name !== 'system-comes-first')
