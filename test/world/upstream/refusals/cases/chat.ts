import {
  ANSWER,
  broken,
  call,
  calls,
  chat,
  long,
  order,
  result,
  SILENT,
  SYSTEM,
  tool,
  USER,
  withTools,
} from './bodies.ts'
import type { RefusalCase } from './bodies.ts'

const COMMON: RefusalCase[] = [
  ...order('openai-compatible'),
  {
    platform: 'openai-compatible',
    rule: 'results-follow-calls',
    refused: chat([USER, calls(call()), USER, result()]),
    taken: chat([USER, calls(call()), result(), USER]),
  },
  {
    platform: 'openai-compatible',
    rule: 'system-comes-first',
    refused: chat([SYSTEM, SYSTEM, USER]),
    taken: chat([SYSTEM, USER]),
  },
  {
    platform: 'openai-compatible',
    rule: 'tool-names',
    refused: withTools(tool('a.b')),
    taken: withTools(tool('a-b')),
  },
  {
    platform: 'openai-compatible',
    rule: 'tool-names',
    refused: withTools(tool(long(65))),
    taken: withTools(tool(long(64))),
  },
  {
    platform: 'openai-compatible',
    rule: 'choice-needs-tools',
    refused: chat([USER], { parallel_tool_calls: false, tools: [] }),
    taken: chat([USER], { parallel_tool_calls: false, tools: [tool()] }),
  },
  {
    platform: 'openai-compatible',
    rule: 'schemas-are-objects',
    refused: withTools(tool('weather', { properties: {} })),
    taken: withTools(tool()),
  },
  {
    platform: 'openai-compatible',
    rule: 'arguments-are-objects',
    refused: broken(''),
    taken: broken('{}'),
  },
  {
    platform: 'openai-compatible',
    rule: 'arguments-are-objects',
    refused: broken('{"city":"上'),
    taken: broken('{"city":"上"}'),
  },
  {
    platform: 'openai-compatible',
    rule: 'stop-is-not-empty',
    refused: chat([USER], { stop: ['完', ''] }),
    taken: chat([USER], { stop: ['完', '\n'] }),
  },
]

const openai = (rule: string, refused: object, taken: object): RefusalCase => ({
  platform: 'openai',
  rule,
  refused,
  taken,
})
const gpt = (more: object) => chat([USER], { model: 'gpt-5', ...more })
const OPENAI: RefusalCase[] = [
  openai('messages-are-there', chat([]), chat([SYSTEM])),
  openai('content-is-there', chat([USER, SILENT, USER]), chat([USER, { ...SILENT, content: '' }, USER])),
  openai('fields-are-known', chat([USER], { top_k: 5 }), chat([USER], { top_p: 0.5 })),
  openai(
    'at-most-128-tools',
    withTools(...Array.from({ length: 129 }, (_, nth) => tool(`t${nth}`))),
    withTools(...Array.from({ length: 128 }, (_, nth) => tool(`t${nth}`))),
  ),
  openai(
    'call-ids',
    chat([USER, calls(call(long(41))), result(long(41))]),
    chat([USER, calls(call(long(40))), result(long(40))]),
  ),
  openai(
    'schemas-have-no-top-combinator',
    withTools(tool('weather', { type: 'object', properties: {}, anyOf: [{ required: ['a'] }] })),
    withTools(tool('weather', { type: 'object', properties: { a: { anyOf: [{ type: 'string' }] } } })),
  ),
  openai('schemas-have-properties', withTools(tool('weather', { type: 'object' })), withTools(tool())),
  openai(
    'at-most-4-stops',
    chat([USER], { stop: Array.from('一二三四五') }),
    chat([USER], { stop: Array.from('一二三四') }),
  ),
  openai('reasoning-counts-completion', gpt({ max_tokens: 9 }), gpt({ max_completion_tokens: 9 })),
  openai('reasoning-samples-by-itself', gpt({ temperature: 0.5 }), gpt({ temperature: 1 })),
  openai('reasoning-fields', gpt({ stop: '完' }), chat([USER], { stop: '完', model: 'gpt-4o' })),
  openai(
    'tools-without-reasoning',
    gpt({ model: 'gpt-5.6', tools: [tool()] }),
    gpt({ model: 'gpt-5.6', tools: [tool()], reasoning_effort: 'none' }),
  ),
  openai(
    'tools-without-reasoning',
    gpt({ model: 'gpt-5.4', tools: [tool()], reasoning_effort: 'low' }),
    gpt({ model: 'gpt-5.4', tools: [tool()] }),
  ),
  {
    platform: 'xai',
    rule: 'reasoning-fields',
    refused: chat([USER], { model: 'grok-4.5', stop: '完' }),
    taken: chat([USER], { model: 'grok-4.20-non-reasoning', stop: '完' }),
  },
  {
    platform: 'xai',
    rule: 'content-is-there',
    refused: chat([USER, { ...calls(call()), content: null }, result()]),
    taken: chat([USER, calls(call()), result()]),
  },
]

const mistral = (rule: string, refused: object, taken: object): RefusalCase => ({
  platform: 'mistral',
  rule,
  refused,
  taken,
})
const [NINE, TEN] = ['abcdef123', 'abcdef1234']
const MISTRAL: RefusalCase[] = [
  mistral('fields-are-known', chat([USER], { seed: 1 }), chat([USER], { random_seed: 1 })),
  mistral(
    'fields-are-known',
    chat([USER, { ...ANSWER, reasoning_content: '想' }, USER]),
    chat([USER, ANSWER, USER]),
  ),
  mistral(
    'call-ids',
    chat([USER, calls(call(TEN)), result(TEN)]),
    chat([USER, calls(call(NINE)), result(NINE)]),
  ),
  mistral('messages-are-not-empty', chat([USER, SILENT, USER]), chat([USER, ANSWER, USER])),
  mistral('user-speaks-last', chat([USER, ANSWER]), chat([USER, { ...ANSWER, prefix: true }])),
  mistral('tool-names', withTools(tool('天气')), withTools(tool())),
  mistral(
    'results-as-many-as-calls',
    chat([USER, calls(call(NINE), call('abcdef124')), result(NINE)]),
    chat([USER, calls(call(NINE)), result(NINE)]),
  ),
  mistral(
    'results-have-calls',
    chat([USER, ANSWER, result(NINE)]),
    chat([USER, calls(call(NINE)), result(NINE)]),
  ),
  mistral(
    'no-user-after-result',
    chat([USER, calls(call(NINE)), result(NINE), USER]),
    chat([USER, calls(call(NINE)), result(NINE), ANSWER, USER]),
  ),
]

export const CHAT_CASES: RefusalCase[] = [...COMMON, ...OPENAI, ...MISTRAL]
