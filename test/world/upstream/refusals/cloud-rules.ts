import {
  findArgumentsError,
  findCall,
  findDeveloper,
  findEmptyMessage,
  findStrayResult,
  findUnansweredCalls,
  hasLongName,
  isForced,
  listMessages,
} from './chat-checks.ts'
import { PLAIN_RULES } from './common-rules.ts'
import { readText, rule } from './rule.ts'
import type { Rule } from './rule.ts'
import { qwenSystemComesFirst } from './server-rules.ts'

/** The rules of China's clouds, which serve the models of several vendors. */

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
    findDeveloper(body)
      ? { message: "developer is not one of ['system', 'assistant', 'user', 'tool', 'function']" }
      : null,
  ),
  rule('content-is-there', 'https://github.com/QwenLM/qwen-code/issues/5265', (body) => {
    const found = findEmptyMessage(body)
    return found && (found.content ?? null) === null
      ? { message: 'The content field is a required field.' }
      : null
  }),
  rule('answer-is-not-too-long', 'https://github.com/anomalyco/opencode/issues/16971', (body) => {
    // Qwen3 Max has its own limit: https://github.com/Kilo-Org/kilocode/issues/5871
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

/** https://open.bigmodel.cn/dev/api/error-code: 1214 stands for any parameter. */
export const ZHIPU_RULES: Rule[] = [
  rule('user-speaks', 'https://github.com/anomalyco/opencode/issues/2557', (body) =>
    listMessages(body).some(({ role }) => role === 'user')
      ? null
      : { message: 'messages 参数非法。请检查文档。', code: '1214' },
  ),
  ...PLAIN_RULES,
]

export const HUNYUAN_RULES: Rule[] = [
  rule('messages-are-not-empty', 'https://github.com/MarkPDFdown/markpdfdown/issues/14', (body) =>
    findEmptyMessage(body) ? { message: 'messages 中 content 不能为空', code: '1001' } : null,
  ),
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
    findDeveloper(body)
      ? {
          message:
            'The parameter `messages.role` specified in the request are not valid: invalid value: `developer`, supported values are: `system`, `assistant`, `user`, `tool`.',
          param: 'messages.role',
          code: 'InvalidParameter',
        }
      : null,
  ),
  rule('content-is-there', 'https://github.com/AstrBotDevs/AstrBot/issues/6852', (body) =>
    findEmptyMessage(body)
      ? {
          message: 'The request failed because it is missing `messages.content` parameter.',
          param: '',
          code: 'MissingParameter',
        }
      : null,
  ),
  ...PLAIN_RULES,
]
