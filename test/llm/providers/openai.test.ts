import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startUpstream } from '#test/world/upstream/upstream.ts'
import type { Upstream } from '#test/world/upstream/upstream.ts'
import { buildOpenaiRequest } from '#server/llm/providers/openai/request.ts'
import { createRequest, callProvider, createTarget } from '../provider-call.ts'
import { CONVERSATION, TOOLS } from '../sample-conversation.ts'

const TEXT = '问渠那得清如许？为有源头活水来。😀 `code` and English.'
let upstream: Upstream

beforeAll(async () => {
  upstream = await startUpstream()
})
afterAll(() => upstream.close())

describe('a good answer', () => {
  test('comes in order, with its usage before the finish', async () => {
    const usage = { prompt_tokens: 9, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 3 } }
    upstream.script('m', { text: TEXT, reasoning: '想一想', chars: 3, usage })
    const { parts, text, error } = await callProvider(createTarget(upstream.url))
    expect(error).toBeNull()
    expect(text).toBe(TEXT)
    expect(parts[0]).toMatchObject({ type: 'reasoning', text: '想一想' })
    expect(parts.slice(-2)).toEqual([
      { type: 'usage', usage: { input: 9, output: 7, cached: 3, reasoning: 0 } },
      { type: 'finish', reason: 'stop' },
    ])
    expect(parts.every((part) => !('text' in part) || part.text !== '')).toBe(true)
  })

  test('asks as the field does: model, messages, limit, usage, key', async () => {
    upstream.script('asked', { text: 'ok' })
    await callProvider(createTarget(upstream.url, { model: 'asked', api_key: 'sk-canary' }), '问题')
    const request = upstream.requests.at(-1)
    expect(request).toMatchObject({ method: 'POST', path: '/v1/chat/completions' })
    expect(request?.headers.authorization).toBe('Bearer sk-canary')
    expect(request?.body).toEqual({
      model: 'asked',
      messages: [{ role: 'user', content: '问题' }],
      max_tokens: 1000,
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  test('OpenAI reasoning models are asked for max_completion_tokens', async () => {
    upstream.script('gpt-5', { text: 'ok' })
    await callProvider(createTarget(upstream.url, { model: 'gpt-5' }))
    expect(upstream.requests.at(-1)?.body).toMatchObject({ max_completion_tokens: 1000 })
    expect(upstream.requests.at(-1)?.body).not.toHaveProperty('max_tokens')
  })

  test.each([
    ['gpt-4.1', {}],
    ['qwen-max', { top_k: 40 }],
  ])('%s is asked for top_k as far as its maker knows it', async (model, known) => {
    upstream.script(model, { text: 'ok' })
    await callProvider(createTarget(upstream.url, { model }), { ...createRequest('?'), top_k: 40 })
    const { top_k } = upstream.requests.at(-1)!.body as { top_k?: number }
    expect(top_k === undefined ? {} : { top_k }).toEqual(known)
  })

  test('cumulative chunks replace', async () => {
    upstream.script('farui', { text: TEXT, chars: 5, cumulative: true })
    const { parts, text } = await callProvider(
      createTarget(upstream.url, { model: 'farui', cumulative: true }),
    )
    expect(text).toBe(TEXT)
    expect(parts.filter(({ type }) => type === 'replace').length).toBeGreaterThan(3)
    expect(parts.some(({ type }) => type === 'delta')).toBe(false)
  })

  test('one JSON object instead of a stream', async () => {
    upstream.script('json', { text: TEXT, json: true })
    const { parts, text } = await callProvider(createTarget(upstream.url, { model: 'json' }))
    expect(text).toBe(TEXT)
    expect(parts.map(({ type }) => type)).toEqual(['delta', 'usage', 'finish'])
  })

  test('the connection is used again, also after a second [DONE]', async () => {
    const own = await startUpstream()
    own.script('m', { text: 'ok', done: 2 })
    for (let nth = 0; nth < 10; nth += 1) {
      await callProvider(createTarget(own.url))
      // The rest of an answer is read in the background, and may be late.
      await expect.poll(() => own.requests.at(-1)!.answered).toBe(true)
    }
    await own.close()
    expect(own.connections()).toBeLessThan(own.requests.length)
  })

  test.each([
    ['DeepSeek', { prompt_tokens: 9, completion_tokens: 7, prompt_cache_hit_tokens: 4 }, 4, 0],
    ['Moonshot', { prompt_tokens: 9, completion_tokens: 7, cached_tokens: 2 }, 2, 0],
    [
      'OpenAI',
      { prompt_tokens: 9, completion_tokens: 7, completion_tokens_details: { reasoning_tokens: 5 } },
      0,
      5,
    ],
    [
      'xAI',
      {
        prompt_tokens: 9,
        completion_tokens: 2,
        total_tokens: 16,
        completion_tokens_details: { reasoning_tokens: 5 },
      },
      0,
      5,
    ],
  ])('usage as %s reports it', async (_, usage, cached, reasoning) => {
    upstream.script('usage', { text: 'ok', usage })
    const { parts } = await callProvider(createTarget(upstream.url, { model: 'usage' }))
    expect(parts).toContainEqual({ type: 'usage', usage: { input: 9, output: 7, cached, reasoning } })
  })

  test.each([
    [
      'sound and pictures in and out',
      {
        prompt_tokens_details: { audio_tokens: 3, image_tokens: 2 },
        completion_tokens_details: { audio_tokens: 5, image_tokens: 1 },
      },
      { audio: { input: 3, output: 5 }, image: { input: 2, output: 1 } },
    ],
    ['a cache written', { prompt_tokens_details: { cache_write_tokens: 4 } }, { cache_write: 4 }],
    ['a cache of 百炼', { prompt_tokens_details: { cache_creation_input_tokens: 4 } }, { cache_write: 4 }],
    ['searches of a relay', { server_tool_use: { web_search_requests: 2 } }, { searches: 2 }],
    ['searches of 百炼', { plugins: { search: { count: 1 } } }, { searches: 1 }],
    ['more sound than there was', { prompt_tokens_details: { audio_tokens: 10 } }, {}],
  ])('%s is read', async (_, details, read) => {
    const usage = { prompt_tokens: 9, completion_tokens: 7, ...details }
    upstream.script('usage', { text: 'ok', usage })
    const { parts } = await callProvider(createTarget(upstream.url, { model: 'usage' }))
    expect(parts.find(({ type }) => type === 'usage')).toEqual({
      type: 'usage',
      usage: { input: 9, output: 7, cached: 0, reasoning: 0, ...read },
    })
  })

  test.each([
    ['negative', { prompt_tokens: 9, completion_tokens: -7 }],
    ['fractional', { prompt_tokens: 9, completion_tokens: 7.5 }],
    ['gigantic', { prompt_tokens: 1e12, completion_tokens: 7 }],
    ['zero for a text', { prompt_tokens: 9, completion_tokens: 0 }],
    ['more cached than there was', { prompt_tokens: 9, completion_tokens: 7, cached_tokens: 10 }],
    ['words', { prompt_tokens: 'nine', completion_tokens: 7 }],
    ['incomplete', { prompt_tokens: 9 }],
  ])('%s usage is flagged, never passed on', async (_, usage) => {
    upstream.script('nonsense', { text: 'ok', usage })
    const { parts, text, error } = await callProvider(createTarget(upstream.url, { model: 'nonsense' }))
    expect([text, error]).toEqual(['ok', null])
    expect(parts.map(({ type }) => type)).toEqual(['delta', 'usage_flagged', 'finish'])
  })

  test('no usage is no part', async () => {
    upstream.script('none', { text: 'ok', usage: null })
    const { parts } = await callProvider(createTarget(upstream.url, { model: 'none' }))
    expect(parts.map(({ type }) => type)).toEqual(['delta', 'finish'])
  })
})

describe('what only this dialect does', () => {
  const delta = (content: string): string =>
    `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`

  test.each([
    ['no [DONE] after finish_reason', { text: TEXT, done: 0 }, TEXT],
    ['[DONE] without finish_reason', { text: TEXT, finish: null }, TEXT],
    ['text after [DONE]', { raw: [delta('甲'), 'data: [DONE]\n\n', delta('乙')] }, '甲'],
  ])('%s is a whole answer', async (model, script, text) => {
    upstream.script(model, script)
    const received = await callProvider(createTarget(upstream.url, { model }))
    expect(received).toMatchObject({ text, error: null })
    expect(received.parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  })

  const piece = (...toolCalls: object[]): string =>
    `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: toolCalls } }] })}\n\n`
  const fn = (name: string, text: string) => ({ function: { name, arguments: text } })

  test.each([
    [
      'id and name with every piece',
      [piece({ index: 0, id: 'a', ...fn('f', '{"x"') }), piece({ index: 0, id: 'a', ...fn('f', ':1}') })],
    ],
    ['no index', [piece({ id: 'a', ...fn('f', '{"x"') }), piece({ function: { arguments: ':1}' } })]],
    ['arguments as an object', [piece({ index: 0, id: 'a', function: { name: 'f', arguments: { x: 1 } } })]],
  ])('tool calls with %s', async (model, events) => {
    upstream.script(model, { raw: [...events, 'data: [DONE]\n\n'] })
    const { parts, error } = await callProvider(createTarget(upstream.url, { model }))
    const calls = parts.filter((part) => part.type === 'tool_call')
    expect(error).toBeNull()
    expect(calls.map(({ index, id, name }) => [index, id, name])).toEqual(
      [
        [0, 'a', 'f'],
        [0, '', ''],
      ].slice(0, events.length),
    )
    expect(calls.map((call) => call.arguments).join('')).toBe('{"x":1}')
  })

  test('tool calls without an id get one, each its own', async () => {
    upstream.script('no id', {
      raw: [piece({ index: 0, ...fn('f', '{}') }, { index: 1, ...fn('g', '{}') }), 'data: [DONE]\n\n'],
    })
    const { parts } = await callProvider(createTarget(upstream.url, { model: 'no id' }))
    const ids = parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []))
    expect(new Set(ids).size).toBe(2)
    expect(ids.join(' ')).toMatch(/^call_\S+ call_\S+$/)
  })
})

test('a conversation with tools and pictures, as the platform wants it', async () => {
  upstream.script('all', { text: 'ok' })
  const request = { ...CONVERSATION, tools: TOOLS, tool_choice: { name: 'weather' } }
  expect((await callProvider(createTarget(upstream.url, { model: 'all' }), request)).error).toBeNull()
  expect(upstream.requests.at(-1)?.body).toEqual({
    model: 'all',
    messages: [
      { role: 'system', content: '简短。' },
      {
        role: 'user',
        content: [
          { type: 'text', text: '看图' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"杭州"}' } },
          { id: 'call_2', type: 'function', function: { name: 'time', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '{"celsius":21}' },
      { role: 'tool', tool_call_id: 'call_2', content: '八点' },
      { role: 'assistant', content: '杭州二十一度。' },
      { role: 'user', content: '谢谢' },
    ],
    max_tokens: 4000,
    temperature: 0.5,
    top_p: 0.9,
    stop: ['完'],
    seed: 7,
    tools: TOOLS.map((tool) => ({ type: 'function', function: tool })),
    tool_choice: { type: 'function', function: { name: 'weather' } },
    stream: true,
    stream_options: { include_usage: true },
  })
})

test.each([
  ['gpt-5', 'high'],
  ['gpt-5.2', 'xhigh'],
  ['gpt-5.1-codex-max', 'xhigh'],
  ['deepseek-reasoner', 'high'],
])('%s gets the highest effort that it knows: %s', (model, reasoningEffort) => {
  for (const effort of ['xhigh', 'max'] as const) {
    const request = { ...createRequest('?'), reasoning_effort: effort }
    expect(buildOpenaiRequest(createTarget('', { model }), request).body).toMatchObject({
      reasoning_effort: reasoningEffort,
    })
  }
})

test('JSON and effort are asked for by name', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } }
  upstream.script('json', { text: '{}' })
  const base = { messages: CONVERSATION.messages, max_tokens: 100 }
  const bodyOf = async (more: object): Promise<unknown> => {
    await callProvider(createTarget(upstream.url, { model: 'json' }), { ...base, ...more })
    return upstream.requests.at(-1)?.body
  }
  expect(await bodyOf({ reasoning_effort: 'low', response_format: { type: 'json' } })).toMatchObject({
    reasoning_effort: 'low',
    response_format: { type: 'json_object' },
  })
  expect(await bodyOf({ response_format: { type: 'json_schema', name: 'a', schema } })).toMatchObject({
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
  })
})
