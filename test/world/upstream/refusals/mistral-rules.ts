import { findCall, findEmptyMessage, findTool, listCalls, listMessages } from './chat-checks.ts'
import { findFirst, readList, readObject, rule } from './rule.ts'
import type { Body, Rule, Violation } from './rule.ts'

/** https://docs.mistral.ai/api/endpoint/chat */
const FIELDS = (
  'frequency_penalty guardrails max_tokens messages metadata model n parallel_tool_calls prediction presence_penalty ' +
  'prompt_cache_key prompt_mode random_seed reasoning_effort response_format safe_prompt stop stream temperature ' +
  'tool_choice tools top_p'
).split(' ')
const MESSAGE_FIELDS: Record<string, string[]> = {
  system: ['role', 'content'],
  user: ['role', 'content'],
  assistant: ['role', 'content', 'tool_calls', 'prefix'],
  tool: ['role', 'content', 'tool_call_id', 'name'],
}
const CALL_FIELDS = ['id', 'type', 'function', 'index']
const FUNCTION_FIELDS = ['name', 'arguments']

type Place = (string | number)[]

const isExtra = (object: Body, known: string[], place: Place): Place | null => {
  const field = Object.keys(object).find((one) => !known.includes(one))
  return field === undefined ? null : [...place, field]
}

/** Finds the place of a field that the schema of a request lacks. */
const findExtraField = (body: Body): Place | null =>
  isExtra(body, FIELDS, ['body']) ??
  findFirst(listMessages(body), (message, index) => {
    const role = String(message.role)
    const place = ['body', 'messages', index, role]
    return (
      isExtra(message, MESSAGE_FIELDS[role] ?? [], place) ??
      findFirst(
        readList(message.tool_calls),
        (call, position) =>
          isExtra(call, CALL_FIELDS, [...place, 'tool_calls', position]) ??
          isExtra(readObject(call.function), FUNCTION_FIELDS, [...place, 'tool_calls', position, 'function']),
      )
    )
  })

const order = (message: string): Violation => ({
  message,
  type: 'invalid_request_message_order',
  code: '3230',
})

export const MISTRAL_RULES: Rule[] = [
  rule('fields-are-known', 'https://github.com/charmbracelet/crush/issues/1590', (body) => {
    const loc = findExtraField(body)
    const message = 'Extra inputs are not permitted'
    return (
      loc && { message, status: 422, detail: [{ type: 'extra_forbidden', loc, msg: message, input: null }] }
    )
  }),
  rule('call-ids', 'https://github.com/nearai/ironclaw/issues/1241', (body) => {
    const call = findCall(body, ({ id }) => !/^[a-zA-Z0-9]{9}$/.test(id))
    return (
      call && {
        message: `Tool call id was ${call.id} but must be a-z, A-Z, 0-9, with a length of 9.`,
        type: 'invalid_function_call',
        code: '3280',
      }
    )
  }),
  rule('tool-names', 'https://github.com/Kochava-Studios/witsy/pull/164', (body) => {
    const tool = findTool(body, ({ name }) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    return (
      tool && {
        message: `Function name was ${tool.name} but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.`,
        type: 'invalid_function_call',
        code: '3280',
      }
    )
  }),
  rule('results-as-many-as-calls', 'https://github.com/mistralai/client-ts/issues/106', (body) => {
    const messages = listMessages(body)
    return findFirst(messages, (message, index) => {
      const calls = listCalls(message).length
      const next = messages.slice(index + 1).findIndex(({ role }) => role !== 'tool')
      const results = next === -1 ? messages.length - index - 1 : next
      return calls && results !== calls ? order('Not the same number of function calls and responses') : null
    })
  }),
  rule('results-have-calls', 'https://github.com/charmbracelet/crush/issues/279', (body) => {
    const messages = listMessages(body)
    return findFirst(messages, ({ role }, index) => {
      const before = messages[index - 1]
      if (role !== 'tool' || before?.role === 'tool' || (before && listCalls(before).length)) return null
      return order(`Unexpected role 'tool' after role '${String(before?.role)}'`)
    })
  }),
  rule('messages-are-not-empty', 'https://github.com/OpenHands/OpenHands/issues/8685', (body) =>
    findEmptyMessage(body)?.role === 'assistant'
      ? { message: 'Assistant message must have either content or tool_calls, but not none.' }
      : null,
  ),
  rule('user-speaks-last', 'https://github.com/0xPlaygrounds/rig/pull/1130', (body) => {
    const last = listMessages(body).at(-1)
    return last?.role === 'assistant' && last.prefix !== true
      ? order('Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant')
      : null
  }),
  // Reported until August 2026; one person in May could not reproduce it (https://github.com/aaif-goose/goose/issues/5998).
  rule('no-user-after-result', 'https://github.com/NousResearch/hermes-agent/pull/84944', (body) => {
    const messages = listMessages(body)
    return findFirst(messages, ({ role }, index) =>
      role === 'user' && messages[index - 1]?.role === 'tool'
        ? order("Unexpected role 'user' after role 'tool'")
        : null,
    )
  }),
]
