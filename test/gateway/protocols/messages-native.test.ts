import Anthropic from '@anthropic-ai/sdk'
import { beforeAll, describe, expect, test } from 'vitest'
import { useCaller, userMessages } from '../caller.ts'
import { ADAPTIVE_THINKING_MODEL, MODELS, useProviderWorld } from '../provider-world.ts'
import { sign } from '../../world/upstream/signatures.ts'

// Features of Anthropic's dialect alone reach its platforms unchanged, and no others.

const world = useProviderWorld()
const caller = useCaller(world)
let client: Anthropic
beforeAll(() => {
  client = new Anthropic({ apiKey: caller.key, baseURL: `${world.url}/api`, maxRetries: 0 })
})

const CLAUDE = MODELS.anthropic
const CALL = { id: 'toolu_1', name: 'weather', arguments: '{"city":"上海"}' }
const TOOL: Anthropic.Tool = {
  name: 'weather',
  input_schema: { type: 'object', properties: {} },
  cache_control: { type: 'ephemeral' },
}
const createMessageRequest = (model: string) => ({
  model,
  max_tokens: 4000,
  messages: userMessages('源头在哪里？') as Anthropic.MessageParam[],
})
const renderEvent = (body: { type: string }): string =>
  `event: ${body.type}\ndata: ${JSON.stringify(body)}\n\n`
const getUpstreamBody = () => world.upstream.requests.at(-1)!.body as Record<string, unknown>

async function captureUpstreamBody(more: object): Promise<Record<string, unknown>> {
  const model = 'model' in more ? String(more.model) : CLAUDE
  world.upstream.script(model, { text: '好' })
  await client.messages.create({ ...createMessageRequest(model), ...more })
  return getUpstreamBody()
}

describe('thoughts', () => {
  const thinking = { type: 'enabled', budget_tokens: 2000 } as const

  test.each([true, false])('with their signature go out and come in again (stream: %s)', async (stream) => {
    world.upstream.script(CLAUDE, { reasoning: '先查', text: '查一下', tool_calls: [CALL], chars: 1 })
    const first = { ...createMessageRequest(CLAUDE), thinking, tools: [TOOL] }
    const { content } = stream
      ? await client.messages.stream(first).finalMessage()
      : await client.messages.create(first)
    expect(content[0]).toEqual({ type: 'thinking', thinking: '先查', signature: sign('先查') })
    expect(getUpstreamBody()).toMatchObject({ thinking, max_tokens: 4000 })

    const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: '晴', is_error: true } as const
    world.upstream.script(CLAUDE, { text: '晴' })
    await client.messages.create({
      ...first,
      messages: [...first.messages, { role: 'assistant', content }, { role: 'user', content: [result] }],
    })
    expect(getUpstreamBody()).toMatchObject({
      thinking,
      messages: [{}, { role: 'assistant', content }, { role: 'user', content: [result] }],
    })
  })

  test('that are hidden, and those between calls, keep their place', async () => {
    const start = (index: number, contentBlock: object) =>
      renderEvent({ type: 'content_block_start', index, content_block: contentBlock } as { type: string })
    const delta = (index: number, piece: object) =>
      renderEvent({ type: 'content_block_delta', index, delta: piece } as { type: string })
    const usage = { input_tokens: 9, output_tokens: 9 }
    world.upstream.script(CLAUDE, {
      raw: [
        renderEvent({ type: 'message_start', message: { usage } } as { type: string }),
        start(0, { type: 'redacted_thinking', data: 'aGlkZGVu' }),
        start(1, { type: 'text', text: '一' }),
        start(2, { type: 'thinking', thinking: '', signature: '' }),
        delta(2, { type: 'thinking_delta', thinking: '再想' }),
        delta(2, { type: 'signature_delta', signature: 'c2Vjb25k' }),
        start(3, { type: 'text', text: '二' }),
        start(4, { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} }),
        renderEvent({ type: 'content_block_stop', index: 4 } as { type: string }),
        renderEvent({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage } as { type: string }),
        renderEvent({ type: 'message_stop' }),
      ],
    })
    const content = [
      { type: 'redacted_thinking', data: 'aGlkZGVu' },
      { type: 'text', text: '一' },
      { type: 'thinking', thinking: '再想', signature: 'c2Vjb25k' },
      { type: 'text', text: '二' },
      { type: 'tool_use', id: 'toolu_1', input: {} },
    ]
    const headers = { 'Idempotency-Key': 'hidden' }
    const streamed = await client.messages.stream(createMessageRequest(CLAUDE), { headers }).finalMessage()
    const whole = await client.messages.create(createMessageRequest(CLAUDE))
    const again = await client.messages.stream(createMessageRequest(CLAUDE), { headers }).finalMessage()
    for (const message of [streamed, whole, again]) expect(message.content).toMatchObject(content)
    expect(again).toEqual(streamed)
  })

  test('that no platform signed are not shown to one that would refuse them', async () => {
    const body = await captureUpstreamBody({
      thinking,
      messages: [
        ...createMessageRequest(CLAUDE).messages,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: '想', signature: '' },
            { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '晴' }] },
      ],
    })
    expect(body).not.toHaveProperty('thinking')
    expect(body).toMatchObject({ messages: [{}, { content: [{ type: 'tool_use' }] }, {}] })
  })

  test.each<[string, object, object]>([
    [CLAUDE, { type: 'disabled' }, { thinking: { type: 'disabled' } }],
    // 4,000 tokens in all.
    [
      CLAUDE,
      { type: 'enabled', budget_tokens: 9000 },
      { thinking: { type: 'enabled', budget_tokens: 3999 } },
    ],
    [CLAUDE, { type: 'adaptive' }, { thinking: { type: 'enabled', budget_tokens: 2000 } }],
    [
      ADAPTIVE_THINKING_MODEL,
      { type: 'adaptive', display: 'omitted' },
      { thinking: { type: 'adaptive', display: 'omitted' } },
    ],
    [MODELS.openai, { type: 'enabled', budget_tokens: 1500 }, { reasoning_effort: 'low' }],
    [MODELS.openai, { type: 'adaptive' }, { reasoning_effort: 'high' }],
    [
      MODELS.gemini,
      { type: 'enabled', budget_tokens: 9000 },
      { generationConfig: { thinkingConfig: { thinkingBudget: 8192 } } },
    ],
  ])('%s, asked to think as %j, is asked in its own way', async (model, wish, sent) => {
    expect(await captureUpstreamBody({ model, thinking: wish })).toMatchObject(sent)
  })

  test('are not asked of a model that cannot think', async () => {
    expect(await captureUpstreamBody({ model: 'plain', thinking })).not.toHaveProperty('reasoning_effort')
  })

  test('of another dialect are told without a signature', async () => {
    world.upstream.script(MODELS.openai, { reasoning: '想一想', text: '好' })
    const { content } = await client.messages.create(createMessageRequest(MODELS.openai))
    expect(content).toMatchObject([{ type: 'thinking', thinking: '想一想', signature: '' }, { text: '好' }])
  })
})

test('cache_control is forwarded, with its time', async () => {
  const mark = { cache_control: { type: 'ephemeral', ttl: '1h' } } as const
  const usage = {
    input_tokens: 9,
    cache_creation_input_tokens: 100,
    cache_read_input_tokens: 2000,
    output_tokens: 70,
  }
  world.upstream.script(CLAUDE, { text: '好', usage })
  const messages: Anthropic.MessageParam[] = [
    { role: 'user', content: [{ type: 'text', text: '长文', ...mark }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'weather', input: {} }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: '晴', ...mark }], ...mark },
      ],
    },
  ]
  const message = await client.messages.create({
    ...createMessageRequest(CLAUDE),
    messages,
    tools: [{ ...TOOL, ...mark }],
  })
  expect(message.usage).toMatchObject(usage)
  const { cache_control } = mark
  const { messages: sent, tools } = getUpstreamBody()
  expect(tools).toEqual([{ ...TOOL, cache_control }])
  expect(sent).toEqual([
    { role: 'user', content: [{ type: 'text', text: '长文', cache_control }] },
    messages[1],
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'a',
          content: [{ type: 'text', text: '晴', cache_control }],
          cache_control,
        },
      ],
    },
  ])
  const streamed = await client.messages.stream(createMessageRequest(CLAUDE)).finalMessage()
  expect(streamed.usage).toMatchObject(usage)
})

test('the sequence that ended an answer is named', async () => {
  const end = (type: string, body: object) => renderEvent({ type, ...body })
  world.upstream.script(CLAUDE, {
    raw: [
      end('content_block_start', { index: 0, content_block: { type: 'text', text: '好' } }),
      end('message_delta', {
        delta: { stop_reason: 'stop_sequence', stop_sequence: '完' },
        usage: { input_tokens: 5, output_tokens: 1 },
      }),
      end('message_stop', {}),
    ],
  })
  const stop = { stop_reason: 'stop_sequence', stop_sequence: '完' }
  expect(await client.messages.create(createMessageRequest(CLAUDE))).toMatchObject(stop)
  expect(await client.messages.stream(createMessageRequest(CLAUDE)).finalMessage()).toMatchObject(stop)
})

test('a wish for a shape of JSON reaches every dialect', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } }
  const outputConfig = { format: { type: 'json_schema', schema } }
  expect(await captureUpstreamBody({ output_config: outputConfig })).toMatchObject({
    output_config: outputConfig,
  })
  expect(await captureUpstreamBody({ model: MODELS.openai, output_config: outputConfig })).toMatchObject({
    response_format: { type: 'json_schema', json_schema: { schema } },
  })
  expect(await captureUpstreamBody({ model: MODELS.gemini, output_config: outputConfig })).toMatchObject({
    generationConfig: { responseJsonSchema: schema },
  })
})

test('further fields that are documented go to platforms of the same dialect, and no others', async () => {
  const more = {
    metadata: { user_id: 'u1' },
    context_hint: { a: 1 },
    context_management: { edits: [] },
    retries: 1,
    service_tier: 'auto',
    speed: 'fast',
    inference_geo: 'us',
    api_base: 'http://evil.example',
    models: ['dearest'],
  }
  expect(await captureUpstreamBody(more)).toEqual({
    model: CLAUDE,
    max_tokens: 4000,
    messages: [{ role: 'user', content: [{ type: 'text', text: '源头在哪里？' }] }],
    metadata: { user_id: 'u1' },
    stream: true,
  })
  const other = await captureUpstreamBody({ model: MODELS.openai, ...more })
  expect(other).not.toHaveProperty('metadata')
  expect(other).not.toHaveProperty('models')
})

test('one tool call at a time, where that was requested', async () => {
  const toolChoice = { type: 'auto', disable_parallel_tool_use: true }
  expect(await captureUpstreamBody({ tools: [TOOL], tool_choice: toolChoice })).toMatchObject({
    tool_choice: toolChoice,
  })
  expect(
    await captureUpstreamBody({ model: MODELS.openai, tools: [TOOL], tool_choice: toolChoice }),
  ).toMatchObject({
    tool_choice: 'auto',
    parallel_tool_calls: false,
  })
})
