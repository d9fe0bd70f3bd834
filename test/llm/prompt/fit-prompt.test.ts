import { describe, expect, test } from 'vitest'
import type { Dialect } from '#server/llm/catalogue/schema.ts'
import { findPromptTraits } from '#server/llm/catalogue/prompt-traits.ts'
import type { ChatRequest, PromptMessage, ToolCall } from '#server/llm/chat-request.ts'
import { fitPrompt } from '#server/llm/prompt/fit-prompt.ts'
import { restoreToolNames } from '#server/llm/prompt/tool-names.ts'
import { sign } from '../../world/upstream/signatures.ts'

const call = (id: string, more: Partial<ToolCall> = {}): ToolCall => ({
  id,
  name: 'f',
  arguments: '{}',
  ...more,
})
type AssistantMessage = Extract<PromptMessage, { role: 'assistant' }>
const calling = (...toolCalls: ToolCall[]): AssistantMessage => ({
  role: 'assistant',
  content: '',
  tool_calls: toolCalls,
})
const result = (toolCallId: string, content = 'r'): PromptMessage => ({
  role: 'tool',
  tool_call_id: toolCallId,
  content,
})
const user = (content: string): PromptMessage => ({ role: 'user', content })
const system = (content: string): PromptMessage => ({ role: 'system', content })

const fit = (model: string, request: Partial<ChatRequest>, dialect: Dialect = 'openai') =>
  fitPrompt({ messages: [user('?')], max_tokens: 9, ...request }, findPromptTraits(dialect, model, {}))
const fitMessages = (model: string, messages: PromptMessage[], dialect?: Dialect): PromptMessage[] =>
  fit(model, { messages }, dialect).request.messages

test('a prompt that every platform takes stays as it is', () => {
  const messages = [
    system('s'),
    user('a'),
    calling(call('a'), call('b')),
    result('a'),
    result('b'),
    user('c'),
  ]
  expect(fitMessages('gpt-4.1', messages)).toEqual(messages)
})

describe('results of tools', () => {
  const NO_RESULT = 'No result: the call was interrupted before its tool returned anything.'

  test.each<[string, PromptMessage[], PromptMessage[]]>([
    [
      'follow their calls, and what came between follows them',
      [calling(call('a')), user('wait'), result('a'), user('go on')],
      [calling(call('a')), result('a'), user('wait'), user('go on')],
    ],
    [
      'that never came are said to be missing',
      [calling(call('a'), call('b')), result('b')],
      [calling(call('a'), call('b')), result('a', NO_RESULT), result('b')],
    ],
    [
      'come in the order of the calls',
      [calling(call('a'), call('b')), result('b'), result('a')],
      [calling(call('a'), call('b')), result('a'), result('b')],
    ],
    [
      'without a call are words of the user',
      [user('a'), result('x', '清')],
      [user('a'), { role: 'user', content: [{ type: 'text', text: '<tool_result>\n清\n</tool_result>' }] }],
    ],
    [
      'that come before their call are not its own',
      [result('a', 'early'), calling(call('a')), result('a', 'late')],
      [
        { role: 'user', content: [{ type: 'text', text: '<tool_result>\nearly\n</tool_result>' }] },
        calling(call('a')),
        result('a', 'late'),
      ],
    ],
    [
      'that are empty say so',
      [calling(call('a')), result('a', '')],
      [calling(call('a')), result('a', '(no output)')],
    ],
  ])('%s', (_, messages, expected) => {
    expect(fitMessages('gpt-4.1', messages)).toEqual(expected)
  })
})

describe('ids of calls', () => {
  const getIds = (messages: PromptMessage[]): string[] =>
    messages.flatMap((message) =>
      message.role === 'tool'
        ? [message.tool_call_id]
        : message.role === 'assistant'
          ? (message.tool_calls ?? []).map(({ id }) => id)
          : [],
    )

  test.each<[string, Dialect, RegExp]>([
    ['claude-sonnet-5', 'anthropic', /^[\w-]{1,64}$/],
    ['gpt-4.1', 'openai', /^.{1,40}$/],
    ['mistral-small-latest', 'openai', /^[a-zA-Z0-9]{9}$/],
  ])('fit %s, the same for call and result and in each prompt', (model, dialect, pattern) => {
    const ids = ['functions.f:0', 'functions.f:1', `${'x'.repeat(50)}:2`]
    const messages = [calling(...ids.map((id) => call(id))), ...ids.map((id) => result(id))]
    const fitted = getIds(fitMessages(model, messages, dialect))
    expect(fitted.slice(0, 3)).toEqual(fitted.slice(3))
    expect(new Set(fitted).size).toBe(3)
    for (const id of fitted) expect(id).toMatch(pattern)
    expect(getIds(fitMessages(model, [...messages, user('?')], dialect))).toEqual(fitted)
  })

  test('that were used before, or twice at once, are told apart', () => {
    const messages = [
      calling(call('a')),
      result('a', '1'),
      calling(call('a'), call('a', { name: 'g' })),
      result('a', '2'),
      result('a', '3'),
    ]
    const [first, firstResult, second, third, secondResult, thirdResult] = getIds(
      fitMessages('claude-sonnet-5', messages, 'anthropic'),
    )
    expect([firstResult, secondResult, thirdResult]).toEqual([first, second, third])
    expect(new Set([first, second, third]).size).toBe(3)
  })

  test('in blocks of their own dialect too', () => {
    const blocks = [{ type: 'tool_use', id: 'f:0', name: 'f', input: {} }]
    const results = [{ type: 'tool_result', tool_use_id: 'f:0', content: 'r' }]
    const fitted = fitMessages(
      'claude-sonnet-5',
      [
        { ...calling(call('f:0')), provider_options: { anthropic: { blocks } } },
        { ...result('f:0'), provider_options: { anthropic: { blocks: results } } },
      ],
      'anthropic',
    )
    const [use, answer] = fitted.map(({ provider_options }) => provider_options?.anthropic?.blocks[0])
    expect(use).toMatchObject({ id: expect.stringMatching(/^f_0_\w{8}$/) as string })
    expect(answer).toMatchObject({ tool_use_id: use!['id'] })
  })
})

describe('names of tools', () => {
  const tool = (name: string) => ({ name, parameters: { type: 'object', properties: {} } })

  test('are written as the platform takes them, everywhere, and read back', () => {
    const names = ['a.b', 'a_b', `mcp__${'x'.repeat(70)}`, '渠']
    const { request, ownNames } = fit('gpt-4.1', {
      tools: names.map(tool),
      tool_choice: { name: 'a.b' },
      messages: [calling(call('1', { name: 'a.b' })), result('1')],
    })
    const fitted = request.tools!.map(({ name }) => name)
    expect(new Set(fitted).size).toBe(4)
    for (const name of fitted) expect(name).toMatch(/^[\w-]{1,64}$/)
    expect(fitted[1]).toBe('a_b')
    expect(request.tool_choice).toEqual({ name: fitted[0] })
    expect(request.messages[0]).toMatchObject({ tool_calls: [{ name: fitted[0] }] })
    const read = fitted.map(
      (name) =>
        restoreToolNames({ type: 'tool_call', index: 0, id: 'x', name, arguments: '' }, ownNames).name,
    )
    expect(read).toEqual(names)
  })

  test('of 128 characters go to Claude as they are, with their definitions and references in its own words', () => {
    const long = 'x'.repeat(100)
    const named = { name: 'a.b', input_schema: { properties: {} } }
    const found = {
      type: 'tool_result',
      tool_use_id: '1',
      content: [{ type: 'tool_reference', tool_name: 'a.b' }],
    }
    const { request } = fit(
      'claude-sonnet-5',
      {
        tools: [tool(long), tool('a.b')],
        messages: [
          calling(call('1')),
          { ...result('1'), provider_options: { anthropic: { blocks: [found] } } },
        ],
        provider_options: { anthropic: { tools: [named], tool_choice: { type: 'tool', name: 'a.b' } } },
      },
      'anthropic',
    )
    expect(request.tools!.map(({ name }) => name)).toEqual([long, 'a_b'])
    expect(request.provider_options!.anthropic).toEqual({
      tools: [{ name: 'a_b', input_schema: { type: 'object', properties: {} } }],
      tool_choice: { type: 'tool', name: 'a_b' },
    })
    expect(request.messages[1]!.provider_options!.anthropic!.blocks[0]).toMatchObject({
      content: [{ tool_name: 'a_b' }],
    })
  })
})

describe('schemas of tools', () => {
  const complete = (parameters: object, model = 'm'): unknown =>
    fit(model, { tools: [{ name: 'f', parameters: { ...parameters } }] }).request.tools![0]!.parameters
  const text = { type: 'string' }

  test.each<[string, object, object]>([
    ['nothing', {}, { type: 'object', properties: {} }],
    ['no type', { properties: { x: text } }, { type: 'object', properties: { x: text } }],
    ['no properties', { type: 'object' }, { type: 'object', properties: {} }],
    ['a type of several', { type: ['object', 'null'], properties: {} }, { type: 'object', properties: {} }],
    [
      'alternatives at the top',
      {
        anyOf: [
          { properties: { x: text, y: text }, required: ['x', 'y'] },
          { properties: { x: text }, required: ['x'] },
        ],
      },
      { type: 'object', properties: { x: text, y: text }, required: ['x'] },
    ],
    [
      'parts at the top',
      {
        allOf: [
          { properties: { x: text }, required: ['x'] },
          { properties: { y: text }, required: ['y'] },
        ],
      },
      { type: 'object', properties: { x: text, y: text }, required: ['x', 'y'] },
    ],
    [
      'a reference at the top',
      { $ref: '#/$defs/A', $defs: { A: { type: 'object', properties: { x: text } } } },
      {
        type: 'object',
        properties: { x: text },
        $defs: { A: { type: 'object', properties: { x: text } } },
      },
    ],
  ])('with %s are completed', (_, schema, expected) => {
    expect(complete(schema)).toEqual(expected)
  })

  test('keep a type beside its alternatives, but for Kimi', () => {
    const schema = {
      type: 'object',
      properties: { x: { type: 'string', anyOf: [{ minLength: 1 }, { $ref: '#' }] } },
    }
    expect(complete(schema)).toEqual(schema)
    expect(complete(schema, 'kimi-k2.6')).toEqual({
      type: 'object',
      properties: { x: { anyOf: [{ type: 'string', minLength: 1 }, { $ref: '#' }] } },
    })
  })
})

describe('instructions', () => {
  const asked = [system('甲'), system('乙'), user('a'), system('丙'), user('b')]

  test('are one message at the beginning, later ones marked words of the user', () => {
    expect(fitMessages('MiniMax-M2.7', asked)).toEqual([
      system('甲\n\n乙'),
      user('a'),
      user('<system>\n丙\n</system>'),
      user('b'),
    ])
  })

  test('stay where they are at OpenAI', () => {
    expect(fitMessages('gpt-4.1', asked)).toEqual(asked)
  })

  test.each<[string, Dialect]>([
    ['claude-sonnet-5', 'anthropic'],
    ['gemini-3.8-flash', 'gemini'],
    ['qwen-plus', 'openai'],
  ])('alone are asked by the last of them (%s)', (model, dialect) => {
    expect(fitMessages(model, [system('甲'), system('乙')], dialect)).toEqual([system('甲'), user('乙')])
  })

  test("of Claude Code lose their first block at all platforms but Anthropic's own", () => {
    const header = 'x-anthropic-billing-header: cc_version=2; cch=1;'
    const blocks: PromptMessage[] = [
      { role: 'system', content: [header, '你是助手'].map((text) => ({ type: 'text', text })) },
      user('?'),
    ]
    expect(JSON.stringify(fitMessages('deepseek-v4-pro', blocks))).not.toContain('billing')
    expect(JSON.stringify(fitMessages('deepseek-v4-pro', blocks, 'anthropic'))).not.toContain('billing')
    expect(fitMessages('deepseek-v4-pro', [system(`${header}\n你是助手`), user('?')])).toEqual([
      system('你是助手'),
      user('?'),
    ])
    expect(JSON.stringify(fitMessages('claude-sonnet-5', blocks, 'anthropic'))).toContain('billing')
  })
})

describe('reasoning', () => {
  const thought = (text: string, signature?: string): AssistantMessage => ({
    ...calling(call('a')),
    reasoning: { text, ...(signature ? { signed: [{ text, signature }] } : {}) },
  })
  const getReasoning = (model: string, message: PromptMessage, dialect?: Dialect): unknown => {
    const [first] = fitMessages(model, [message, result('a')], dialect)
    return first?.role === 'assistant' ? first.reasoning : null
  }

  test.each<[string, Dialect, PromptMessage, object | undefined]>([
    ['kimi-k2.6', 'openai', thought('想'), { text: '想' }],
    ['kimi-k2.6', 'openai', calling(call('a')), { text: '…' }],
    ['deepseek-v4-pro', 'openai', { ...calling(call('a')), reasoning: { text: '' } }, { text: '…' }],
    ['glm-5.3', 'openai', calling(call('a')), undefined],
    ['gpt-4.1', 'openai', thought('想'), undefined],
    ['deepseek-r1', 'openai', thought('想'), undefined],
    ['own', 'anthropic', thought('想'), { text: '想' }],
    ['claude-sonnet-5', 'anthropic', thought('想'), undefined],
    ['claude-sonnet-5', 'anthropic', thought('想', 'f81d4fae-7dec-11d0'), undefined],
    [
      'claude-sonnet-5',
      'anthropic',
      thought('想', sign('想')),
      { text: '想', signed: [{ text: '想', signature: sign('想') }] },
    ],
  ])('%s of dialect %s', (model, dialect, message, expected) => {
    expect(getReasoning(model, message, dialect)).toEqual(expected)
  })
})

test('broken and missing arguments are objects, whole ones as they came', () => {
  const texts = ['', '{"x": "ab', '[1]', '{"x": 1.0}']
  const messages = [calling(...texts.map((text, nth) => call(String(nth), { arguments: text })))]
  const [first] = fitMessages('qwen-plus', messages)
  expect(first).toMatchObject({
    tool_calls: [
      { arguments: '{}' },
      { arguments: '{"arguments":"{\\"x\\": \\"ab"}' },
      { arguments: '{"arguments":"[1]"}' },
      { arguments: '{"x": 1.0}' },
    ],
  })
})

test.each([
  ['iVBORw0KGgoAAA==', 'image/png'],
  ['/9j/4AAQSkZJRg==', 'image/jpeg'],
  ['R0lGODlhAQABAA==', 'image/gif'],
  ['UklGRiIAAABXRUJQVlA4', 'image/webp'],
  ['AAAAIGZ0eXBhdmlm', 'image/avif'],
])('a picture is labelled by its bytes: %s', (data, mediaType) => {
  const told = mediaType === 'image/avif' ? mediaType : 'image/tiff'
  const block = { type: 'image', source: { type: 'base64', media_type: told, data } }
  const [first] = fitMessages('claude-sonnet-5', [
    {
      role: 'user',
      content: [{ type: 'image', media_type: told, data }],
      provider_options: { anthropic: { blocks: [block] } },
    },
  ])
  expect(first).toMatchObject({
    content: [{ media_type: mediaType }],
    provider_options: { anthropic: { blocks: [{ source: { media_type: mediaType } }] } },
  })
})

test.each<[string, Dialect, string[] | undefined]>([
  ['claude-sonnet-5', 'anthropic', ['a', 'b', 'c', 'd', 'e', 'f']],
  ['gpt-4.1', 'openai', ['\n', 'a', 'b', 'c']],
  ['gemini-3.8-flash', 'gemini', ['\n', 'a', 'b', 'c', 'd']],
])('stop sequences that %s takes', (model, dialect, expected) => {
  const stopSequences = ['', '\n', 'a', 'b', 'c', 'd', 'e', 'f']
  expect(fit(model, { stop_sequences: stopSequences }, dialect).request.stop_sequences).toEqual(expected)
  expect(fit(model, { stop_sequences: [''] }, dialect).request.stop_sequences).toBeUndefined()
})
