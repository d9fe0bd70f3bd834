import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UpstreamError } from '#server/llm/chat.ts'
import { streamChat } from '#server/llm/dialects/openai.ts'
import { startUpstream } from '#test/upstream.ts'
import type { Script, Upstream } from '#test/upstream.ts'
import { ask, call, codeOf, targetOf } from './calling.ts'

const TEXT = '天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。'
const delta = (content: string): string =>
  `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`
let upstream: Upstream

beforeAll(async () => {
  upstream = await startUpstream()
})
afterAll(() => upstream.close())

describe('every fault of an upstream ends in a named error, with the text received so far', () => {
  const faults: [string, Script, string, string][] = [
    ['hangs up inside a character', { text: TEXT, chars: 4, cut: 3 }, 'upstream_cut', TEXT.slice(0, 8)],
    ['hangs up before the first text', { text: TEXT, cut: 0 }, 'upstream_cut', ''],
    ['ends without finish or [DONE]', { text: TEXT, finish: null, done: 0 }, 'upstream_cut', TEXT],
    ['ends inside an event', { raw: [delta('甲'), 'data: {"choi'] }, 'upstream_cut', '甲'],
    [
      'sends what is no JSON',
      { raw: [delta('甲'), 'data: {oops}\n\n', delta('乙')] },
      'upstream_malformed',
      '甲',
    ],
    ['sends what is no object', { raw: [delta('甲'), 'data: 42\n\n'] }, 'upstream_malformed', '甲'],
    ['sends a web page', { raw: ['<html><body>502</body></html>\n\n'] }, 'upstream_malformed', ''],
    ['sends half a JSON body', { raw: ['{"choices":[{"mess'] }, 'upstream_malformed', ''],
    ['sends nothing', { raw: [] }, 'upstream_empty', ''],
    ['finishes without a text', { text: '' }, 'upstream_empty', ''],
    ['only thinks', { text: '', reasoning: '嗯', finish: 'length' }, 'upstream_empty', ''],
    [
      'reports an error inside a stream',
      { raw: [delta('甲'), 'data: {"error":{"message":"x"}}\n\n'] },
      'upstream_failed',
      '甲',
    ],
    ['reports its limit inside a 200', { raw: ['{"error":{"code":"429"}}'] }, 'upstream_rate_limited', ''],
    [
      'sends a line of more than 4 MB',
      { raw: [delta('甲'), 'data: ', 'x'.repeat(5_000_000)] },
      'upstream_malformed',
      '甲',
    ],
    ['answers 400', { status: 400 }, 'upstream_rejected', ''],
    ['answers 401', { status: 401 }, 'upstream_rejected', ''],
    ['redirects', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }, 'upstream_rejected', ''],
    ['answers 500', { status: 500 }, 'upstream_failed', ''],
    ['answers 500 and 1 MB of text', { status: 500, body: 'x'.repeat(1_000_000) }, 'upstream_failed', ''],
  ]
  test.each(faults)('%s', async (fault, script, code, text) => {
    upstream.script(fault, script)
    const heard = await call(targetOf(upstream.url, { model: fault }))
    expect(codeOf(heard.error)).toBe(code)
    expect(heard.text).toBe(text)
    expect(heard.parts.some(({ type }) => type === 'finish')).toBe(false)
  })

  test('hangs up before a word of answer', async () => {
    const server = createServer((socket) => void socket.once('data', () => socket.destroy()))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const heard = await call(targetOf(`http://127.0.0.1:${port}/v1`))
    server.close()
    expect(codeOf(heard.error)).toBe('upstream_failed')
  })

  test('speaks no HTTP', async () => {
    const server = createServer((socket) => void socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n')))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const heard = await call(targetOf(`http://127.0.0.1:${port}/v1`))
    server.close()
    expect(codeOf(heard.error)).toBe('upstream_malformed')
  })

  test('refuses the connection', async () => {
    const gone = await startUpstream()
    await gone.close()
    expect(codeOf((await call(targetOf(gone.url))).error)).toBe('upstream_refused')
  })

  test('is at its limit: Retry-After is passed on, in seconds', async () => {
    upstream.script('busy', { status: 429, headers: { 'retry-after': '17' } })
    const { error } = await call(targetOf(upstream.url, { model: 'busy' }))
    expect(error).toBeInstanceOf(UpstreamError)
    expect(error).toMatchObject({ code: 'upstream_rate_limited', retry_after: 17 })
  })

  test('repeats the key: the detail does not', async () => {
    upstream.script('key', { status: 401, body: 'Incorrect API key provided: sk-canary' })
    const { error } = await call(targetOf(upstream.url, { model: 'key', api_key: 'sk-canary' }))
    expect(error).toMatchObject({ detail: '401 Incorrect API key provided: ***' })
  })
})

describe('what looks like a fault and is none', () => {
  const oddities: [string, Script, string][] = [
    ['two [DONE]', { text: TEXT, done: 2 }, TEXT],
    ['no [DONE] after finish_reason', { text: TEXT, done: 0 }, TEXT],
    ['[DONE] without finish_reason', { text: TEXT, finish: null }, TEXT],
    ['text after [DONE]', { raw: [delta('甲'), 'data: [DONE]\n\n', delta('乙')] }, '甲'],
    ['no blank line at the end', { raw: [delta('甲'), 'data: [DONE]'] }, '甲'],
    [
      'a hang-up after finish_reason',
      { raw: [delta('甲'), 'data: {"choices":[{"finish_reason":"stop"}]}\n\n', ''], cut: 2 },
      '甲',
    ],
    [
      'comments, other fields, a BOM and CRLF',
      {
        raw: [
          '\u{FEFF}: ping\r\n\r\nid: 1\r\n',
          delta('甲').replaceAll('\n', '\r\n'),
          'data: [DONE]\r\n\r\n',
        ],
      },
      '甲',
    ],
    ['a line of 1 MB', { raw: [delta('长'.repeat(350_000)), 'data: [DONE]\n\n'] }, '长'.repeat(350_000)],
  ]
  test.each(oddities)('%s', async (oddity, script, text) => {
    upstream.script(oddity, script)
    const heard = await call(targetOf(upstream.url, { model: oddity }))
    expect(heard.error).toBeNull()
    expect(heard.text === text).toBe(true)
    expect(heard.parts.at(-1)?.type).toBe('finish')
  })
})

describe('silence', () => {
  test.each([
    ['before the headers', { text: TEXT, stall: 'headers' }, { first_byte_ms: 100 }, ''],
    ['after the headers', { text: TEXT, stall: 'body' }, { first_byte_ms: 100 }, ''],
    ['in mid-answer', { text: TEXT, chars: 4, stall: 3 }, { idle_ms: 200 }, TEXT.slice(0, 8)],
    [
      'behind endless comments',
      { raw: Array.from({ length: 500 }, () => ': ping\n\n'), every_ms: 20 },
      { total_ms: 300 },
      '',
    ],
  ] as [string, Script, object, string][])('%s', async (model, script, timeouts, text) => {
    upstream.script(model, script)
    const heard = await call(targetOf(upstream.url, { model }, timeouts))
    expect(codeOf(heard.error)).toBe('upstream_timeout')
    expect(heard.text).toBe(text)
    await expect.poll(() => upstream.requests.at(-1)?.aborted).toBe(true)
  })

  test('while connecting', async () => {
    // Takes the connection and never answers the TLS handshake.
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const heard = await call(targetOf(`https://127.0.0.1:${port}/v1`, {}, { connect_ms: 100 }))
    server.close()
    expect(codeOf(heard.error)).toBe('upstream_timeout')
  })

  test('of a reader is not silence of the upstream', async () => {
    upstream.script('slow reader', { text: TEXT, chars: 2, every_ms: 5 })
    let text = ''
    const target = targetOf(upstream.url, { model: 'slow reader' }, { idle_ms: 60 })
    for await (const part of streamChat(target, ask('?'), new AbortController().signal)) {
      if (!text) await new Promise((resolve) => setTimeout(resolve, 200))
      if (part.type === 'delta') text += part.text
    }
    expect(text).toBe(TEXT)
  })
})

describe('an abort reaches the upstream', () => {
  test.each<[string, Script]>([
    ['before the headers', { text: TEXT, stall: 'headers' }],
    ['in mid-answer', { text: TEXT, chars: 4, stall: 3 }],
  ])('%s', async (model, script) => {
    upstream.script(model, script)
    const before = upstream.requests.length
    const abort = new AbortController()
    const heard = call(targetOf(upstream.url, { model }), '?', abort.signal)
    await expect.poll(() => upstream.requests.length).toBe(before + 1)
    const reason = new Error('stopped by the person')
    abort.abort(reason)
    expect((await heard).error).toBe(reason)
    await expect.poll(() => upstream.requests.at(-1)?.aborted, { timeout: 1_000 }).toBe(true)
  })

  test('while it connects, and before it begins', async () => {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const abort = new AbortController()
    const heard = call(targetOf(url), '?', abort.signal)
    await once(server, 'connection')
    abort.abort('left')
    expect((await heard).error).toBe('left')
    expect((await call(targetOf(url), '?', abort.signal)).error).toBe('left')
    server.close()
  })

  test('when its reader leaves without a word', async () => {
    upstream.script('left', { text: TEXT, chars: 4, stall: 3 })
    for await (const part of streamChat(
      targetOf(upstream.url, { model: 'left' }),
      ask('?'),
      new AbortController().signal,
    )) {
      if (part.type === 'delta') break
    }
    await expect.poll(() => upstream.requests.at(-1)?.aborted, { timeout: 1_000 }).toBe(true)
  })
})

test('a stalled answer goes on when it is released', async () => {
  upstream.script('patient', { text: TEXT, chars: 4, stall: 3 })
  const before = upstream.requests.length
  const heard = call(targetOf(upstream.url, { model: 'patient' }))
  await expect.poll(() => upstream.requests.length).toBe(before + 1)
  const again = setInterval(() => upstream.release(), 20)
  expect((await heard).text).toBe(TEXT)
  clearInterval(again)
})
