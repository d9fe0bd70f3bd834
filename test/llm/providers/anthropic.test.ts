import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChatRequest } from '#server/llm/chat-request.ts'
import type { ProviderTarget } from '#server/llm/providers/provider.ts'
import { PROVIDERS } from '#server/llm/providers/providers.ts'
import { sign } from '#test/world/upstream/signatures.ts'
import { startUpstream } from '#test/world/upstream/upstream.ts'
import type { Upstream } from '#test/world/upstream/upstream.ts'
import { callProvider, getErrorCode, createTarget } from '../provider-call.ts'
import type { CollectedStream } from '../provider-call.ts'
import { CONVERSATION, TOOLS } from '../sample-conversation.ts'
import { PROVIDER_CASES } from '../provider-cases.ts'

const TEXT = '问渠那得清如许？为有源头活水来。😀'
let upstream: Upstream

beforeAll(async () => {
  upstream = await startUpstream()
})
afterAll(() => upstream.close())

const streamAnswer = (
  over: Partial<ProviderTarget>,
  asked: string | ChatRequest = '你好',
): Promise<CollectedStream> =>
  callProvider(
    createTarget(upstream.url, over, {}, 'anthropic'),
    asked,
    new AbortController().signal,
    PROVIDERS.anthropic,
  )

async function captureBody(model: string, more: Partial<ChatRequest>): Promise<unknown> {
  upstream.script(model, { text: 'ok' })
  await streamAnswer({ model }, { messages: [{ role: 'user', content: '?' }], max_tokens: 8000, ...more })
  return upstream.requests.at(-1)?.body
}

describe('an answer', () => {
  test('thoughts, text, calls, usage and finish, in this order', async () => {
    const usage = {
      input_tokens: 9,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 2000,
      output_tokens: 70,
      server_tool_use: { web_search_requests: 3 },
    }
    const toolCalls = [
      { id: 'toolu_1', name: 'weather', arguments: '{"city":"杭州"}' },
      { id: 'toolu_2', name: 'time', arguments: '' },
    ]
    upstream.script('all', { text: TEXT, reasoning: '想一想', tool_calls: toolCalls, chars: 6, usage })
    const { parts, text, error } = await streamAnswer({ model: 'all' })
    expect([text, error]).toEqual([TEXT, null])
    expect(parts.slice(0, 2)).toEqual([
      { type: 'reasoning', text: '想一想' },
      { type: 'signature', signature: sign('想一想') },
    ])
    expect(parts.filter(({ type }) => type === 'tool_call')).toEqual([
      { type: 'tool_call', index: 0, id: 'toolu_1', name: 'weather', arguments: '' },
      { type: 'tool_call', index: 0, id: '', name: '', arguments: '{"city' },
      { type: 'tool_call', index: 0, id: '', name: '', arguments: '":"杭州"' },
      { type: 'tool_call', index: 0, id: '', name: '', arguments: '}' },
      { type: 'tool_call', index: 1, id: 'toolu_2', name: 'time', arguments: '' },
      { type: 'tool_call', index: 1, id: '', name: '', arguments: '{}' },
    ])
    expect(parts.slice(-2)).toEqual([
      {
        type: 'usage',
        usage: { input: 2109, output: 70, cached: 2000, reasoning: 0, cache_write: 100, searches: 3 },
      },
      { type: 'finish', reason: 'tool_calls' },
    ])
  })

  test('as one object', async () => {
    const toolCalls = [{ id: 'toolu_1', name: 'time', arguments: '{"zone":8}' }]
    upstream.script('json', { text: TEXT, reasoning: '嗯', tool_calls: toolCalls, json: true })
    const { parts } = await streamAnswer({ model: 'json' })
    expect(parts.map(({ type }) => type)).toEqual([
      'reasoning',
      'signature',
      'delta',
      'tool_call',
      'usage',
      'finish',
    ])
    expect(parts[3]).toMatchObject({ id: 'toolu_1', arguments: '{"zone":8}' })
  })

  test.each([
    ['stop', 'stop'],
    ['stop_sequence', 'stop'],
    ['length', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['a reason of tomorrow', 'a reason of tomorrow'],
  ])('that ends with %s', async (finish, reason) => {
    upstream.script('finish', { text: 'ok', finish })
    expect((await streamAnswer({ model: 'finish' })).parts.at(-1)).toEqual({ type: 'finish', reason })
  })

  test('that is refused midway is one that ended, with its usage', async () => {
    upstream.script('refusal', { text: TEXT, finish: 'content_filter' })
    const { parts, text, error } = await streamAnswer({ model: 'refusal' })
    expect([error, text]).toEqual([null, TEXT])
    expect(parts.slice(-2).map(({ type }) => type)).toEqual(['usage', 'finish'])
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'content_filter' })
  })

  test('without message_stop is cut; what it reported of its usage counts', async () => {
    upstream.script('cut', { text: TEXT, done: 0 })
    const { parts, error } = await streamAnswer({ model: 'cut' })
    expect(getErrorCode(error)).toBe('upstream_cut')
    expect(parts.at(-1)?.type).toBe('usage')
  })

  test('is over with message_stop', async () => {
    const { delta, end } = PROVIDER_CASES['anthropic'] ?? { delta: String, end: '' }
    upstream.script('over', { raw: [delta('甲'), end, delta('乙')] })
    expect(await streamAnswer({ model: 'over' })).toMatchObject({ text: '甲', error: null })
  })

  test('of which message_delta repeats nothing about the input has what message_start said', async () => {
    const event = (body: object): string => `data: ${JSON.stringify(body)}\n\n`
    const usage = { input_tokens: 9, cache_read_input_tokens: 5, output_tokens: 1 }
    const silent = { input_tokens: 0, cache_read_input_tokens: null, output_tokens: 7 }
    const events = [
      { type: 'message_start', message: { usage } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '甲' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: silent },
      { type: 'message_stop' },
    ]
    upstream.script('silent', { raw: events.map(event) })
    const { parts } = await streamAnswer({ model: 'silent' })
    expect(parts.at(-2)).toEqual({ type: 'usage', usage: { input: 14, output: 7, cached: 5, reasoning: 0 } })
  })

  test('that breaks before message_delta has no usage: its beginning does not know the output', async () => {
    upstream.script('early', { text: TEXT, finish: null, done: 0 })
    const { parts } = await streamAnswer({ model: 'early' })
    expect(parts.every(({ type }) => type === 'delta')).toBe(true)
  })

  test.each([
    ['negative', { input_tokens: 9, output_tokens: -7 }],
    ['fractional', { input_tokens: 9.5, output_tokens: 7 }],
    ['gigantic', { input_tokens: 1e12, output_tokens: 7 }],
    ['zero', { input_tokens: 9, output_tokens: 0 }],
    ['negative cache', { input_tokens: 9, cache_read_input_tokens: -3, output_tokens: 7 }],
    ['words', { input_tokens: 9, output_tokens: '7' }],
  ])('%s usage is flagged, never passed on', async (_, usage) => {
    upstream.script('nonsense', { text: 'ok', usage })
    const { parts, error } = await streamAnswer({ model: 'nonsense' })
    expect(error).toBeNull()
    expect(parts.map(({ type }) => type)).toEqual(['delta', 'usage_flagged', 'finish'])
  })
})

describe('a call', () => {
  test.each([
    ['/v1', '/v1/messages'],
    ['/anthropic', '/anthropic/v1/messages'],
    ['', '/v1/messages'],
  ])('to a base_url that ends in %o goes to %s', async (end, path) => {
    upstream.script('asked', { text: 'ok' })
    const baseUrl = new URL(upstream.url).origin + end
    await streamAnswer({ model: 'asked', base_url: baseUrl, api_key: 'sk-canary' })
    const request = upstream.requests.at(-1)
    expect(request).toMatchObject({ method: 'POST', path })
    expect(request?.headers).toMatchObject({ 'x-api-key': 'sk-canary', 'anthropic-version': '2023-06-01' })
    expect(request?.headers.authorization).toBeUndefined()
  })

  test('a conversation with tools and pictures, as the platform wants it', async () => {
    const body = await captureBody('claude-sonnet-4-5', { ...CONVERSATION, tools: TOOLS })
    expect(body).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 4000,
      system: '简短。',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: '看图' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
            { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: '杭州' } },
            { type: 'tool_use', id: 'call_2', name: 'time', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'call_1',
              content: [{ type: 'text', text: '{"celsius":21}' }],
            },
            { type: 'tool_result', tool_use_id: 'call_2', content: [{ type: 'text', text: '八点' }] },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: '杭州二十一度。' }] },
        { role: 'user', content: [{ type: 'text', text: '谢谢' }] },
      ],
      temperature: 0.5,
      stop_sequences: ['完'],
      tools: [
        { name: 'weather', description: '天气', input_schema: TOOLS[0]?.parameters },
        { name: 'time', input_schema: TOOLS[1]?.parameters },
      ],
      stream: true,
    })
  })

  test.each<[ChatRequest['tool_choice'], object]>([
    ['auto', { type: 'auto' }],
    ['none', { type: 'none' }],
    ['required', { type: 'any' }],
    [{ name: 'time' }, { type: 'tool', name: 'time' }],
  ])('tool_choice %j', async (toolChoice, sent) => {
    expect(await captureBody('m', { tools: TOOLS, tool_choice: toolChoice })).toMatchObject({
      tool_choice: sent,
    })
  })

  test('broken arguments are handed back as they are', async () => {
    const toolCalls = [{ id: 'a', name: 'f', arguments: '{"x":' }]
    const messages = [{ role: 'assistant' as const, content: '', tool_calls: toolCalls }]
    expect(await captureBody('m', { messages })).toMatchObject({
      messages: [
        { content: [{ type: 'tool_use', input: { arguments: '{"x":' } }] },
        { content: [{ type: 'tool_result', tool_use_id: 'a' }] },
      ],
    })
  })

  test('JSON by a schema, or in words', async () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false }
    expect(
      await captureBody('m', { response_format: { type: 'json_schema', name: 'a', schema } }),
    ).toMatchObject({
      output_config: { format: { type: 'json_schema', schema } },
    })
    expect(await captureBody('m', { response_format: { type: 'json' } })).toMatchObject({
      system: expect.stringContaining('JSON') as string,
    })
  })
})
