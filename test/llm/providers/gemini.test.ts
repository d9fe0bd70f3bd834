import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChatRequest } from '#server/llm/chat-request.ts'
import type { ProviderTarget } from '#server/llm/providers/provider.ts'
import { PROVIDERS } from '#server/llm/providers/providers.ts'
import { startUpstream } from '#test/world/upstream/upstream.ts'
import type { Upstream } from '#test/world/upstream/upstream.ts'
import { callProvider, getErrorCode, createTarget } from '../provider-call.ts'
import type { CollectedStream } from '../provider-call.ts'
import { CONVERSATION, TOOLS } from '../sample-conversation.ts'

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
    createTarget(upstream.url, over, {}, 'gemini'),
    asked,
    new AbortController().signal,
    PROVIDERS.gemini,
  )

async function captureBody(model: string, more: Partial<ChatRequest>): Promise<unknown> {
  upstream.script(model, { text: 'ok' })
  await streamAnswer({ model }, { messages: [{ role: 'user', content: '?' }], max_tokens: 8000, ...more })
  return upstream.requests.at(-1)?.body
}

describe('an answer', () => {
  test('thoughts, text, calls, usage and finish, in this order', async () => {
    const usage = {
      promptTokenCount: 2000,
      cachedContentTokenCount: 1500,
      toolUsePromptTokenCount: 9,
      candidatesTokenCount: 70,
      thoughtsTokenCount: 30,
      totalTokenCount: 2109,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 300 },
        { modality: 'AUDIO', tokenCount: 150 },
        { modality: 'IMAGE', tokenCount: 50 },
      ],
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 60 }],
    }
    const toolCalls = [
      { id: 'fc_1', name: 'weather', arguments: '{"city":"杭州"}', signature: 'c2lnbmVk' },
      { id: '', name: 'time', arguments: '' },
    ]
    upstream.script('all', { text: TEXT, reasoning: '想一想', tool_calls: toolCalls, chars: 6, usage })
    const { parts, text, error } = await streamAnswer({ model: 'all' })
    expect([text, error]).toEqual([TEXT, null])
    expect(parts[0]).toEqual({ type: 'reasoning', text: '想一想' })
    expect(parts.filter(({ type }) => type === 'tool_call')).toEqual([
      {
        type: 'tool_call',
        index: 0,
        id: 'fc_1',
        name: 'weather',
        arguments: '{"city":"杭州"}',
        signature: 'c2lnbmVk',
      },
      {
        type: 'tool_call',
        index: 1,
        id: expect.stringMatching(/^call_/) as string,
        name: 'time',
        arguments: '{}',
      },
    ])
    expect(parts.slice(-2)).toEqual([
      {
        type: 'usage',
        usage: {
          input: 2009,
          output: 100,
          cached: 1500,
          reasoning: 30,
          audio: { input: 150, output: 0 },
          image: { input: 50, output: 60 },
        },
      },
      { type: 'finish', reason: 'tool_calls' },
    ])
  })

  test('as one object, and as the list of its events', async () => {
    upstream.script('json', { text: TEXT, json: true })
    expect((await streamAnswer({ model: 'json' })).parts.map(({ type }) => type)).toEqual([
      'delta',
      'usage',
      'finish',
    ])
    const said = (text: string, end: object) => ({ candidates: [{ content: { parts: [{ text }] }, ...end }] })
    upstream.script('list', { raw: [JSON.stringify([said('甲', {}), said('乙', { finishReason: 'STOP' })])] })
    expect(await streamAnswer({ model: 'list' })).toMatchObject({ text: '甲乙', error: null })
  })

  test.each([
    ['stop', 'stop'],
    ['length', 'length'],
  ])('that ends with %s', async (finish, reason) => {
    upstream.script('finish', { text: 'ok', finish })
    expect((await streamAnswer({ model: 'finish' })).parts.at(-1)).toEqual({ type: 'finish', reason })
  })

  test.each(['SAFETY', 'RECITATION', 'PROHIBITED_CONTENT'])(
    'that is withheld (%s) is one that ended',
    async (finish) => {
      upstream.script('withheld', { text: TEXT, finish })
      const { parts, text, error } = await streamAnswer({ model: 'withheld' })
      expect([error, text]).toEqual([null, TEXT])
      expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'content_filter' })
    },
  )

  test.each([
    ['MALFORMED_FUNCTION_CALL', 'upstream_failed'],
    ['OTHER', 'upstream_failed'],
  ])('that ends with %s is an error, with its text and usage', async (finish, code) => {
    upstream.script('withheld', { text: TEXT, finish })
    const { parts, text, error } = await streamAnswer({ model: 'withheld' })
    expect([getErrorCode(error), text]).toEqual([code, TEXT])
    expect(parts.at(-1)?.type).toBe('usage')
  })

  test('to a prompt that is blocked is a rejection', async () => {
    const blocked = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }
    upstream.script('blocked', { raw: [`data: ${JSON.stringify(blocked)}\r\n\r\n`] })
    const { error } = await streamAnswer({ model: 'blocked' })
    expect(error).toMatchObject({ code: 'content_rejected', detail: 'blockReason PROHIBITED_CONTENT' })
  })

  test('that is at its limit says in its body when to come back', async () => {
    const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '16.2s' }
    const body = JSON.stringify({ error: { code: 429, status: 'RESOURCE_EXHAUSTED', details: [retry] } })
    upstream.script('quota', { status: 429, body })
    const { error } = await streamAnswer({ model: 'quota' })
    expect(error).toMatchObject({ code: 'upstream_rate_limited', retry_after: 17 })
  })

  test('that breaks keeps the usage so far where it makes sense, and flags none', async () => {
    const said = (usageMetadata: object): string =>
      `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text: '甲' }] } }], usageMetadata })}\r\n\r\n`
    const some = said({ promptTokenCount: 9, candidatesTokenCount: 7 })
    upstream.script('broken', { raw: [some] }, { raw: [said({ promptTokenCount: 9 })] })
    const [known, unknown] = [
      await streamAnswer({ model: 'broken' }),
      await streamAnswer({ model: 'broken' }),
    ]
    expect(known.parts.at(-1)).toEqual({
      type: 'usage',
      usage: { input: 9, output: 7, cached: 0, reasoning: 0 },
    })
    expect(unknown.parts.map(({ type }) => type)).toEqual(['delta'])
    expect([getErrorCode(known.error), getErrorCode(unknown.error)]).toEqual(['upstream_cut', 'upstream_cut'])
  })

  test.each([
    ['negative', { promptTokenCount: 9, candidatesTokenCount: -7 }],
    ['negative thoughts', { promptTokenCount: 9, candidatesTokenCount: 9, thoughtsTokenCount: -7 }],
    ['fractional', { promptTokenCount: 9, candidatesTokenCount: 7.5 }],
    ['gigantic', { promptTokenCount: 1e12, candidatesTokenCount: 7 }],
    ['missing', { promptTokenCount: 9 }],
    [
      'more cached than there was',
      { promptTokenCount: 9, candidatesTokenCount: 7, cachedContentTokenCount: 10 },
    ],
  ])('%s usage is flagged, never passed on', async (_, usage) => {
    upstream.script('nonsense', { text: 'ok', usage })
    const { parts, error } = await streamAnswer({ model: 'nonsense' })
    expect(error).toBeNull()
    expect(parts.map(({ type }) => type)).toEqual(['delta', 'usage_flagged', 'finish'])
  })
})

describe('a call', () => {
  test('goes to the model by its address', async () => {
    upstream.script('gemini-2.5-pro', { text: 'ok' })
    await streamAnswer({ model: 'gemini-2.5-pro', api_key: 'canary' })
    const request = upstream.requests.at(-1)
    expect(request).toMatchObject({
      method: 'POST',
      path: '/v1/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
    })
    expect(request?.headers['x-goog-api-key']).toBe('canary')
    expect(request?.headers.authorization).toBeUndefined()
  })

  test('a conversation with tools and pictures, as the platform wants it', async () => {
    expect(
      await captureBody('gemini-2.5-pro', { ...CONVERSATION, tools: TOOLS, tool_choice: 'required' }),
    ).toEqual({
      systemInstruction: { parts: [{ text: '简短。' }] },
      contents: [
        {
          role: 'user',
          parts: [
            { text: '看图' },
            { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
            { fileData: { fileUri: 'https://example.com/a.png' } },
          ],
        },
        {
          role: 'model',
          parts: [
            { functionCall: { name: 'weather', args: { city: '杭州' } }, thoughtSignature: 'c2lnbmVk' },
            { functionCall: { name: 'time', args: {} } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'weather', response: { celsius: 21 } } },
            { functionResponse: { name: 'time', response: { result: '八点' } } },
          ],
        },
        { role: 'model', parts: [{ text: '杭州二十一度。' }] },
        { role: 'user', parts: [{ text: '谢谢' }] },
      ],
      tools: [
        {
          functionDeclarations: [
            { name: 'weather', description: '天气', parametersJsonSchema: TOOLS[0]?.parameters },
            { name: 'time', parametersJsonSchema: TOOLS[1]?.parameters },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
      generationConfig: {
        maxOutputTokens: 4000,
        temperature: 0.5,
        topP: 0.9,
        stopSequences: ['完'],
        seed: 7,
      },
    })
  })

  test('a call that another model made gets the signature that stands for none, where one is wanted', async () => {
    const toolCalls = ['f', 'g'].map((name) => ({ id: name, name, arguments: '{}' }))
    const messages = [{ role: 'assistant' as const, content: '', tool_calls: toolCalls }]
    const signatures = async (model: string): Promise<unknown[]> => {
      const body = (await captureBody(model, { messages })) as { contents: { parts: object[] }[] }
      return body.contents[0]!.parts.map((part) => 'thoughtSignature' in part)
    }
    expect(await signatures('gemini-3-pro-preview')).toEqual([true, false])
    expect(await signatures('gemini-2.5-pro')).toEqual([false, false])
  })

  test('one tool by name', async () => {
    expect(await captureBody('m', { tools: TOOLS, tool_choice: { name: 'time' } })).toMatchObject({
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['time'] } },
    })
  })

  test('JSON, with a schema or without', async () => {
    const schema = { type: 'object', properties: {} }
    expect(
      await captureBody('m', { response_format: { type: 'json_schema', name: 'a', schema } }),
    ).toMatchObject({
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
    })
    expect(await captureBody('m', { response_format: { type: 'json' } })).toMatchObject({
      generationConfig: { responseMimeType: 'application/json' },
    })
  })

  test.each([
    ['gemini-2.5-flash', 'high', { includeThoughts: true, thinkingBudget: 24_576 }],
    ['gemini-2.5-flash', 'none', { includeThoughts: false, thinkingBudget: 0 }],
    ['gemini-2.5-flash', 'max', { includeThoughts: true, thinkingBudget: 24_576 }],
    ['gemini-3-pro-preview', 'xhigh', { includeThoughts: true, thinkingLevel: 'high' }],
    ['gemini-3-pro-preview', 'medium', { includeThoughts: true, thinkingLevel: 'high' }],
    ['gemini-3-pro-preview', 'minimal', { includeThoughts: true, thinkingLevel: 'low' }],
  ] as const)('%s thinks with effort %s', async (model, reasoningEffort, thinkingConfig) => {
    expect(await captureBody(model, { reasoning_effort: reasoningEffort })).toMatchObject({
      generationConfig: { thinkingConfig },
    })
  })
})
