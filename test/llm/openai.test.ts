import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AnswerReader } from '#server/llm/dialects/openai-reader.ts'
import { startUpstream } from '#test/upstream.ts'
import type { Upstream } from '#test/upstream.ts'
import { frames } from '#test/upstream/frames.ts'
import { call, codeOf, targetOf } from './calling.ts'

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
    const { parts, text, error } = await call(targetOf(upstream.url))
    expect(error).toBeNull()
    expect(text).toBe(TEXT)
    expect(parts[0]).toEqual({ type: 'reasoning', text: '想一想' })
    expect(parts.slice(-2)).toEqual([
      { type: 'usage', usage: { input: 9, output: 7, cached: 3, reasoning: 0 } },
      { type: 'finish', reason: 'stop' },
    ])
    expect(parts.every((part) => !('text' in part) || part.text !== '')).toBe(true)
  })

  test('asks as the field does: model, messages, limit, usage, key', async () => {
    upstream.script('asked', { text: 'ok' })
    await call(targetOf(upstream.url, { model: 'asked', api_key: 'sk-canary' }), '问题')
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
    await call(targetOf(upstream.url, { model: 'gpt-5' }))
    expect(upstream.requests.at(-1)?.body).toMatchObject({ max_completion_tokens: 1000 })
    expect(upstream.requests.at(-1)?.body).not.toHaveProperty('max_tokens')
  })

  test('cumulative chunks replace', async () => {
    upstream.script('farui', { text: TEXT, chars: 5, cumulative: true })
    const { parts, text } = await call(targetOf(upstream.url, { model: 'farui', cumulative: true }))
    expect(text).toBe(TEXT)
    expect(parts.filter(({ type }) => type === 'replace').length).toBeGreaterThan(3)
    expect(parts.some(({ type }) => type === 'delta')).toBe(false)
  })

  test('one JSON object instead of a stream', async () => {
    upstream.script('json', { text: TEXT, json: true })
    const { parts, text } = await call(targetOf(upstream.url, { model: 'json' }))
    expect(text).toBe(TEXT)
    expect(parts.map(({ type }) => type)).toEqual(['delta', 'usage', 'finish'])
  })

  test('the connection is used again, also after a second [DONE]', async () => {
    const own = await startUpstream()
    own.script('m', { text: 'ok', done: 2 })
    for (let nth = 0; nth < 10; nth += 1) {
      await call(targetOf(own.url))
      // The rest of an answer is read in the background: now and then it is not there in time.
      await sleep(20)
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
  ])('usage as %s reports it', async (_, usage, cached, reasoning) => {
    upstream.script('usage', { text: 'ok', usage })
    const { parts } = await call(targetOf(upstream.url, { model: 'usage' }))
    expect(parts).toContainEqual({ type: 'usage', usage: { input: 9, output: 7, cached, reasoning } })
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
    const { parts, text, error } = await call(targetOf(upstream.url, { model: 'nonsense' }))
    expect([text, error]).toEqual(['ok', null])
    expect(parts.map(({ type }) => type)).toEqual(['delta', 'usage_flagged', 'finish'])
  })

  test('no usage is no part', async () => {
    upstream.script('none', { text: 'ok', usage: null })
    const { parts } = await call(targetOf(upstream.url, { model: 'none' }))
    expect(parts.map(({ type }) => type)).toEqual(['delta', 'finish'])
  })
})

test('bytes cut anywhere, inside characters too, give the same text', () => {
  const stream = Buffer.from(
    [...frames('m', { text: TEXT, chars: 4 }, null)].join('').replaceAll('\n', '\r\n'),
  )
  fc.assert(
    fc.property(fc.array(fc.nat({ max: stream.length })), fc.boolean(), (cuts, bom) => {
      const at = cuts.sort((a, b) => a - b)
      const reader = new AnswerReader(false)
      const parts = bom
        ? [...reader.feed(Buffer.from([0xef])), ...reader.feed(Buffer.from([0xbb, 0xbf]))]
        : []
      for (const [nth, from] of [0, ...at].entries()) {
        parts.push(...reader.feed(stream.subarray(from, at[nth] ?? stream.length)))
      }
      expect(parts.map((part) => (part.type === 'delta' ? part.text : '')).join('')).toBe(TEXT)
      expect(reader.finish()).toEqual({ type: 'finish', reason: 'stop' })
    }),
  )
})

test('whatever bytes come, the reader ends with parts or a named error', () => {
  const token = fc.constantFrom(
    'data: ',
    '\n',
    '\n\n',
    '\r',
    '{',
    '}',
    '[',
    ']',
    '"choices"',
    ':',
    '"delta"',
    '"content"',
    '"x"',
    'null',
    '0',
    ',',
    '[DONE]',
    '"usage"',
    '"error"',
    '\u{FEFF}',
    '中',
  )
  const bytes = fc.oneof(
    fc.uint8Array(),
    fc.array(token).map((words) => Buffer.from(words.join(''))),
  )
  fc.assert(
    fc.property(fc.array(bytes), (pieces) => {
      const reader = new AnswerReader(false)
      try {
        for (const piece of pieces)
          for (const part of reader.feed(Buffer.from(piece))) expect(part.type).toBeTruthy()
        for (const part of reader.end()) expect(part.type).toBeTruthy()
        reader.finish()
      } catch (error) {
        expect(codeOf(error)).toMatch(/^upstream_/)
      }
    }),
    { numRuns: 500 },
  )
})
