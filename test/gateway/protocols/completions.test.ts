import { describe, expect, test } from 'vitest'
import { modelNames, platformNames } from '../../world/real-names.ts'
import { useOwnWorld } from '../../world/use-world.ts'
import type { ChatCompletion } from '#contract/gateway/completion-answers.ts'
import { createCaller, getBill, getRunId, useCaller, userMessages } from '../caller.ts'

const world = useOwnWorld()
const caller = useCaller(world)

const LONG = '问渠那得清如许？为有源头活水来。'.repeat(20)
const CALL = { id: 'call_1', name: 'weather', arguments: '{"city":"上海"}' }
const TOOL = {
  type: 'function',
  function: {
    name: 'weather',
    description: '天气',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
    strict: true,
  },
}
const getUpstreamBody = () => world.upstream.requests.at(-1)!.body as Record<string, unknown>

describe('a completion without a stream', () => {
  test("has OpenAI's shape, and is settled before it is answered", async () => {
    world.upstream.script('scripted-paid', {
      text: LONG,
      usage: { prompt_tokens: 12, completion_tokens: 300, prompt_tokens_details: { cached_tokens: 4 } },
    })
    const response = await caller.post({ model: 'scripted-paid', messages: userMessages('源头在哪里？') })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    const completion = (await response.json()) as ChatCompletion
    expect(completion).toEqual({
      id: expect.stringMatching(/^chatcmpl-[0-9a-f-]{36}$/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'scripted-paid',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: LONG, refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 12,
        completion_tokens: 300,
        total_tokens: 312,
        billed_units: 312,
        prompt_tokens_details: {
          cached_tokens: 4,
          text_tokens: 12,
          audio_tokens: 0,
          image_tokens: 0,
          video_tokens: 0,
          citation_tokens: 0,
        },
        completion_tokens_details: {
          text_tokens: 300,
          audio_tokens: 0,
          image_tokens: 0,
          reasoning_tokens: 0,
          accepted_prediction_tokens: 0,
          rejected_prediction_tokens: 0,
        },
      },
    })
    expect(Math.abs(completion.created - Date.now() / 1000)).toBeLessThan(60)
    // 312 tokens at 200 coins a million.
    expect(await getBill(world, getRunId(completion))).toEqual({
      amount: '62400',
      output_tokens: 300,
      usage_source: 'upstream',
    })
  })

  test('is answered at /v1 too', async () => {
    world.upstream.script('scripted', { text: '在' })
    const extra = { path: '/v1/chat/completions' }
    const { choices } = await caller.complete({ model: 'scripted', messages: userMessages('?') }, extra)
    expect(choices[0].message.content).toBe('在')
  })

  test('hands on what was asked and what the dialect documents, but nothing that has another price', async () => {
    world.upstream.script('scripted', { text: '{}', finish: 'length' })
    const { choices } = await caller.complete({
      model: 'scripted',
      messages: [
        { role: 'developer', content: '用 JSON' },
        { role: 'user', content: [{ type: 'text', text: '一' }], name: '某人' },
        { role: 'assistant', content: '二', audio: { id: 'a' }, reasoning_content: '想', refusal: null },
        { role: 'user', content: '三' },
      ],
      max_completion_tokens: 77,
      temperature: 0.3,
      top_p: 0.9,
      stop: '。',
      seed: 7,
      presence_penalty: 0.5,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'reply', strict: true, schema: { type: 'object' } },
      },
      service_tier: 'priority',
      user: '我',
      n: 1,
    })
    expect(choices[0].finish_reason).toBe('length')
    expect(getUpstreamBody()).toEqual({
      model: 'scripted',
      messages: [
        { role: 'system', content: '用 JSON' },
        { role: 'user', content: '一', name: '某人' },
        { role: 'assistant', content: '二', reasoning_content: '想' },
        { role: 'user', content: '三' },
      ],
      max_tokens: 77,
      temperature: 0.3,
      top_p: 0.9,
      stop: ['。'],
      seed: 7,
      presence_penalty: 0.5,
      user: '我',
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'reply', strict: true, schema: { type: 'object' } },
      },
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  test('leaves what only some platforms know to those whose entry in the models file names it', async () => {
    const smuggled = {
      enable_thinking: true,
      api_base: 'http://evil.example',
      api_key: 'sk-other',
      base_url: 'http://evil.example',
      models: ['dearest'],
      route: 'fallback',
      provider: { order: ['a'] },
      extra_headers: { a: 'b' },
      plugins: [{ id: 'web' }],
      constructor: 1,
      made_up: null,
    }
    world.upstream.script('twofold-cheap', { status: 500 })
    world.upstream.script('twofold-dear', { text: '好' })
    const question = { role: 'user', content: '?', api_key: 'sk-other', cache_control: { type: 'ephemeral' } }
    const body = { model: 'twofold', messages: [question], max_tokens: 10, min_p: 0.5, ...smuggled }
    await caller.complete({ ...body, ['__proto__']: { api_base: 'http://evil' } })
    const expected = {
      messages: userMessages('?'),
      max_tokens: 10,
      stream: true,
      stream_options: { include_usage: true },
    }
    const [cheap, dear] = world.upstream.requests.slice(-2)
    expect(cheap!.body).toEqual({ ...expected, model: 'twofold-cheap' })
    expect(dear!.body).toEqual({ ...expected, model: 'twofold-dear', min_p: 0.5 })
  })

  test('takes pictures', async () => {
    world.upstream.script('scripted', { text: '一只猫' })
    const picture = `data:image/png;base64,${'iVBORw0KGgo='.repeat(200_000)}`
    const content = [
      { type: 'text', text: '这是什么？' },
      { type: 'image_url', image_url: { url: picture, detail: 'low' } },
      { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } },
    ]
    await caller.complete({ model: 'scripted', messages: [{ role: 'user', content }] })
    expect(getUpstreamBody().messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: '这是什么？' },
          { type: 'image_url', image_url: { url: picture, detail: 'low' } },
          { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } },
        ],
      },
    ])
  })

  test('carries the calls of tools both ways', async () => {
    world.upstream.script('scripted-paid', { tool_calls: [CALL, { ...CALL, id: 'call_2' }] })
    const asked = { model: 'scripted-paid', messages: userMessages('上海天气'), tools: [TOOL] }
    const completion = await caller.complete({ ...asked, tool_choice: 'required' })
    const message = {
      role: 'assistant',
      content: null,
      refusal: null,
      tool_calls: ['call_1', 'call_2'].map((id) => ({
        id,
        type: 'function',
        function: { name: 'weather', arguments: '{"city":"上海"}' },
      })),
    }
    expect(completion.choices[0]).toMatchObject({ message, finish_reason: 'tool_calls' })
    expect(await getBill(world, getRunId(completion))).toBeDefined()
    expect(getUpstreamBody()).toMatchObject({
      tools: [TOOL],
      tool_choice: 'required',
    })

    world.upstream.script('scripted-paid', { text: '晴' })
    const results = ['call_1', 'call_2'].map((toolCallId) => ({
      role: 'tool',
      tool_call_id: toolCallId,
      content: '晴，25 度',
    }))
    await caller.complete({ ...asked, messages: [...asked.messages, message, ...results] })
    expect(getUpstreamBody().messages).toEqual([
      { role: 'user', content: '上海天气' },
      { role: 'assistant', content: null, tool_calls: message.tool_calls },
      ...results,
    ])
  })

  test('tells the reasoning', async () => {
    world.upstream.script('scripted', { reasoning: '先想想', text: '好' })
    const { choices } = await caller.complete({ model: 'scripted', messages: userMessages('?') })
    expect(choices[0].message).toMatchObject({ reasoning_content: '先想想', content: '好' })
  })

  test('counts tokens where the platform reports none', async () => {
    world.upstream.script('scripted-paid', { text: LONG, usage: null })
    const completion = await caller.complete({ model: 'scripted-paid', messages: userMessages('?') })
    expect(completion.usage.completion_tokens).toBeGreaterThan(100)
    expect(await getBill(world, getRunId(completion))).toMatchObject({
      output_tokens: completion.usage.completion_tokens,
      usage_source: 'counted',
    })
  })
})

describe('a stream', () => {
  test('comes in chunks as they were produced, then the reason, then [DONE]', async () => {
    world.upstream.script('scripted', { text: LONG, chars: 3, reasoning: '想', every_ms: 1 })
    const { chunks, text, done, error } = await caller.stream({
      model: 'scripted',
      messages: userMessages('?'),
    })
    expect({ text, done, error }).toEqual({ text: LONG, done: true, error: null })
    expect(chunks.length).toBeGreaterThan(50)
    expect(chunks[0]).toEqual({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion.chunk',
      created: expect.any(Number),
      model: 'scripted',
      choices: [{ index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null }],
    })
    expect(chunks[1]?.choices[0]?.delta).toEqual({ reasoning_content: '想' })
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
    expect(chunks.at(-1)?.choices).toEqual([{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }])
  })

  test('reports its usage last when asked, and is settled by then', async () => {
    world.upstream.script('scripted-paid', { text: LONG })
    const options = { stream_options: { include_usage: true } }
    const { chunks } = await caller.stream({
      model: 'scripted-paid',
      messages: userMessages('?'),
      ...options,
    })
    const last = chunks.at(-1)!
    expect(last.choices).toEqual([])
    expect(last.usage!.total_tokens).toBe(last.usage!.prompt_tokens + last.usage!.completion_tokens)
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true)
    const bill = await getBill(world, getRunId(last))
    expect(bill?.output_tokens).toBe(last.usage!.completion_tokens)
  })

  test('carries the calls of tools piece by piece', async () => {
    world.upstream.script('scripted', {
      text: '查一下',
      tool_calls: [CALL, { ...CALL, id: 'call_2' }],
      chars: 4,
    })
    const { chunks } = await caller.stream({ model: 'scripted', messages: userMessages('?'), tools: [TOOL] })
    const pieces = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
    expect(pieces.filter(({ id }) => id).map(({ id, type, function: { name } }) => [id, type, name])).toEqual(
      [
        ['call_1', 'function', 'weather'],
        ['call_2', 'function', 'weather'],
      ],
    )
    for (const index of [0, 1]) {
      const own = pieces.filter((piece) => piece.index === index)
      expect(own.map((piece) => piece.function.arguments).join('')).toBe(CALL.arguments)
      expect(own.length).toBeGreaterThan(2)
    }
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls')
  })

  test('of a platform that repeats the whole text with each piece says each word once', async () => {
    world.upstream.script('farui-scripted', { text: LONG, chars: 20, cumulative: true })
    const { text, done } = await caller.stream({ model: 'farui-scripted', messages: userMessages('合同') })
    expect({ text, done }).toEqual({ text: LONG, done: true })
  })

  test('of a large answer to a reader that takes its time arrives whole', async () => {
    const large = LONG.repeat(300)
    world.upstream.script('scripted', { text: large, chars: 1000 })
    const response = await caller.post({ model: 'scripted', messages: userMessages('?'), stream: true })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let events = ''
    for (let nth = 0; ; nth++) {
      const { value, done } = await reader.read()
      if (done) break
      events += value
      if (nth % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const textSent = [...events.matchAll(/"content":"([^"]*)"/g)].map(([, text]) => text).join('')
    expect(textSent).toBe(large)
    expect(events.endsWith('data: [DONE]\n\n')).toBe(true)
  })
})

describe('models', () => {
  test('are listed with prices and limits, those that the key may use', async () => {
    const list = await caller.get('/api/v1/models')
    const { data, total } = (await list.json()) as { data: { id: string }[]; total: number }
    expect(total).toBe(data.length)
    expect(data.find(({ id }) => id === 'twofold')).toEqual({
      id: 'twofold',
      object: 'model',
      name: modelNames.twofold,
      display_name: modelNames.twofold,
      type: 'chat',
      status: 'available',
      created: 0,
      created_at: '1970-01-01T00:00:00.000Z',
      owned_by: 'scripted',
      context_window: 64_000,
      pricing: { unit: 'token', input: 1000, output: 1000, per_call: 0 },
      capabilities: [],
      limitations: { max_tokens: 8_000, max_requests_per_min: null },
      platform: { name: 'scripted', alias: platformNames.scripted, website: '' },
    })
    const narrow = await createCaller(world, { allowed_models: ['flat', 'scripted'] })
    const own = await (await narrow.get('/v1/models?page=2&page_size=1')).json()
    expect(own).toMatchObject({ object: 'list', data: [{ id: 'flat' }], total: 2, page: 2, page_size: 1 })
  })

  test('are told one by one', async () => {
    expect(await (await caller.get('/api/v1/models/flat')).json()).toMatchObject({ id: 'flat' })
    expect((await caller.get('/api/v1/models/nothing')).status).toBe(404)
    expect((await caller.get('/api/v1/models/%E0%A4')).status).toBe(404)
  })
})
