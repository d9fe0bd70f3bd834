import OpenAI from 'openai'
import { beforeAll, describe, expect, test } from 'vitest'
import { useCaller, userMessages } from '../caller.ts'
import { MODELS, useProviderWorld } from '../provider-world.ts'

// Requests that deviate from the protocol, as programs send them, and answers with more than texts.

const world = useProviderWorld()
const caller = useCaller(world)
const model = MODELS.openai
let client: OpenAI
beforeAll(() => {
  client = new OpenAI({ apiKey: caller.key, baseURL: `${world.url}/api/v1`, maxRetries: 0 })
})

const getUpstreamBody = () => world.upstream.requests.at(-1)!.body as Record<string, unknown>
const parameters = { type: 'object', properties: {} }

describe('chat completions in the shapes of other APIs', () => {
  test.each<[string, object, object]>([
    [
      'flat tools, and a choice that is only a mode',
      {
        tools: [{ type: 'function', name: 'f', description: 'd', parameters }],
        tool_choice: { type: 'auto' },
      },
      {
        tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters } }],
        tool_choice: 'auto',
      },
    ],
    [
      "Anthropic's tools, and its word for any",
      { tools: [{ name: 'f', input_schema: parameters }], tool_choice: { type: 'any' } },
      { tools: [{ type: 'function', function: { name: 'f', parameters } }], tool_choice: 'required' },
    ],
    [
      'a flat choice of one tool',
      { tools: [{ name: 'f', input_schema: parameters }], tool_choice: { type: 'tool', name: 'f' } },
      { tool_choice: { type: 'function', function: { name: 'f' } } },
    ],
    [
      'items of Responses for messages',
      {
        messages: undefined,
        instructions: '简短',
        input: [
          { role: 'user', content: [{ type: 'input_text', text: '看' }] },
          { type: 'function_call', call_id: '1', name: 'f', arguments: '{}' },
          { type: 'function_call_output', call_id: '1', output: 'r' },
        ],
        tools: [{ type: 'function', name: 'f', parameters }],
      },
      {
        messages: [
          { role: 'system', content: '简短' },
          { role: 'user', content: '看' },
          { role: 'assistant', tool_calls: [{ id: '1', function: { name: 'f', arguments: '{}' } }] },
          { role: 'tool', tool_call_id: '1', content: 'r' },
        ],
      },
    ],
    [
      'one text for messages',
      { messages: undefined, input: '?' },
      { messages: [{ role: 'user', content: '?' }] },
    ],
    [
      'null for empty texts',
      {
        messages: [
          { role: 'system', content: null },
          { role: 'user', content: '?' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: '1', function: { name: 'f', arguments: '' } }],
          },
          { role: 'tool', tool_call_id: '1', content: null },
        ],
        tools: [{ type: 'function', function: { name: 'f' } }],
      },
      {
        messages: [
          { role: 'user', content: '?' },
          { role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: '{}' } }] },
          { role: 'tool', content: '(no output)' },
        ],
      },
    ],
  ])('%s', async (_, sent, expected) => {
    world.upstream.script(model, { text: '好' })
    await caller.complete({ model, messages: userMessages('?'), ...sent })
    expect(getUpstreamBody()).toMatchObject(expected)
  })

  const CUSTOM = { type: 'custom', name: 'patch', description: 'd' }
  const CALL = { id: 'call_1', name: 'patch', arguments: JSON.stringify({ input: '第一行\n"二"' }) }
  const asked = { model, messages: userMessages('?'), tools: [CUSTOM] }

  test('custom tools, in a stream and whole', async () => {
    world.upstream.script(model, { tool_calls: [CALL], chars: 3 })
    const whole = await caller.complete(asked)
    const call = { id: 'call_1', type: 'custom', custom: { name: 'patch', input: '第一行\n"二"' } }
    expect(whole.choices[0].message.tool_calls).toEqual([call])
    const { chunks } = await caller.stream(asked)
    const pieces = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []) as unknown as {
      id?: string
      custom: { name?: string; input: string }
    }[]
    expect(pieces[0]).toMatchObject({ id: 'call_1', type: 'custom', custom: { name: 'patch' } })
    expect(pieces.map(({ custom }) => custom.input).join('')).toBe('第一行\n"二"')

    world.upstream.script(model, { text: '好' })
    const result = { role: 'tool', tool_call_id: 'call_1', content: '改了' }
    const messages = [...asked.messages, whole.choices[0].message, result]
    await caller.complete({ ...asked, messages })
    expect(getUpstreamBody()).toMatchObject({
      messages: [{}, { tool_calls: [{ function: { name: 'patch', arguments: CALL.arguments } }] }, {}],
    })
  })

  test('an answer that is to be heard is refused before it costs anything', async () => {
    const before = world.upstream.requests.length
    const response = await caller.post({ ...asked, modalities: ['text', 'audio'] })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('text、image')
    expect(world.upstream.requests.length).toBe(before)
  })
})

describe('pictures that a model makes', () => {
  const url = 'data:image/png;base64,iVBORw0KGgo='
  const usage = { prompt_tokens: 9, completion_tokens: 1120, total_tokens: 1129 }
  const raw = [
    {
      choices: [{ index: 0, delta: { content: '看', images: [{ type: 'image_url', image_url: { url } }] } }],
    },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage },
  ].map((body) => `data: ${JSON.stringify(body)}\n\n`)
  const asked = { model, messages: userMessages('画') }

  test('are images of a chat completion', async () => {
    world.upstream.script(model, { raw })
    const images = [{ type: 'image_url', index: 0, image_url: { url } }]
    const whole = await caller.complete(asked)
    expect(whole.choices[0].message).toMatchObject({ content: '看', images })
    expect(whole.usage.completion_tokens).toBe(1120)
    const { chunks } = await caller.stream(asked)
    expect(chunks.map(({ choices }) => choices[0]?.delta)).toContainEqual({ images })
  })

  test('are calls of image generation in responses', async () => {
    world.upstream.script(model, { raw })
    const picture = { type: 'image_generation_call', status: 'completed', result: 'iVBORw0KGgo=' }
    const whole = await client.responses.create({ model, input: '画' })
    expect(whole.output).toMatchObject([{ type: 'message' }, picture])
    const streamed = await client.responses.stream({ model, input: '画' }).finalResponse()
    expect(streamed.output).toMatchObject([{ type: 'message' }, picture])
  })

  test('are markdown in messages, which have no place for them', async () => {
    world.upstream.script(model, { raw })
    const response = await caller.post({ ...asked, max_tokens: 99 }, { path: '/api/v1/messages' })
    expect(await response.text()).toContain(`![](${url})`)
  })

  test('are read from Gemini', async () => {
    const inlineData = { mimeType: 'image/png', data: 'iVBORw0KGgo=' }
    const candidate = { content: { parts: [{ text: '看' }, { inlineData }] }, finishReason: 'STOP' }
    const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 1290, totalTokenCount: 1299 }
    world.upstream.script(MODELS.gemini, {
      raw: [`data: ${JSON.stringify({ candidates: [candidate], usageMetadata })}\r\n\r\n`],
    })
    const modalities = ['text', 'image']
    const { choices } = await caller.complete({ ...asked, model: MODELS.gemini, modalities })
    expect(getUpstreamBody()).toMatchObject({ generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } })
    expect(choices[0].message.images).toMatchObject([{ image_url: { url } }])
  })
})

test('a picture that a tool returns is words to a model that cannot see', async () => {
  world.upstream.script('plain', { text: '好' })
  const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }
  const response = await caller.post(
    {
      model: 'plain',
      max_tokens: 99,
      messages: [
        ...userMessages('看'),
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'Read', input: {} }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'image', source }] }],
        },
      ],
      tools: [{ name: 'Read', input_schema: parameters }],
    },
    { path: '/api/v1/messages' },
  )
  expect(response.status).toBe(200)
  expect(getUpstreamBody()).toMatchObject({
    messages: [{}, {}, { role: 'tool', content: '[This model cannot read the image here.]' }],
  })
})

test.each([MODELS.openai, MODELS.anthropic])('what a search for tools found, and pages (%s)', async (id) => {
  world.upstream.script(id, { text: '好' })
  const found = [
    { type: 'tool_reference', tool_name: 'g' },
    {
      type: 'search_result',
      source: 'https://a.example',
      title: '甲',
      content: [{ type: 'text', text: '乙' }],
    },
  ]
  const response = await caller.post(
    {
      model: id,
      max_tokens: 99,
      messages: [
        ...userMessages('?'),
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'ToolSearch', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: found }] },
      ],
      tools: [
        { name: 'ToolSearch', input_schema: parameters },
        { name: 'g', input_schema: parameters, defer_loading: true },
        { name: 'h', input_schema: parameters, defer_loading: true },
      ],
    },
    { path: '/api/v1/messages' },
  )
  expect(response.status).toBe(200)
  const { messages, tools } = getUpstreamBody() as { messages: { content: unknown }[]; tools: unknown[] }
  // A tool that no search has found goes only to a model that can search.
  expect(tools).toHaveLength(id === MODELS.anthropic ? 3 : 2)
  if (id === MODELS.anthropic)
    expect(messages[2]).toMatchObject({ content: [{ type: 'tool_result', content: found }] })
  else
    expect(messages[2]).toEqual({
      role: 'tool',
      tool_call_id: 'a',
      content: 'g\n<document name="甲">\nhttps://a.example\n\n乙\n</document>',
    })
})

test('a search for tools that the client makes goes out, and what it found can be called', async () => {
  const search = {
    type: 'tool_search' as const,
    execution: 'client' as const,
    description: 'Finds tools.',
    parameters,
  }
  const tools = [search]
  const asked = { role: 'user' as const, content: '?' }
  world.upstream.script(model, {
    tool_calls: [{ id: 'call_s', name: 'tool_search', arguments: '{"query":"file"}' }],
    chars: 3,
  })
  const whole = await client.responses.create({ model, input: [asked], tools })
  const streamed = await client.responses.stream({ model, input: [asked], tools }).finalResponse()
  const call = {
    type: 'tool_search_call',
    execution: 'client',
    call_id: 'call_s',
    arguments: { query: 'file' },
    status: 'completed',
  }
  for (const { output } of [whole, streamed]) expect(output).toMatchObject([call])
  expect(getUpstreamBody()).toMatchObject({
    tools: [{ function: { name: 'tool_search', description: 'Finds tools.' } }],
  })

  const found = { type: 'function' as const, name: 'read', description: 'd', parameters, strict: null }
  const output = {
    type: 'tool_search_output' as const,
    call_id: 'call_s',
    execution: 'client' as const,
    tools: [{ type: 'namespace' as const, name: 'files', description: '', tools: [found] }],
  }
  world.upstream.script(model, { tool_calls: [{ id: 'call_r', name: 'files__read', arguments: '{}' }] })
  const input = [asked, ...whole.output, output] as OpenAI.Responses.ResponseInput
  const next = await client.responses.create({ model, input, tools })
  expect(getUpstreamBody()).toMatchObject({
    tools: [{ function: { name: 'tool_search' } }, { function: { name: 'files__read', description: 'd' } }],
    messages: [
      {},
      { tool_calls: [{ id: 'call_s', function: { name: 'tool_search', arguments: '{"query":"file"}' } }] },
      { role: 'tool', tool_call_id: 'call_s', content: 'Found tools: files__read' },
    ],
  })
  expect(next.output).toMatchObject([{ type: 'function_call', name: 'read', namespace: 'files' }])
})
