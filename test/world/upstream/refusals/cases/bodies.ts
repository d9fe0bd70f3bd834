/** A body that a platform refuses by a rule, and the nearest one that it takes. */
export type RefusalCase = {
  platform: string
  rule: string
  /** Default: the path of chats. */
  path?: string
  refused: object
  taken: object
}

export const USER = { role: 'user', content: '上海天气' }
export const SYSTEM = { role: 'system', content: '简短。' }
export const ANSWER = { role: 'assistant', content: '晴' }
export const SILENT = { role: 'assistant', content: null }
export const DEVELOPER = { role: 'developer', content: '简短。' }
export const call = (id = 'call_1', text = '{"city":"上海"}') => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: text },
})
export const calls = (...toolCalls: object[]) => ({ role: 'assistant', content: '', tool_calls: toolCalls })
export const thinking = (reasoningContent: string) => ({
  ...calls(call()),
  reasoning_content: reasoningContent,
})
export const result = (toolCallId = 'call_1') => ({ role: 'tool', tool_call_id: toolCallId, content: '晴' })
export const tool = (name = 'weather', parameters: object = { type: 'object', properties: {} }) => ({
  type: 'function',
  function: { name, parameters },
})
export const chat = (messages: object[], more: object = {}) => ({ model: 'm', messages, ...more })
export const withTools = (...tools: object[]) => chat([USER], { tools })
export const long = (length: number) => 'n'.repeat(length)
export const text = (length: number) =>
  chat([{ role: 'user', content: '字'.repeat(length) }], { max_tokens: 20_000 })

const unanswered = chat([USER, calls(call(), call('call_2')), result()])
const answered = chat([USER, calls(call(), call('call_2')), result(), result('call_2')])
const stray = chat([USER, ANSWER, result()])
export const follows = chat([USER, calls(call()), result()])
export const broken = (argumentsText: string) => chat([USER, calls(call('call_1', argumentsText)), result()])

export const order = (platform: string, model = 'm'): RefusalCase[] => [
  {
    platform,
    rule: 'results-follow-calls',
    refused: { ...unanswered, model },
    taken: { ...answered, model },
  },
  { platform, rule: 'results-have-calls', refused: { ...stray, model }, taken: { ...follows, model } },
]
