import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { beforeAll, describe, expect, test } from 'vitest'
import { useCaller } from '../caller.ts'
import { FAMILIES, useStrictPlatforms } from '../strict-platforms.ts'

// Conversations like those of coding agents, at each door, on platforms as strict as the real ones: a refusal fails the test, and
// thoughts come back although clients drop them.

const world = useStrictPlatforms()
const limits = { requests_per_minute: 100_000, tokens_per_minute: 100_000_000, credit_limit: 100_000 }
const caller = useCaller(world, limits)
let openai: OpenAI
let anthropic: Anthropic
beforeAll(() => {
  openai = new OpenAI({ apiKey: caller.key, baseURL: `${world.url}/api/v1`, maxRetries: 0 })
  anthropic = new Anthropic({ apiKey: caller.key, baseURL: `${world.url}/api`, maxRetries: 0 })
})

/** A picture under a wrong label, as screenshots often are. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** Names and schemas as in the Model Context Protocol: with dots, longer than any platform takes, and incomplete. */
const NAMES = ['literature.search', `files/${'read'.repeat(20)}`] as const
const SCHEMAS = [
  { properties: { query: { type: ['string', 'null'], anyOf: [{ minLength: 1 }, { maxLength: 9 }] } } },
  { anyOf: [{ type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }] },
]
const ARGUMENTS = '{"query":"渠"}'

/** An id as other platforms make it: with characters that some refuse, and too long for others; it is used twice. */
const ID = `functions.${'search'.repeat(8)}:0`

const hasVision = (model: string): boolean =>
  /^(claude|gemini|gpt|kimi|qwen3\.8|doubao|own-deepseek|mistral-medium)/.test(model)

/** The last body that the platform got, as text. */
const getLastBody = (): string => JSON.stringify(world.upstream.requests.at(-1)!.body)

/** Tells whether the platform got back the model's thought, in the form that it has for thoughts. */
const getReturnedThought = (): boolean => getLastBody().includes('先查渠水')

/** Tells whether a model refuses a call without its thought, or loses the thread of it. */
const takesReasoning = (model: string): boolean => !/^(gpt|grok|gemini)/.test(model)

describe.each(FAMILIES)('%s of %s', (model, _, upstreamModel) => {
  const scriptCall = () =>
    world.upstream.script(upstreamModel, {
      reasoning: '先查渠水',
      text: '查一下',
      tool_calls: [{ id: ID, name: findOfferedName(), arguments: ARGUMENTS, signature: 'c2lnbmVk' }],
    })
  /** Returns the platform's name for the first tool, as last offered; one request must come before. */
  const findOfferedName = (): string => {
    const offered = [...getLastBody().matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name!)
    return offered.find((name) => name.startsWith('literature')) ?? NAMES[0]
  }

  test('chat completions: a client that drops what was thought', async () => {
    const tools = NAMES.map((name, nth) => ({
      type: 'function' as const,
      function: { name, parameters: SCHEMAS[nth]! },
    }))
    const asked: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'system', content: '简短。' },
      { role: 'developer', content: '用中文。' },
      hasVision(model)
        ? {
            role: 'user',
            content: [
              { type: 'text', text: '源头？' },
              { type: 'image_url', image_url: { url: `data:image/jpeg;base64,${PIXEL}` } },
            ],
          }
        : { role: 'user', content: '源头？' },
    ]
    const ask = (messages: OpenAI.ChatCompletionMessageParam[]) =>
      openai.chat.completions.create({
        model,
        messages,
        tools,
        stop: ['', '\n\n', '完'],
        reasoning_effort: 'high',
      })
    world.upstream.script(upstreamModel, { text: '好' })
    await ask(asked)
    scriptCall()
    const first = await ask(asked)
    const { finish_reason, message } = first.choices[0]!
    expect(finish_reason).toBe('tool_calls')
    expect(message.tool_calls).toMatchObject([{ function: { name: NAMES[0], arguments: ARGUMENTS } }])
    const [call] = message.tool_calls!
    world.upstream.script(upstreamModel, { text: '看过了' })
    const second = await ask([
      ...asked,
      { role: 'assistant', content: message.content, tool_calls: message.tool_calls! },
      { role: 'user', content: '（插话）' },
      { role: 'tool', tool_call_id: call!.id, content: '清' },
      { role: 'system', content: '提醒：简短。' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { ...call!, id: ID },
          { ...call!, id: `${ID}1` },
        ],
      } as never,
      { role: 'tool', tool_call_id: ID, content: '' },
      { role: 'tool', tool_call_id: 'nobody', content: '无主' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: ID, type: 'function', function: { name: NAMES[1], arguments: '{"path": "a' } }],
      },
      { role: 'tool', tool_call_id: ID, content: '失败' },
      { role: 'user', content: '所以呢？' },
    ])
    expect(second.choices[0]!.message.content).toBe('看过了')
    expect(getReturnedThought()).toBe(takesReasoning(model))
  })

  test('one tool that must be called, and fields that only OpenAI knows', async () => {
    world.upstream.script(upstreamModel, { tool_calls: [{ id: ID, name: 'answer', arguments: '{}' }] })
    const { choices } = await openai.chat.completions.create({
      model,
      messages: [{ role: 'user', content: '?' }],
      tools: [
        { type: 'function', function: { name: 'answer', parameters: { type: 'object', properties: {} } } },
      ],
      tool_choice: { type: 'function', function: { name: 'answer' } },
      verbosity: 'low',
      safety_identifier: 'a',
      seed: 7,
      user: 'a',
    })
    expect(choices[0]!.message.tool_calls).toMatchObject([{ function: { name: 'answer' } }])
    const { content } = await anthropic.messages.create({
      model,
      max_tokens: 4000,
      messages: [{ role: 'user', content: '?' }],
      tools: [{ name: 'answer', input_schema: { type: 'object', properties: {} } }],
      tool_choice: { type: 'tool', name: 'answer', disable_parallel_tool_use: true },
    })
    expect(content).toContainEqual(expect.objectContaining({ type: 'tool_use', name: 'answer' }))
  })

  test('chat completions: an object by a schema, asked for in words where the platform cannot promise it', async () => {
    world.upstream.script(upstreamModel, { text: '{"source":"活水"}' })
    const properties = { source: { type: 'string' } }
    const schema = { type: 'object', properties, required: ['source'], additionalProperties: false }
    const { choices } = await openai.chat.completions.create({
      model,
      messages: [{ role: 'user', content: '?' }],
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } },
    })
    expect(choices[0]!.message.content).toBe('{"source":"活水"}')
    expect(getLastBody()).toContain('source')
  })

  test('messages: as Claude Code asks', async () => {
    const tools = NAMES.map((name, nth) => ({
      name,
      input_schema: SCHEMAS[nth]! as Anthropic.Tool.InputSchema,
    }))
    const asked: Anthropic.MessageParam[] = [{ role: 'user', content: '源头？' }]
    const ask = (messages: Anthropic.MessageParam[]) =>
      anthropic.messages.create({
        model,
        max_tokens: 8000,
        messages,
        tools,
        stop_sequences: ['\n', '完'],
        thinking: { type: 'enabled', budget_tokens: 4000 },
        system: [
          { type: 'text', text: 'x-anthropic-billing-header: cc_version=2; cch=1;' },
          { type: 'text', text: '你是助手。', cache_control: { type: 'ephemeral' } },
        ],
      })
    world.upstream.script(upstreamModel, { text: '好' })
    await ask(asked)
    scriptCall()
    const { content, stop_reason } = await ask(asked)
    expect(stop_reason).toBe('tool_use')
    const use = content.find((block) => block.type === 'tool_use')!
    expect(use).toMatchObject({ name: NAMES[0], input: { query: '渠' } })
    expect(use.id).toMatch(/^[\w-]+$/)
    world.upstream.script(upstreamModel, { text: '看过了' })
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/jpeg', data: PIXEL },
    } as const
    const answer = await ask([
      ...asked,
      { role: 'assistant', content },
      {
        role: 'user',
        content: [
          { type: 'text', text: '<system-reminder>简短</system-reminder>' },
          {
            type: 'tool_result',
            tool_use_id: use.id,
            content: [{ type: 'text', text: '清' }, ...(hasVision(model) ? [image] : [])],
          },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'again', name: NAMES[1], input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'again' },
          { type: 'text', text: '所以呢？' },
        ],
      },
    ])
    expect(answer.content).toContainEqual(expect.objectContaining({ type: 'text', text: '看过了' }))
    expect(getReturnedThought()).toBe(takesReasoning(model))
    expect(getLastBody().includes('x-anthropic-billing-header')).toBe(model.startsWith('claude'))
  })

  test('responses: as Codex asks', async () => {
    const tools = NAMES.map((name, nth) => ({
      type: 'function' as const,
      name,
      parameters: SCHEMAS[nth]!,
      strict: null,
    }))
    const asked: OpenAI.Responses.ResponseInputItem[] = [
      { role: 'developer', content: '权限：只读。' },
      { role: 'user', content: '源头？' },
    ]
    const ask = (input: OpenAI.Responses.ResponseInputItem[]) =>
      openai.responses.create({
        model,
        instructions: '你是助手。',
        input,
        tools: [...tools, { type: 'web_search' }],
        parallel_tool_calls: false,
        reasoning: { effort: 'high' },
        include: ['reasoning.encrypted_content'],
        store: false,
      })
    world.upstream.script(upstreamModel, { text: '好' })
    await ask(asked)
    scriptCall()
    const { output } = await ask(asked)
    const call = output.find((item) => item.type === 'function_call')!
    expect(call).toMatchObject({ name: NAMES[0], arguments: ARGUMENTS })
    world.upstream.script(upstreamModel, { text: '看过了' })
    const answer = await ask([
      ...asked,
      ...(output as OpenAI.Responses.ResponseInputItem[]),
      { role: 'user', content: '（打断）' },
      { type: 'function_call_output', call_id: call.call_id, output: '清' },
      { type: 'function_call', call_id: 'never', name: NAMES[1], arguments: '' },
      { role: 'developer', content: '提醒' },
      { role: 'user', content: '所以呢？' },
    ])
    expect(answer.output_text).toBe('看过了')
    expect(getReturnedThought()).toBe(takesReasoning(model))
  })
})
