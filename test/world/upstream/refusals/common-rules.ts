import {
  findArgumentsError,
  findCall,
  findChoiceWithoutTools,
  findLateSystem,
  findStrayResult,
  findTool,
  findUnansweredCalls,
  hasEmptyStop,
} from './chat-checks.ts'
import { readObject, rule } from './rule.ts'
import type { Rule } from './rule.ts'

/** Rules of any server of the OpenAI dialect, with OpenAI's messages, since most servers repeat them. */

const NAME = /^[a-zA-Z0-9_-]{1,64}$/

export const resultsFollowCalls: Rule = rule(
  'results-follow-calls',
  'https://github.com/zed-industries/zed/issues/51944',
  (body) => {
    const found = findUnansweredCalls(body)
    return (
      found && {
        message: `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${found.ids.join(', ')}`,
        param: `messages.[${found.index}].role`,
      }
    )
  },
)

export const resultsHaveCalls: Rule = rule(
  'results-have-calls',
  'https://github.com/smarter-sh/smarter/issues/264',
  (body) => {
    const found = findStrayResult(body)
    return (
      found && {
        message:
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        param: `messages.[${found.index}].role`,
      }
    )
  },
)

export const toolNames: Rule = rule(
  'tool-names',
  'https://github.com/mrexodia/ida-pro-mcp/issues/129',
  (body) => {
    const tool = findTool(body, ({ name }) => !NAME.test(name))
    const place = tool && `tools[${tool.index}].function.name`
    if (!tool || !place) return null
    return tool.name.length > 64
      ? {
          message: `Invalid '${place}': string too long. Expected a string with maximum length 64, but got a string with length ${tool.name.length} instead.`,
          param: place,
          code: 'string_above_max_length',
        }
      : {
          message: `Invalid '${place}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
          param: place,
          code: 'invalid_value',
        }
  },
)

export const choiceNeedsTools: Rule = rule(
  'choice-needs-tools',
  'https://github.com/openai/swarm/issues/30',
  (body) => {
    const field = findChoiceWithoutTools(body)
    return (
      field && {
        message: `Invalid value for '${field}': '${field}' is only allowed when 'tools' are specified.`,
        param: field,
      }
    )
  },
)

/** Servers of no known vendor are mostly vLLM, and have its messages. */
const argumentsAreObjects: Rule = rule(
  'arguments-are-objects',
  'https://github.com/vllm-project/vllm/issues/43995',
  (body) => {
    const call = findCall(body, (one) => findArgumentsError(one.arguments) !== null)
    return call && { message: findArgumentsError(call.arguments) ?? '' }
  },
)

const systemComesFirst: Rule = rule(
  'system-comes-first',
  'https://github.com/vllm-project/vllm/issues/41114',
  (body) => findLateSystem(body) && { message: 'System message must be at the beginning.' },
)

export const schemasAreObjects: Rule = rule(
  'schemas-are-objects',
  'https://github.com/chatanywhere/GPT_API_free/issues/403',
  (body) => {
    const tool = findTool(body, ({ parameters }) => readObject(parameters).type !== 'object')
    if (!tool || tool.parameters === undefined) return null
    const type = JSON.stringify(readObject(tool.parameters).type ?? null)
    return {
      message: `Invalid schema for function '${tool.name}': schema must be a JSON Schema of 'type: "object"', got 'type: ${type}'.`,
      param: `tools[${tool.index}].function.parameters`,
      code: 'invalid_function_parameters',
    }
  },
)

/** OpenAI's reference defines `stop`; the message is like those of its other checks of length. */
export const stopIsNotEmpty: Rule = rule(
  'stop-is-not-empty',
  'https://platform.openai.com/docs/api-reference/chat/create',
  (body) =>
    hasEmptyStop(body)
      ? {
          message:
            "Invalid 'stop': empty string. Expected a string with minimum length 1, but got an empty string instead.",
          param: 'stop',
          code: 'empty_string',
        }
      : null,
)

export const COMMON_RULES: Rule[] = [
  systemComesFirst,
  resultsFollowCalls,
  resultsHaveCalls,
  toolNames,
  choiceNeedsTools,
  schemasAreObjects,
  argumentsAreObjects,
  stopIsNotEmpty,
]

/** Rules for unknown platforms: none about system messages, on which vendors differ. */
export const PLAIN_RULES: Rule[] = COMMON_RULES.filter(({ name }) => name !== 'system-comes-first')
