import {
  findArgumentsError,
  findCall,
  findDeveloper,
  findDuplicateTool,
  findEmptyMessage,
  findLateSystem,
  findStrayResult,
  findThoughtlessCalls,
  findTool,
  findUnansweredCalls,
  hasLongName,
  isForced,
  isThinking,
  listMessages,
  listTools,
} from './chat-checks.ts'
import { resultsFollowCalls, resultsHaveCalls, schemasAreObjects, toolNames } from './common-rules.ts'
import { findFirst, readList, readObject, readText, rule } from './rule.ts'
import type { Rule, Violation } from './rule.ts'

/** The rules of vendors that serve their own models. */

const deserialize = (what: string): Violation => ({
  message: `Failed to deserialize the JSON body into the target type: ${what} at line 1 column 1`,
  code: 'invalid_request_error',
})

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
  rule('roles-are-known', 'https://github.com/icebear0828/codex-proxy/issues/589', (body) => {
    const found = findDeveloper(body)
    return (
      found &&
      deserialize(
        `messages[${found.index}].role: unknown variant \`developer\`, expected one of \`system\`, \`user\`, \`assistant\`, \`tool\`, \`latest_reminder\``,
      )
    )
  }),
  rule('content-is-there', 'https://github.com/pig-mesh/deepseek4j/issues/41', (body) => {
    const found = findEmptyMessage(body)
    return found && found.content === undefined
      ? deserialize(`messages[${found.index}]: missing field \`content\``)
      : null
  }),
  rule('no-pictures', 'https://github.com/esengine/DeepSeek-Reasonix/issues/7859', (body) =>
    findFirst(listMessages(body), ({ content }, index) =>
      readList(content).some(({ type }) => type === 'image_url')
        ? deserialize(`messages[${index}]: unknown variant \`image_url\`, expected \`text\``)
        : null,
    ),
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

/** Finds a place in a schema where anyOf stands beside type, in Moonshot's notation. */
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
  rule('messages-are-not-empty', 'https://github.com/AstrBotDevs/AstrBot/issues/7200', (body) => {
    const found = findEmptyMessage(body)
    return (
      found && {
        message: `Invalid request: the message at position ${found.index} with role '${found.role}' must not be empty`,
      }
    )
  }),
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
  // Some models refuse it at times: https://github.com/14790897/MiqroForge-Desktop/issues/1165 got no refusal in September 2026.
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
    findDeveloper(body) ? { message: 'invalid role: developer' } : null,
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
