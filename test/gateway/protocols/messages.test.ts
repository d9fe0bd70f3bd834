import Anthropic from '@anthropic-ai/sdk'
import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import type { MessageBlock, MessageResponse, MessageUsage, TokenCount } from '#contract/gateway/messages.ts'
import { createCaller, getBill, useCaller, userMessages } from '../caller.ts'
import { PROVIDERS, MODELS, useProviderWorld } from '../provider-world.ts'

// Anthropic's own client on models of every dialect.

const world = useProviderWorld()
const caller = useCaller(world)
let client: Anthropic
beforeAll(() => {
  client = new Anthropic({ apiKey: caller.key, baseURL: `${world.url}/api`, maxRetries: 0 })
})

const LONG = '问渠那得清如许？为有源头活水来。'.repeat(20)
const PIXEL = 'iVBORw0KGgo='
const CALL = { id: 'toolu_1', name: 'weather', arguments: '{"city":"上海"}' }
const TOOL: Anthropic.Tool = {
  name: 'weather',
  description: '天气',
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
}
const getRunId = ({ id }: { id: string }): string => id.replace('msg_', '')
const createMessageRequest = (model: string) => ({
  model,
  max_tokens: 1000,
  messages: userMessages('源头在哪里？') as Anthropic.MessageParam[],
})
const getUpstreamBody = () => world.upstream.requests.at(-1)!.body as Record<string, unknown>

test("the contract's types are those that the client expects", () => {
  type Citable<Block> = Block extends { type: 'text' } ? Block & { citations: null } : Block
  type Message = Omit<MessageResponse, 'content'> & { content: Citable<MessageBlock>[] }
  expectTypeOf<Message>().toExtend<Anthropic.Message>()
  expectTypeOf<MessageUsage>().toExtend<Anthropic.MessageDeltaUsage>()
  expectTypeOf<TokenCount>().toExtend<Anthropic.MessageTokensCount>()
})

describe.each(PROVIDERS)('of a platform that speaks %s', (dialect) => {
  const model = MODELS[dialect]

  test("a whole message has Anthropic's shape, and is settled before it is answered", async () => {
    world.upstream.script(model, { text: LONG })
    const message = await client.messages.create(createMessageRequest(model))
    expect(message).toMatchObject({
      id: expect.stringMatching(/^msg_[0-9a-f-]{36}$/),
      type: 'message',
      role: 'assistant',
      model,
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    })
    // No `citations: null`: a client that validates answers rejects it.
    expect(message.content).toEqual([{ type: 'text', text: LONG }])
    expect(message._request_id).toMatch(/^[0-9a-f-]{36}$/)
    const bill = await getBill(world, getRunId(message))
    expect(bill).toMatchObject({ output_tokens: message.usage.output_tokens, usage_source: 'upstream' })
  })

  test('a stream says the same in events, one block after the other', async () => {
    world.upstream.script(model, { reasoning: '想一想', text: LONG, tool_calls: [CALL], chars: 5 })
    const stream = client.messages.stream({ ...createMessageRequest(model), tools: [TOOL] })
    const types: string[] = []
    stream.on('streamEvent', ({ type }) => {
      if (types.at(-1) !== type) types.push(type)
    })
    const message = await stream.finalMessage()
    const block = ['content_block_start', 'content_block_delta', 'content_block_stop']
    expect(types).toEqual(['message_start', ...block, ...block, ...block, 'message_delta', 'message_stop'])
    const whole = await client.messages.create({ ...createMessageRequest(model), tools: [TOOL] })
    const { usage, content } = message
    // Each run makes up the missing ids of calls.
    const anonymous = (valueSent: unknown): unknown =>
      JSON.parse(JSON.stringify(valueSent, (name, value: unknown) => (name === 'id' ? undefined : value)))
    expect(anonymous(content)).toEqual(anonymous(whole.content))
    expect(usage).toMatchObject({
      input_tokens: whole.usage.input_tokens,
      output_tokens: whole.usage.output_tokens,
    })
    expect(message.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use'])
    expect(message.stop_reason).toBe('tool_use')
    expect((await getBill(world, getRunId(message)))?.output_tokens).toBe(usage.output_tokens)
  })

  test('an answer that was cut by its length says so', async () => {
    world.upstream.script(model, { text: LONG, finish: 'length' })
    expect((await client.messages.create(createMessageRequest(model))).stop_reason).toBe('max_tokens')
  })

  test('a call of a tool goes out and its result comes in', async () => {
    world.upstream.script(model, { tool_calls: [CALL, { ...CALL, id: 'toolu_2' }] })
    const first = await client.messages.create({
      ...createMessageRequest(model),
      tools: [TOOL],
      tool_choice: { type: 'any' },
    })
    expect(first.content).toMatchObject([
      { type: 'tool_use', name: 'weather', input: { city: '上海' } },
      { type: 'tool_use', name: 'weather', input: { city: '上海' } },
    ])
    world.upstream.script(model, { text: '晴' })
    const results = first.content.flatMap((block): Anthropic.ToolResultBlockParam[] =>
      block.type === 'tool_use'
        ? [{ type: 'tool_result', tool_use_id: block.id, content: [{ type: 'text', text: '晴，25 度' }] }]
        : [],
    )
    const second = await client.messages.create({
      ...createMessageRequest(model),
      tools: [TOOL],
      messages: [
        ...createMessageRequest(model).messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: [...results, { type: 'text', text: '所以呢？' }] },
      ],
    })
    expect(second.content).toMatchObject([{ type: 'text', text: '晴' }])
    expect(second.stop_reason).toBe('end_turn')
    expect(getUpstreamBody()).toMatchObject(SECOND[dialect])
  })

  test('pictures go in', async () => {
    world.upstream.script(model, { text: '一只猫' })
    await client.messages.create({
      ...createMessageRequest(model),
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
            { type: 'image', source: { type: 'url', url: 'https://example.com/cat.png' } },
            { type: 'text', text: '这是什么？' },
          ],
        },
      ],
    })
    expect(getUpstreamBody()).toMatchObject(PICTURES[dialect])
  })

  test('the system, sampling and stops are forwarded', async () => {
    world.upstream.script(model, { text: '好' })
    await client.messages.create({
      ...createMessageRequest(model),
      system: [
        { type: 'text', text: '简短。', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: '有礼。' },
      ],
      ...SAMPLING,
      stop_sequences: ['完'],
    })
    expect(getUpstreamBody()).toMatchObject(SETTINGS[dialect])
  })
})

const calls = ['toolu_1', 'toolu_2'].map((id) => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: '{"city":"上海"}' },
}))
/** Options of earlier versions, unknown to the client's types. */
const SAMPLING: object = { temperature: 0.3, top_k: 40 }
const RESULT = [{ type: 'text', text: '晴，25 度' }]
const SECOND = {
  openai: {
    messages: [
      { role: 'user', content: '源头在哪里？' },
      { role: 'assistant', content: null, tool_calls: calls },
      { role: 'tool', tool_call_id: 'toolu_1', content: '晴，25 度' },
      { role: 'tool', tool_call_id: 'toolu_2', content: '晴，25 度' },
      { role: 'user', content: '所以呢？' },
    ],
  },
  anthropic: {
    messages: [
      { role: 'user' },
      { role: 'assistant', content: [{ id: 'toolu_1' }, { id: 'toolu_2', input: { city: '上海' } }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: RESULT },
          { type: 'tool_result', tool_use_id: 'toolu_2', content: RESULT },
          { type: 'text', text: '所以呢？' },
        ],
      },
    ],
  },
  gemini: {
    contents: [
      { role: 'user' },
      { role: 'model', parts: [{ functionCall: { name: 'weather', args: { city: '上海' } } }, {}] },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'weather', response: { result: '晴，25 度' } } },
          { functionResponse: { name: 'weather' } },
          { text: '所以呢？' },
        ],
      },
    ],
  },
}
const PICTURES = {
  openai: {
    messages: [
      {
        content: [
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
          { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } },
          { type: 'text', text: '这是什么？' },
        ],
      },
    ],
  },
  anthropic: {
    messages: [
      {
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
          { type: 'image', source: { type: 'url', url: 'https://example.com/cat.png' } },
          { type: 'text', text: '这是什么？' },
        ],
      },
    ],
  },
  gemini: {
    contents: [
      {
        parts: [
          { inlineData: { mimeType: 'image/png', data: PIXEL } },
          { fileData: { fileUri: 'https://example.com/cat.png' } },
          { text: '这是什么？' },
        ],
      },
    ],
  },
}
const SETTINGS = {
  openai: {
    messages: [{ role: 'system', content: '简短。\n有礼。' }, {}],
    max_tokens: 1000,
    temperature: 0.3,
    top_k: 40,
    stop: ['完'],
  },
  anthropic: {
    system: [
      { type: 'text', text: '简短。', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: '有礼。' },
    ],
    max_tokens: 1000,
    temperature: 0.3,
    top_k: 40,
    stop_sequences: ['完'],
  },
  gemini: {
    systemInstruction: { parts: [{ text: '简短。\n有礼。' }] },
    generationConfig: { maxOutputTokens: 1000, temperature: 0.3, topK: 40, stopSequences: ['完'] },
  },
}

test('is answered at /v1 too, and to a Bearer key', async () => {
  const { key } = await createCaller(world)
  const bearer = new Anthropic({ authToken: key, apiKey: null, baseURL: world.url, maxRetries: 0 })
  world.upstream.script(MODELS.openai, { text: '在' })
  const { content } = await bearer.messages.create(createMessageRequest(MODELS.openai))
  expect(content).toMatchObject([{ text: '在' }])
})

test('counts tokens without asking anybody', async () => {
  const before = world.upstream.requests.length
  const count = (content: string, more: object = {}) =>
    client.messages.countTokens({
      model: MODELS.openai,
      messages: [{ role: 'user', content }],
      ...more,
    })
  const short = (await count('你好')).input_tokens
  const long = (await count(LONG)).input_tokens
  expect(short).toBeGreaterThan(0)
  // 320 characters, of a maker that states 0.6 tokens for each.
  expect(long).toBeGreaterThan(180)
  expect(long).toBeLessThan(250)
  expect((await count('你好', { tools: [TOOL] })).input_tokens).toBeGreaterThan(short)
  expect((await count('你好', { system: LONG })).input_tokens).toBeGreaterThan(long)
  expect(world.upstream.requests.length).toBe(before)
})
