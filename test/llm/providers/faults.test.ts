import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { UpstreamError } from '#server/llm/upstream-error.ts'
import type { ProviderTarget } from '#server/llm/providers/provider.ts'
import { MAX_EVENT } from '#server/llm/transport/sse-parser.ts'
import { startUpstream } from '#test/world/upstream/upstream.ts'
import type { Script, Upstream } from '#test/world/upstream/upstream.ts'
import { callProvider, getErrorCode, createTarget } from '../provider-call.ts'
import type { CollectedStream } from '../provider-call.ts'
import { PROVIDER_CASES } from '../provider-cases.ts'

const TEXT = '天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。'
let upstream: Upstream

beforeAll(async () => {
  upstream = await startUpstream()
})
afterAll(() => upstream.close())

/** Starts a server that takes connections and does this with each. */
async function startSocketServer(take: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => take(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

describe.each(Object.entries(PROVIDER_CASES))('%s', (_, { stream, delta, end, errors }) => {
  const ask = (target: ProviderTarget): Promise<CollectedStream> =>
    callProvider(target, '你好', new AbortController().signal, stream)

  describe('every fault of an upstream ends in a named error, with the text received so far', () => {
    const faults: [string, Script, string, string][] = [
      ['hangs up inside a character', { text: TEXT, chars: 4, cut: 3 }, 'upstream_cut', TEXT.slice(0, 8)],
      ['hangs up before the first text', { text: TEXT, cut: 0 }, 'upstream_cut', ''],
      ['ends without saying so', { text: TEXT, finish: null, done: 0 }, 'upstream_cut', TEXT],
      ['ends inside an event', { raw: [delta('甲'), 'data: {"choi'] }, 'upstream_cut', '甲'],
      ['sends what is no JSON', { raw: [delta('甲'), 'data: {oops}\n\n', end] }, 'upstream_malformed', '甲'],
      ['sends what is no object', { raw: [delta('甲'), 'data: 42\n\n'] }, 'upstream_malformed', '甲'],
      ['sends a web page', { raw: ['<html><body>502</body></html>\n\n'] }, 'upstream_malformed', ''],
      ['sends half a JSON body', { raw: ['{"choices":[{"mess'] }, 'upstream_malformed', ''],
      ['sends nothing', { raw: [] }, 'upstream_empty', ''],
      ['stops without a text or a count', { text: '', usage: null }, 'upstream_empty', ''],
      [
        'sends a line beyond all measure',
        { raw: [delta('甲'), 'data: ', 'x'.repeat(MAX_EVENT + 1_000_000)] },
        'upstream_malformed',
        '甲',
      ],
      ['answers 400', { status: 400 }, 'request_rejected', ''],
      ['answers 401', { status: 401 }, 'upstream_rejected', ''],
      ['redirects', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }, 'upstream_rejected', ''],
      ['answers 500', { status: 500 }, 'upstream_failed', ''],
      ['answers 529', { status: 529 }, 'upstream_overloaded', ''],
      ['answers 500 and 1 MB of text', { status: 500, body: 'x'.repeat(1_000_000) }, 'upstream_failed', ''],
    ]
    test.each(faults)('%s', async (model, script, code, text) => {
      upstream.script(model, script)
      const received = await ask(createTarget(upstream.url, { model }))
      expect(getErrorCode(received.error)).toBe(code)
      expect(received.text).toBe(text)
      expect(received.parts.some(({ type }) => type === 'finish')).toBe(false)
    })

    test.each(errors)('reports %j inside a 200, in mid-answer and at once', async (error, code) => {
      const events = { raw: [delta('甲'), `data: ${JSON.stringify(error)}\n\n`, end] }
      upstream.script('error', events, { raw: [JSON.stringify(error)] })
      const late = await ask(createTarget(upstream.url, { model: 'error' }))
      const early = await ask(createTarget(upstream.url, { model: 'error' }))
      expect([getErrorCode(late.error), late.text]).toEqual([code, '甲'])
      expect([getErrorCode(early.error), early.text]).toEqual([code, ''])
    })

    test('hangs up before a word of answer', async () => {
      const url = await startSocketServer((socket) => socket.destroy())
      expect(getErrorCode((await ask(createTarget(url))).error)).toBe('upstream_failed')
    })

    test('speaks no HTTP', async () => {
      const url = await startSocketServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'))
      expect(getErrorCode((await ask(createTarget(url))).error)).toBe('upstream_malformed')
    })

    test('refuses the connection', async () => {
      const gone = await startUpstream()
      await gone.close()
      expect(getErrorCode((await ask(createTarget(gone.url))).error)).toBe('upstream_refused')
    })

    test('is at its limit: Retry-After is passed on, in seconds', async () => {
      upstream.script('busy', { status: 429, headers: { 'retry-after': '17' } })
      const { error } = await ask(createTarget(upstream.url, { model: 'busy' }))
      expect(error).toBeInstanceOf(UpstreamError)
      expect(error).toMatchObject({ code: 'upstream_rate_limited', retry_after: 17 })
    })

    test('repeats the key, in a refusal or in an answer: the detail does not', async () => {
      const inside = JSON.stringify({ error: { type: 'authentication_error', message: 'no sk-canary here' } })
      upstream.script(
        'key',
        { status: 401, body: 'Incorrect API key provided: sk-canary' },
        { raw: [inside] },
      )
      const target = createTarget(upstream.url, { model: 'key', api_key: 'sk-canary' })
      expect((await ask(target)).error).toMatchObject({ detail: '401 Incorrect API key provided: ***' })
      expect((await ask(target)).error).toMatchObject({
        detail: inside.slice(9, -1).replace('sk-canary', '***'),
      })
    })
  })

  describe('what looks like a fault and is none', () => {
    const oddities: [string, Script, string][] = [
      ['an end that comes twice', { text: TEXT, done: 2 }, TEXT],
      ['no blank line at the end', { raw: [delta('甲'), end.trimEnd()] }, '甲'],
      ['[DONE] at the end', { raw: [delta('甲'), end, 'data: [DONE]\n\n'] }, '甲'],
      [
        'comments, other fields, a BOM and CRLF',
        { raw: ['\u{FEFF}: ping\r\n\r\nid: 1\r\n', (delta('甲') + end).replaceAll('\n', '\r\n')] },
        '甲',
      ],
      ['a line of 1 MB', { raw: [delta('长'.repeat(350_000)), end] }, '长'.repeat(350_000)],
      ['a hang-up after all was said', { raw: [delta('甲'), end, ''], cut: 2 }, '甲'],
      ['one JSON object instead of a stream', { text: TEXT, json: true }, TEXT],
    ]
    test.each(oddities)('%s', async (model, script, text) => {
      upstream.script(model, script)
      const received = await ask(createTarget(upstream.url, { model }))
      expect(received.error).toBeNull()
      expect(received.text === text).toBe(true)
      expect(received.parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
    })
  })
})
