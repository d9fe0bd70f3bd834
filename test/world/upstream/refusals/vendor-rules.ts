import {
  findArgumentsError,
  findCall,
  findDuplicateTool,
  findLateSystem,
  findStrayResult,
  findThoughtlessCalls,
  findTool,
  findUnansweredCalls,
  listCalls,
  listMessages,
  listTools,
} from './chat-checks.ts'
import {
  PLAIN_RULES,
  resultsFollowCalls,
  resultsHaveCalls,
  schemasAreObjects,
  toolNames,
} from './common-rules.ts'
import { qwenSystemComesFirst } from './server-rules.ts'
import { findFirst, readObject, readText, rule } from './rule.ts'
import type { Body, Rule } from './rule.ts'

/** The rules of China's platforms. */

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
  rule('roles-are-known', 'https://github.com/openclaw/openclaw/issues/3022', (body) =>
    listMessages(body).some(({ role }) => role === 'developer')
      ? { message: 'invalid role: developer' }
      : null,
  ),
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
  rule('roles-are-known', 'https://github.com/maotoumao/Cebian/issues/46', (body) =>
    listMessages(body).some(({ role }) => role === 'developer')
      ? { message: "developer is not one of ['system', 'assistant', 'user', 'tool', 'function']" }
      : null,
  ),
  rule('answer-is-not-too-long', 'https://github.com/anomalyco/opencode/issues/16971', (body) => {
    // Qwen3 Max has its own: https://github.com/Kilo-Org/kilocode/issues/5871
    const limits: [model: RegExp, max: number][] = [
      [/^qwen-max/, 8192],
      [/^qwen3-max/, 32_768],
    ]
    const max = limits.find(([model]) => model.test(readText(body.model)))?.[1]
    return max !== undefined && Number(body.max_tokens) > max
      ? { message: `Range of max_tokens should be [1, ${max}]` }
      : null
  }),
]

/** https://open.bigmodel.cn/dev/api/error-code: 1214 is of any parameter. */
export const ZHIPU_RULES: Rule[] = [
  rule('user-speaks', 'https://github.com/anomalyco/opencode/issues/2557', (body) =>
    listMessages(body).some(({ role }) => role === 'user')
      ? null
      : { message: 'messages 参数非法。请检查文档。', code: '1214' },
  ),
  ...PLAIN_RULES,
]

export const HUNYUAN_RULES: Rule[] = [
  rule('turns-alternate', 'https://github.com/FoundationAgents/OpenManus/issues/894', (body) => {
    const roles = listMessages(body).flatMap(({ role }) => (role === 'system' ? [] : String(role)))
    const isAsking = (role: string | undefined): boolean => role === 'user' || role === 'tool'
    const isOutOfTurn = (role: string, index: number): boolean => {
      const before = roles[index - 1]
      return index === 0
        ? role !== 'user'
        : isAsking(role) === isAsking(before) && !(role === 'tool' && before === 'tool')
    }
    return roles.some(isOutOfTurn) || !isAsking(roles.at(-1))
      ? {
          message:
            'messages 中 user（tool） 和 assistant 角色需交替出现 (一问一答)，以 user 提问开始， user（tool）提问结束, tool 可以连续出现多次',
          code: '1001',
        }
      : null
  }),
  ...PLAIN_RULES,
]

export const VOLCENGINE_RULES: Rule[] = [
  rule('roles-are-known', 'https://github.com/volcengine/volcengine-java-sdk/issues/105', (body) =>
    listMessages(body).some(({ role }) => role === 'developer')
      ? {
          message:
            'The parameter `messages.role` specified in the request are not valid: invalid value: `developer`, supported values are: `system`, `assistant`, `user`, `tool`.',
          param: 'messages.role',
          code: 'InvalidParameter',
        }
      : null,
  ),
  rule('content-is-there', 'https://github.com/AstrBotDevs/AstrBot/issues/6852', (body) => {
    const isEmpty = (message: Body): boolean =>
      !message.content && !listCalls(message).length && message.role !== 'tool'
    return listMessages(body).some(isEmpty)
      ? {
          message: 'The request failed because it is missing `messages.content` parameter.',
          param: '',
          code: 'MissingParameter',
        }
      : null
  }),
  ...PLAIN_RULES,
]
