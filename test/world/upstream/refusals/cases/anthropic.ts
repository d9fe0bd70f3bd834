import { sign } from '../../signatures.ts'
import { createBinding } from '../anthropic-bindings.ts'
import type { RefusalCase } from './bodies.ts'

const USER = { role: 'user', content: '上海天气' }
const USE = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} }
const RESULT = { type: 'tool_result', tool_use_id: 'toolu_1', content: '晴' }
const THOUGHT = { type: 'thinking', thinking: '先查', signature: sign('先查') }
const TEXT = { type: 'text', text: '查一下' }
const says = (...content: object[]) => ({ role: 'assistant', content })
const asks = (...content: object[]) => ({ role: 'user', content })
const tool = (more: object = {}) => ({
  name: 'weather',
  input_schema: { type: 'object', properties: {} },
  ...more,
})
const message = (messages: object[], more: object = {}) => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 4000,
  messages,
  ...more,
})
const withTools = (...tools: object[]) => message([USER], { tools })
const BUDGET = { type: 'enabled', budget_tokens: 2000 }
const PNG = 'iVBORw0KGgo='
const picture = (mediaType: string) => ({
  type: 'image',
  source: { type: 'base64', media_type: mediaType, data: PNG },
})
const mark = (text: string) => ({ type: 'text', text, cache_control: { type: 'ephemeral' } })
const system = { role: 'system', content: '用中文' }

const refuses = (rule: string, refused: object, taken: object): RefusalCase => ({
  platform: 'anthropic',
  path: '/v1/messages',
  rule,
  refused,
  taken,
})
const compatible = (rule: string, refused: object, taken: object): RefusalCase => ({
  ...refuses(rule, refused, taken),
  platform: 'deepseek',
})

const NEWER = { model: 'claude-sonnet-5-5' }
/** Makes a thought of a newer model after these messages. */
const thinkAfter = (thinking: string, messages: object[]) => ({
  type: 'thinking',
  thinking,
  signature: sign(thinking, createBinding(message(messages, NEWER))),
})
const FIRST = says(thinkAfter('先查', [USER]), TEXT)
const SECOND = says(thinkAfter('再查', [USER, FIRST, USER]), TEXT)
const THIRD = says(thinkAfter('三查', [USER, FIRST, USER, SECOND, USER]), TEXT)
const [BARE, OTHER] = [says(TEXT), asks({ type: 'text', text: '北京天气' })]

export const ANTHROPIC_CASES: RefusalCase[] = [
  refuses('fields-are-known', message([USER], { seed: 1 }), message([USER])),
  refuses(
    'thoughts-are-bound',
    message([OTHER, FIRST, USER], NEWER),
    message([USER, FIRST, USER, SECOND, USER], NEWER),
  ),
  refuses(
    'thoughts-are-bound',
    message([USER, FIRST, USER, BARE, USER, THIRD, USER], NEWER),
    message([USER, BARE, USER, SECOND, USER, THIRD, USER], NEWER),
  ),
  refuses(
    'thoughts-are-bound',
    message([USER, FIRST, USER], { ...NEWER, system: '用中文' }),
    message([USER, FIRST, USER], {
      ...NEWER,
      system: '用中文',
      thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } },
    }),
  ),
  refuses(
    'block-fields-are-known',
    message([USER, says({ ...USE, text: '' }), asks(RESULT)]),
    message([USER, says(USE), asks(RESULT)]),
  ),
  refuses('tool-fields-are-known', withTools(tool({ parameters: {} })), withTools(tool({ strict: true }))),
  refuses('messages-are-there', message([]), message([USER])),
  refuses('results-follow-uses', message([USER, says(USE), USER]), message([USER, says(USE), asks(RESULT)])),
  refuses(
    'results-follow-uses',
    message([USER, says(USE), asks(TEXT, RESULT)]),
    message([USER, says(USE), asks(RESULT, TEXT)]),
  ),
  refuses('results-have-uses', message([asks(RESULT)]), message([USER, says(USE), asks(RESULT)])),
  refuses('tool-names', withTools(tool({ name: 'a.b' })), withTools(tool({ name: 'a-b' }))),
  refuses(
    'tool-names',
    withTools(tool({ name: 'n'.repeat(129) })),
    withTools(tool({ name: 'n'.repeat(128) })),
  ),
  refuses('tool-names-differ', withTools(tool(), tool()), withTools(tool(), tool({ name: 'time' }))),
  refuses(
    'use-ids',
    message([
      USER,
      says({ ...USE, id: 'functions.weather:0' }),
      asks({ ...RESULT, tool_use_id: 'functions.weather:0' }),
    ]),
    message([
      USER,
      says({ ...USE, id: 'functions_weather_0' }),
      asks({ ...RESULT, tool_use_id: 'functions_weather_0' }),
    ]),
  ),
  refuses(
    'use-inputs',
    message([USER, says({ ...USE, input: '{}' }), asks(RESULT)]),
    message([USER, says(USE), asks(RESULT)]),
  ),
  refuses('schemas-have-type', withTools(tool({ input_schema: { properties: {} } })), withTools(tool())),
  refuses(
    'schemas-have-no-top-combinator',
    withTools(tool({ input_schema: { type: 'object', anyOf: [] } })),
    withTools(tool({ input_schema: { type: 'object', properties: { a: { anyOf: [] } } } })),
  ),
  refuses('texts-are-not-blank', message([asks({ type: 'text', text: '' }, TEXT)]), message([asks(TEXT)])),
  refuses(
    'texts-are-not-blank',
    message([asks({ type: 'text', text: '\n' })]),
    message([asks({ type: 'text', text: '\n' }, TEXT)]),
  ),
  refuses('content-is-not-empty', message([USER, says(), USER]), message([USER, says()])),
  refuses(
    'no-space-at-the-end',
    message([USER, { role: 'assistant', content: '{ ' }]),
    message([USER, { role: 'assistant', content: '{' }]),
  ),
  refuses(
    'stops-are-not-blank',
    message([USER], { stop_sequences: ['\n'] }),
    message([USER], { stop_sequences: ['\n完'] }),
  ),
  refuses('system-is-not-first', message([system, USER]), message([USER], { system: '用中文' })),
  refuses(
    'system-is-a-field',
    message([USER, system], { model: 'claude-opus-4-7' }),
    message([USER, system], { model: 'claude-opus-4-8' }),
  ),
  refuses(
    'no-prefill',
    message([USER, says(TEXT)], { model: 'claude-sonnet-4-6' }),
    message([USER, says(TEXT)], { model: 'claude-sonnet-4-5' }),
  ),
  refuses(
    'no-sampling',
    message([USER], { model: 'claude-opus-4-7', temperature: 0.5 }),
    message([USER], { model: 'claude-opus-4-6', temperature: 0.5 }),
  ),
  refuses(
    'newer-models-adapt',
    message([USER], { model: 'claude-opus-4-7', thinking: BUDGET }),
    message([USER], { model: 'claude-opus-4-6', thinking: BUDGET }),
  ),
  refuses(
    'older-models-do-not-adapt',
    message([USER], { model: 'claude-haiku-4-5', thinking: { type: 'adaptive' } }),
    message([USER], { model: 'claude-opus-4-6', thinking: { type: 'adaptive' } }),
  ),
  refuses(
    'answer-is-not-too-long',
    message([USER], { max_tokens: 64_001 }),
    message([USER], { max_tokens: 64_000 }),
  ),
  refuses(
    'thoughts-have-a-budget',
    message([USER], { thinking: { ...BUDGET, budget_tokens: 1023 } }),
    message([USER], { thinking: { ...BUDGET, budget_tokens: 1024 } }),
  ),
  refuses(
    'thoughts-leave-an-answer',
    message([USER], { thinking: { ...BUDGET, budget_tokens: 4000 } }),
    message([USER], { thinking: { ...BUDGET, budget_tokens: 3999 } }),
  ),
  refuses(
    'at-most-4-cache-marks',
    message([asks(...Array.from('一二三四五').map(mark))]),
    message([asks(...Array.from('一二三四').map(mark))]),
  ),
  refuses(
    'signatures-are-own',
    message([USER, says({ ...THOUGHT, thinking: '先想' }, TEXT), USER]),
    message([USER, says(THOUGHT, TEXT), USER]),
  ),
  refuses(
    'open-turn-begins-with-thought',
    message([USER, says(USE), asks(RESULT)], { thinking: BUDGET }),
    message([USER, says(THOUGHT, USE), asks(RESULT)], { thinking: BUDGET }),
  ),
  refuses(
    'open-turn-begins-with-thought',
    message([USER, says(TEXT, USE), asks(RESULT)], { thinking: BUDGET }),
    message([USER, says(USE), asks(RESULT), says(TEXT), USER], { thinking: BUDGET }),
  ),
  refuses(
    'thinking-forces-no-tool',
    message([USER], { thinking: BUDGET, tools: [tool()], tool_choice: { type: 'any' } }),
    message([USER], { thinking: BUDGET, tools: [tool()], tool_choice: { type: 'auto' } }),
  ),
  refuses(
    'thinking-forces-no-tool',
    message([USER], { model: 'claude-sonnet-5', tools: [tool()], tool_choice: { type: 'any' } }),
    message([USER], {
      model: 'claude-sonnet-5',
      thinking: { type: 'disabled' },
      tools: [tool()],
      tool_choice: { type: 'any' },
    }),
  ),
  refuses(
    'newest-force-no-tool',
    message([USER], { ...NEWER, tools: [tool()], tool_choice: { type: 'any' } }),
    message([USER], { ...NEWER, tools: [tool()], tool_choice: { type: 'auto' } }),
  ),
  refuses(
    'newest-think-always',
    message([USER], { ...NEWER, thinking: { type: 'disabled' } }),
    message([USER], { ...NEWER, thinking: { type: 'between_tools' } }),
  ),
  refuses(
    'thinking-leaves-top-k',
    message([USER], { thinking: BUDGET, top_k: 5 }),
    message([USER], { thinking: { type: 'disabled' }, top_k: 5 }),
  ),
  refuses('picture-types', message([asks(picture('image/bmp'))]), message([asks(picture('image/png'))])),
  refuses(
    'pictures-are-what-they-say',
    message([USER, says(USE), asks({ ...RESULT, content: [picture('image/jpeg')] })]),
    message([USER, says(USE), asks({ ...RESULT, content: [picture('image/png')] })]),
  ),
  compatible(
    'thoughts-come-back',
    message([USER, says(USE), asks(RESULT)], { thinking: BUDGET }),
    message([USER, says({ type: 'thinking', thinking: '先查' }, USE), asks(RESULT)], { thinking: BUDGET }),
  ),
  compatible('no-system-turns', message([USER, system]), message([USER], { system: '用中文' })),
]
