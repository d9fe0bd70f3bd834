import {
  ANSWER,
  broken,
  call,
  calls,
  chat,
  DEVELOPER,
  follows,
  long,
  order,
  result,
  SILENT,
  SYSTEM,
  text,
  thinking,
  tool,
  USER,
  withTools,
} from './bodies.ts'
import type { RefusalCase } from './bodies.ts'

const tooled = { tools: [tool()], tool_choice: 'required' }
export const VENDOR_CASES: RefusalCase[] = [
  ...order('deepseek', 'deepseek-chat'),
  {
    platform: 'deepseek',
    rule: 'thoughts-come-back',
    refused: follows,
    taken: { ...follows, thinking: { type: 'disabled' } },
  },
  {
    platform: 'deepseek',
    rule: 'thoughts-come-back',
    refused: chat([USER, calls(call()), result()], { thinking: { type: 'enabled' } }),
    taken: chat([USER, thinking(''), result()], { thinking: { type: 'enabled' } }),
  },
  {
    platform: 'deepseek',
    rule: 'roles-are-known',
    refused: chat([DEVELOPER, USER]),
    taken: chat([SYSTEM, USER]),
  },
  {
    platform: 'deepseek',
    rule: 'content-is-there',
    refused: chat([USER, { role: 'assistant' }, USER]),
    taken: chat([USER, SILENT, USER]),
  },
  {
    platform: 'deepseek',
    rule: 'no-pictures',
    refused: chat([{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] }]),
    taken: chat([{ role: 'user', content: [{ type: 'text', text: '?' }] }]),
  },
  {
    platform: 'deepseek',
    rule: 'thinking-forces-no-tool',
    refused: chat([USER], tooled),
    taken: chat([USER], { ...tooled, thinking: { type: 'disabled' } }),
  },
  {
    platform: 'deepseek',
    rule: 'tool-names-differ',
    refused: withTools(tool(), tool()),
    taken: withTools(tool(), tool('time')),
  },
  {
    platform: 'moonshot',
    rule: 'thoughts-come-back',
    refused: chat([USER, thinking(''), result()], { model: 'kimi-k2.6' }),
    taken: chat([USER, thinking('先查'), result()], { model: 'kimi-k2.6' }),
  },
  {
    platform: 'moonshot',
    rule: 'thoughts-come-back',
    refused: chat([USER, calls(call()), result()], { model: 'kimi-k2.6' }),
    taken: chat([USER, calls(call()), result()], { model: 'kimi-k2.6', thinking: { type: 'disabled' } }),
  },
  {
    platform: 'moonshot',
    rule: 'messages-are-not-empty',
    refused: chat([USER, { ...ANSWER, content: '' }, USER]),
    taken: chat([USER, ANSWER, USER]),
  },
  {
    platform: 'moonshot',
    rule: 'tool-names',
    refused: withTools(tool('21st_magic')),
    taken: withTools(tool('m_21st_magic')),
  },
  {
    platform: 'moonshot',
    rule: 'schemas-are-objects',
    refused: withTools(tool('weather', {})),
    taken: withTools(tool()),
  },
  {
    platform: 'moonshot',
    rule: 'no-type-beside-union',
    refused: withTools(
      tool('weather', {
        type: 'object',
        properties: { days: { type: 'array', items: { type: 'string', anyOf: [{ enum: ['a'] }] } } },
      }),
    ),
    taken: withTools(
      tool('weather', {
        type: 'object',
        properties: { days: { type: 'array', items: { anyOf: [{ type: 'string', enum: ['a'] }] } } },
      }),
    ),
  },
  ...order('minimax'),
  {
    platform: 'minimax',
    rule: 'one-system-message',
    refused: chat([SYSTEM, SYSTEM, USER]),
    taken: chat([SYSTEM, USER]),
  },
  {
    platform: 'minimax',
    rule: 'one-system-message',
    refused: chat([SYSTEM, USER, ANSWER, SYSTEM, USER]),
    taken: chat([SYSTEM, USER, ANSWER, USER]),
  },
  {
    platform: 'minimax',
    rule: 'roles-are-known',
    refused: chat([DEVELOPER, USER]),
    taken: chat([SYSTEM, USER]),
  },
  { platform: 'minimax', rule: 'arguments-are-json', refused: broken(''), taken: broken('{}') },
  {
    platform: 'minimax',
    rule: 'schemas-are-there',
    refused: withTools({ type: 'function', function: { name: 'time' } }),
    taken: withTools(tool('time')),
  },
  ...order('dashscope'),
  {
    platform: 'dashscope',
    rule: 'system-comes-first',
    refused: chat([USER, SYSTEM], { model: 'qwen3.6-plus' }),
    taken: chat([USER, SYSTEM], { model: 'glm-5.3' }),
  },
  { platform: 'dashscope', rule: 'arguments-are-json', refused: broken('{'), taken: broken('{}') },
  {
    platform: 'dashscope',
    rule: 'tool-names',
    refused: withTools(tool(long(65))),
    taken: withTools(tool(long(64))),
  },
  {
    platform: 'dashscope',
    rule: 'thinking-forces-no-tool',
    refused: chat([USER], { ...tooled, enable_thinking: true }),
    taken: chat([USER], { ...tooled, enable_thinking: false }),
  },
  {
    platform: 'dashscope',
    rule: 'roles-are-known',
    refused: chat([DEVELOPER, USER]),
    taken: chat([SYSTEM, USER]),
  },
  {
    platform: 'dashscope',
    rule: 'content-is-there',
    refused: chat([USER, SILENT, USER]),
    taken: chat([USER, { ...SILENT, content: '' }, USER]),
  },
  {
    platform: 'dashscope',
    rule: 'answer-is-not-too-long',
    refused: chat([USER], { model: 'qwen-max', max_tokens: 8193 }),
    taken: chat([USER], { model: 'qwen-max', max_tokens: 8192 }),
  },
  {
    platform: 'siliconflow',
    rule: 'thoughts-come-back',
    refused: chat([USER, calls(call()), result()], { model: 'Pro/moonshotai/Kimi-K2.6' }),
    taken: chat([USER, thinking('先查'), result()], { model: 'Pro/moonshotai/Kimi-K2.6' }),
  },
  { platform: 'zhipu', rule: 'user-speaks', refused: chat([SYSTEM]), taken: chat([USER]) },
  {
    platform: 'hunyuan',
    rule: 'messages-are-not-empty',
    refused: chat([{ ...SYSTEM, content: '' }, USER]),
    taken: chat([SYSTEM, USER]),
  },
  {
    platform: 'hunyuan',
    rule: 'turns-alternate',
    refused: chat([SYSTEM, USER, USER]),
    taken: chat([SYSTEM, USER, ANSWER, USER]),
  },
  {
    platform: 'hunyuan',
    rule: 'turns-alternate',
    refused: chat([USER, calls(call()), result(), USER]),
    taken: chat([USER, calls(call(), call('call_2')), result(), result('call_2')]),
  },
  {
    platform: 'volcengine',
    rule: 'roles-are-known',
    refused: chat([DEVELOPER, USER]),
    taken: chat([SYSTEM, USER]),
  },
  {
    platform: 'volcengine',
    rule: 'content-is-there',
    refused: chat([USER, SILENT, USER]),
    taken: chat([USER, ANSWER, USER]),
  },
]

export const SERVER_CASES: RefusalCase[] = [
  { platform: 'vllm', rule: 'answer-fits-window', refused: text(20_000), taken: text(19_000) },
  { platform: 'openrouter', rule: 'answer-fits-window', refused: text(20_000), taken: text(19_000) },
]
