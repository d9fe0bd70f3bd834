import {
  findCall,
  findEmptyMessage,
  findTool,
  findTopCombinator,
  listMessages,
  listTools,
} from './chat-checks.ts'
import {
  choiceNeedsTools,
  resultsFollowCalls,
  resultsHaveCalls,
  schemasAreObjects,
  stopIsNotEmpty,
  toolNames,
} from './common-rules.ts'
import { findFirst, readObject, readText, rule } from './rule.ts'
import type { Body, Rule, Violation } from './rule.ts'

/** https://platform.openai.com/docs/api-reference/chat/create */
const FIELDS = new Set(
  (
    'audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens messages ' +
    'metadata modalities model n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_retention ' +
    'reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature ' +
    'tool_choice tools top_logprobs top_p user verbosity web_search_options'
  ).split(' '),
)
const isReasoning = ({ model }: Body): boolean => /^(o\d|gpt-[5-9](?!-chat))/.test(readText(model))

function tooLong(place: string, length: number, max: number, kind: 'string' | 'array'): Violation {
  const [article, code] =
    kind === 'string' ? ['a string', 'string_above_max_length'] : ['an array', 'array_above_max_length']
  return {
    message: `Invalid '${place}': ${kind} too long. Expected ${article} with maximum length ${max}, but got ${article} with length ${length} instead.`,
    param: place,
    code,
  }
}

export const OPENAI_RULES: Rule[] = [
  rule('messages-are-there', 'https://github.com/CopilotKit/CopilotKit/issues/529', (body) =>
    listMessages(body).length
      ? null
      : {
          message:
            "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
          param: 'messages',
          code: 'empty_array',
        },
  ),
  rule('fields-are-known', 'https://github.com/CherryHQ/cherry-studio/issues/6155', (body) => {
    const field = Object.keys(body).find((one) => !FIELDS.has(one))
    return field === undefined ? null : { message: `Unrecognized request argument supplied: ${field}` }
  }),
  rule('content-is-there', 'https://github.com/vercel/ai/pull/13744', (body) => {
    const found = findEmptyMessage(body)
    return found && (found.content ?? null) === null
      ? {
          message: "Invalid value for 'content': expected a string, got null.",
          param: `messages.[${found.index}].content`,
        }
      : null
  }),
  resultsFollowCalls,
  resultsHaveCalls,
  toolNames,
  rule('at-most-128-tools', 'https://github.com/vishalmysore/Tools4AI/issues/16', (body) =>
    listTools(body).length > 128 ? tooLong('tools', listTools(body).length, 128, 'array') : null,
  ),
  rule('call-ids', 'https://github.com/vercel/ai/issues/5171', (body) => {
    const call = findCall(body, ({ id }) => id.length > 40)
    return (
      call && tooLong(`messages[${call.index}].tool_calls[${call.position}].id`, call.id.length, 40, 'string')
    )
  }),
  schemasAreObjects,
  rule(
    'schemas-have-no-top-combinator',
    'https://github.com/nspady/google-calendar-mcp/issues/39',
    (body) => {
      const keywords = ['oneOf', 'anyOf', 'allOf', 'enum', 'not']
      const tool = findTool(body, ({ parameters }) => findTopCombinator(parameters, keywords) !== null)
      return (
        tool && {
          message: `Invalid schema for function '${tool.name}': schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.`,
          param: `tools[${tool.index}].function.parameters`,
          code: 'invalid_function_parameters',
        }
      )
    },
  ),
  rule('schemas-have-properties', 'https://github.com/mark3labs/mcphost/issues/88', (body) => {
    const tool = findTool(
      body,
      ({ parameters }) => parameters !== undefined && !('properties' in readObject(parameters)),
    )
    return (
      tool && {
        message: `Invalid schema for function '${tool.name}': In context=(), object schema missing properties.`,
        param: `tools[${tool.index}].function.parameters`,
        code: 'invalid_function_parameters',
      }
    )
  }),
  choiceNeedsTools,
  stopIsNotEmpty,
  rule('at-most-4-stops', 'https://github.com/continuedev/continue/issues/2461', ({ stop }) =>
    Array.isArray(stop) && stop.length > 4 ? tooLong('stop', stop.length, 4, 'array') : null,
  ),
  rule('reasoning-counts-completion', 'https://github.com/fish2018/YPrompt/issues/26', (body) =>
    isReasoning(body) && body.max_tokens !== undefined
      ? {
          message:
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          param: 'max_tokens',
          code: 'unsupported_parameter',
        }
      : null,
  ),
  rule('reasoning-samples-by-itself', 'https://github.com/decolua/9router/issues/560', (body) => {
    const { temperature } = body
    return isReasoning(body) && temperature !== undefined && temperature !== 1
      ? {
          message: `Unsupported value: 'temperature' does not support ${JSON.stringify(temperature)} with this model. Only the default (1) value is supported.`,
          param: 'temperature',
          code: 'unsupported_value',
        }
      : null
  }),
  rule('reasoning-fields', 'https://platform.openai.com/docs/guides/reasoning', (body) => {
    const refused = ['top_p', 'presence_penalty', 'frequency_penalty', 'logit_bias', 'stop']
    const field = refused.find((one) => body[one] !== undefined)
    return isReasoning(body) && field
      ? {
          message: `Unsupported parameter: '${field}' is not supported with this model.`,
          param: field,
          code: 'unsupported_parameter',
        }
      : null
  }),
  // From 5.6 on a request without effort has a default one; in 5.4 and 5.5 it has none.
  rule('tools-without-reasoning', 'https://github.com/BerriAI/litellm/pull/34569', (body) => {
    const model = readText(body.model)
    const effort = body.reasoning_effort ?? (/^gpt-(5\.[6-9]|[6-9])/.test(model) ? 'default' : 'none')
    return listTools(body).length && /^gpt-(5\.[4-9]|[6-9])/.test(model) && effort !== 'none'
      ? {
          message: `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
          param: 'reasoning_effort',
        }
      : null
  }),
]

/** xAI's models think, except those whose names say that they do not. */
export const XAI_RULES: Rule[] = [
  // Calls do not replace the text; an empty text is enough.
  rule('content-is-there', 'https://github.com/langchain-ai/langchain/issues/34140', (body) =>
    listMessages(body).some(({ content }) =>
      Array.isArray(content) ? !content.length : typeof content !== 'string',
    )
      ? { message: 'Invalid request content: Each message must have at least one content element.' }
      : null,
  ),
  resultsFollowCalls,
  resultsHaveCalls,
  toolNames,
  rule('reasoning-fields', 'https://github.com/open-webui/open-webui/issues/21266', (body) => {
    const model = readText(body.model)
    if (/non-reasoning|imagine|^grok-[23](?!-mini)/.test(model)) return null
    const names = { presence_penalty: 'presencePenalty', frequency_penalty: 'frequencyPenalty', stop: 'stop' }
    return findFirst(Object.entries(names), ([field, name]) =>
      body[field] === undefined ? null : { message: `Model ${model} does not support parameter ${name}.` },
    )
  }),
]
