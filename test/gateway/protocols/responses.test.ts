import OpenAI from 'openai'
import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import type { ResponseObject, ResponseOutputItem, ResponseUsage } from '#contract/gateway/responses.ts'
import { createCaller, getBill, useCaller } from '../caller.ts'
import { sign } from '../../world/upstream/signatures.ts'
import { PROVIDERS, MODELS, useProviderWorld } from '../provider-world.ts'

// OpenAI's own client of its Responses API, on models of every dialect.

const world = useProviderWorld()
const caller = useCaller(world)
let client: OpenAI
beforeAll(() => {
  client = new OpenAI({ apiKey: caller.key, baseURL: `${world.url}/api/v1`, maxRetries: 0 })
})

const LONG = '问渠那得清如许？为有源头活水来。'.repeat(20)
const PIXEL = 'iVBORw0KGgo='
const CALL = { id: 'call_1', name: 'weather', arguments: '{"city":"上海"}' }
const TOOL: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'weather',
  description: '天气',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
  strict: false,
}
const getRunId = ({ id }: { id: string }): string => id.replace('resp_', '')
const getUpstreamBody = () => world.upstream.requests.at(-1)!.body as Record<string, unknown>

test("the contract's types are those that the client expects", () => {
  // The client's list of error codes lacks `context_length_exceeded`, which the API sends.
  type Expected = Omit<OpenAI.Responses.Response, 'output_text' | 'error'>
  expectTypeOf<Omit<ResponseObject, 'error'>>().toExtend<Expected>()
  expectTypeOf<ResponseOutputItem>().toExtend<OpenAI.Responses.ResponseOutputItem>()
  expectTypeOf<ResponseUsage>().toExtend<OpenAI.Responses.ResponseUsage>()
})

describe.each(PROVIDERS)('of a platform that speaks %s', (dialect) => {
  const model = MODELS[dialect]

  test("a whole response has OpenAI's shape, and is settled before it is answered", async () => {
    world.upstream.script(model, { text: LONG })
    const response = await client.responses.create({
      model,
      input: '源头在哪里？',
      instructions: '简短。',
      metadata: { a: 'b' },
    })
    expect(response).toMatchObject({
      id: expect.stringMatching(/^resp_[0-9a-f-]{36}$/),
      object: 'response',
      status: 'completed',
      error: null,
      incomplete_details: null,
      instructions: '简短。',
      metadata: { a: 'b' },
      model,
      output_text: LONG,
      output: [
        {
          type: 'message',
          id: expect.stringMatching(/^msg_/),
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: LONG, annotations: [] }],
        },
      ],
      store: true,
      previous_response_id: null,
    })
    expect(Math.abs(response.created_at - Date.now() / 1000)).toBeLessThan(60)
    const { input_tokens, output_tokens, total_tokens } = response.usage!
    expect(total_tokens).toBe(input_tokens + output_tokens)
    expect(await getBill(world, getRunId(response))).toMatchObject({
      output_tokens,
      usage_source: 'upstream',
    })
  })

  test('a stream says the same in events, one item after the other', async () => {
    const script = { reasoning: '想一想', text: LONG, tool_calls: [CALL, { ...CALL, id: 'call_2' }] }
    world.upstream.script(model, { ...script, chars: 5 })
    const asked = { model, input: '上海天气', tools: [TOOL] }
    const stream = client.responses.stream(asked)
    const types: string[] = []
    const numbers: number[] = []
    stream.on('event', ({ type, sequence_number }) => {
      numbers.push(sequence_number)
      if (types.at(-1) !== type) types.push(type)
    })
    const response = await stream.finalResponse()
    expect(types).toEqual(EVENTS)
    expect(numbers).toEqual(numbers.map((_, nth) => nth))
    const whole = await client.responses.create(asked)
    // Each run makes ids of its own.
    const anonymous = (valueSent: unknown): unknown =>
      JSON.parse(
        JSON.stringify(valueSent, (name, value: unknown) =>
          /^(id|call_id|parsed|parsed_arguments)$/.test(name) ? undefined : value,
        ),
      )
    expect(anonymous(response.output)).toEqual(anonymous(whole.output))
    expect(whole.output.map(({ type }) => type)).toEqual([
      'reasoning',
      'message',
      'function_call',
      'function_call',
    ])
    expect(response.output_text).toBe(LONG)
    expect(response.usage).toEqual(whole.usage)
    expect((await getBill(world, getRunId(response)))?.output_tokens).toBe(response.usage!.output_tokens)
  })

  test('an answer that was cut by its length is incomplete', async () => {
    world.upstream.script(model, { text: LONG, finish: 'length' })
    const end = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
    expect(await client.responses.create({ model, input: '?' })).toMatchObject(end)
    const types: string[] = []
    for await (const event of await client.responses.create({ model, input: '?', stream: true })) {
      types.push(event.type)
      if (event.type === 'response.incomplete') {
        expect(event.response).toMatchObject({ ...end, output: [{ status: 'incomplete' }] })
      }
    }
    expect(types.at(-1)).toBe('response.incomplete')
  })

  test('a call of a tool goes out and its result comes in', async () => {
    world.upstream.script(model, { reasoning: '先查', tool_calls: [CALL, { ...CALL, id: 'call_2' }] })
    const first = await client.responses.create({
      model,
      input: [{ role: 'user', content: '上海天气' }],
      tools: [TOOL],
      tool_choice: 'required',
    })
    const made = first.output.filter((item) => item.type === 'function_call')
    expect(made).toMatchObject([
      { name: 'weather', arguments: '{"city":"上海"}', status: 'completed' },
      { name: 'weather' },
    ])
    world.upstream.script(model, { text: '晴' })
    const results = made.map(({ call_id }): OpenAI.Responses.ResponseInputItem => ({
      type: 'function_call_output',
      call_id,
      output: '晴，25 度',
    }))
    const second = await client.responses.create({
      model,
      input: [
        { role: 'developer', content: '简短。' },
        { role: 'user', content: '上海天气' },
        ...first.output,
        ...results,
        { role: 'user', content: [{ type: 'input_text', text: '所以呢？' }] },
      ] as OpenAI.Responses.ResponseInput,
      tools: [TOOL],
      tool_choice: { type: 'function', name: 'weather' },
    })
    expect(second.output_text).toBe('晴')
    expect(getUpstreamBody()).toMatchObject(SECOND[dialect])
  })

  test('pictures go in', async () => {
    world.upstream.script(model, { text: '一只猫' })
    await client.responses.create({
      model,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: '这是什么？' },
            { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${PIXEL}` },
            { type: 'input_image', detail: 'auto', image_url: 'https://example.com/cat.png' },
          ],
        },
      ],
    })
    expect(getUpstreamBody()).toMatchObject(PICTURES[dialect])
  })

  test('settings are forwarded', async () => {
    world.upstream.script(model, { text: '{}' })
    const schema = { type: 'object', properties: {} }
    const response = await client.responses.create({
      model,
      input: '?',
      max_output_tokens: 77,
      temperature: 0.3,
      top_p: 0.9,
      text: { format: { type: 'json_schema', name: 'reply', schema, strict: true } },
    })
    expect(response).toMatchObject({ max_output_tokens: 77, temperature: 0.3, top_p: 0.9 })
    expect(getUpstreamBody()).toMatchObject(SETTINGS[dialect])
    await client.responses.create({ model, input: '?', reasoning: { effort: 'high' } })
    expect(getUpstreamBody()).toMatchObject(EFFORT[dialect])
  })
})

const itemEvents = (...middle: string[]) => [
  'response.output_item.added',
  ...middle,
  'response.output_item.done',
]
const textEvents = (part: string, text: string) => [
  `response.${part}.added`,
  `response.${text}.delta`,
  `response.${text}.done`,
  `response.${part}.done`,
]
const call = itemEvents('response.function_call_arguments.delta', 'response.function_call_arguments.done')
const EVENTS = [
  'response.created',
  'response.in_progress',
  ...itemEvents(...textEvents('reasoning_summary_part', 'reasoning_summary_text')),
  ...itemEvents(...textEvents('content_part', 'output_text')),
  ...call,
  ...call,
  'response.completed',
]

const calls = ['call_1', 'call_2'].map((id) => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: '{"city":"上海"}' },
}))
const SECOND = {
  openai: {
    messages: [
      { role: 'system', content: '简短。' },
      { role: 'user', content: '上海天气' },
      { role: 'assistant', content: null, reasoning_content: '先查', tool_calls: calls },
      { role: 'tool', tool_call_id: 'call_1', content: '晴，25 度' },
      { role: 'tool', tool_call_id: 'call_2', content: '晴，25 度' },
      { role: 'user', content: '所以呢？' },
    ],
    tool_choice: { type: 'function', function: { name: 'weather' } },
  },
  anthropic: {
    system: '简短。',
    messages: [
      { role: 'user' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: '先查', signature: sign('先查') },
          { type: 'tool_use', id: 'call_1' },
          { id: 'call_2' },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: '晴，25 度' }] },
          { type: 'tool_result', tool_use_id: 'call_2' },
          { type: 'text', text: '所以呢？' },
        ],
      },
    ],
    tool_choice: { type: 'tool', name: 'weather' },
  },
  gemini: {
    systemInstruction: { parts: [{ text: '简短。' }] },
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
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather'] } },
  },
}
const PICTURES = {
  openai: {
    messages: [
      {
        content: [
          { type: 'text', text: '这是什么？' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
          { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } },
        ],
      },
    ],
  },
  anthropic: {
    messages: [
      {
        content: [
          { type: 'text', text: '这是什么？' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
          { type: 'image', source: { type: 'url', url: 'https://example.com/cat.png' } },
        ],
      },
    ],
  },
  gemini: {
    contents: [
      {
        parts: [
          { text: '这是什么？' },
          { inlineData: { mimeType: 'image/png', data: PIXEL } },
          { fileData: { fileUri: 'https://example.com/cat.png' } },
        ],
      },
    ],
  },
}
const SCHEMA = { type: 'object', properties: {} }
const SETTINGS = {
  openai: {
    max_tokens: 77,
    temperature: 0.3,
    top_p: 0.9,
    response_format: { type: 'json_schema', json_schema: { name: 'reply', schema: SCHEMA, strict: true } },
  },
  anthropic: {
    max_tokens: 77,
    temperature: 0.3,
    output_config: { format: { type: 'json_schema', schema: SCHEMA } },
  },
  gemini: {
    generationConfig: { maxOutputTokens: 77, temperature: 0.3, topP: 0.9, responseJsonSchema: SCHEMA },
  },
}
const EFFORT = {
  openai: { reasoning_effort: 'high' },
  anthropic: { thinking: { type: 'enabled', budget_tokens: 2048 } },
  gemini: { generationConfig: { thinkingConfig: { includeThoughts: true, thinkingBudget: 24_576 } } },
}

test('is answered at /v1 too', async () => {
  const { key } = await createCaller(world)
  const other = new OpenAI({ apiKey: key, baseURL: `${world.url}/v1`, maxRetries: 0 })
  world.upstream.script(MODELS.openai, { text: '在' })
  expect((await other.responses.create({ model: MODELS.openai, input: '?' })).output_text).toBe('在')
})

test("what only OpenAI's dialect understands goes to its platforms", async () => {
  const tools = [{ type: 'function' as const, name: 'f', parameters: {}, strict: null }]
  const asked = { input: '?', tools, parallel_tool_calls: false, text: { verbosity: 'low' as const } }
  world.upstream.script(MODELS.openai, { text: '好' })
  await client.responses.create({ model: MODELS.openai, ...asked })
  expect(getUpstreamBody()).toMatchObject({ parallel_tool_calls: false, verbosity: 'low' })
  world.upstream.script(MODELS.anthropic, { text: '好' })
  await client.responses.create({ model: MODELS.anthropic, ...asked })
  expect(getUpstreamBody()).not.toHaveProperty('parallel_tool_calls')
})
