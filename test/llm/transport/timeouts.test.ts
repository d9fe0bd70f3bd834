import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { ProviderTarget } from '#server/llm/providers/provider.ts'
import { startUpstream } from '#test/world/upstream/upstream.ts'
import type { Script, Upstream } from '#test/world/upstream/upstream.ts'
import { createRequest, callProvider, getErrorCode, createTarget } from '../provider-call.ts'
import type { CollectedStream } from '../provider-call.ts'
import { PROVIDER_CASES } from '../provider-cases.ts'

const TEXT = '天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。'
let upstream: Upstream

beforeAll(async () => {
  upstream = await startUpstream()
})
afterAll(() => upstream.close())

/** Starts a server that takes connections and never answers the TLS handshake. */
async function startSilentServer(): Promise<{ url: string; connected: Promise<unknown> }> {
  const server = createServer((socket) => void socket.on('error', () => {}))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `https://127.0.0.1:${port}/v1`, connected: once(server, 'connection') }
}

describe.each(Object.entries(PROVIDER_CASES))('%s', (_, { stream, delta, end }) => {
  const listenTo = (
    target: ProviderTarget,
    signal = new AbortController().signal,
  ): Promise<CollectedStream> => callProvider(target, '?', signal, stream)

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
      const received = await listenTo(createTarget(upstream.url, { model }, timeouts))
      expect(getErrorCode(received.error)).toBe('upstream_timeout')
      expect(received.text).toBe(text)
      await expect.poll(() => upstream.requests.at(-1)?.aborted).toBe(true)
    })

    test('after all was said takes nothing away', async () => {
      upstream.script('lingers', { raw: [delta('甲'), end, ''], stall: 2 })
      const received = await listenTo(createTarget(upstream.url, { model: 'lingers' }, { idle_ms: 200 }))
      expect(received).toMatchObject({ text: '甲', error: null })
      expect(received.parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
    })

    test('while connecting', async () => {
      const { url } = await startSilentServer()
      const received = await listenTo(createTarget(url, {}, { connect_ms: 100 }))
      expect(getErrorCode(received.error)).toBe('upstream_timeout')
    })

    test('of a reader is not silence of the upstream', async () => {
      upstream.script('slow reader', { text: TEXT, chars: 2, every_ms: 5 })
      let text = ''
      const target = createTarget(upstream.url, { model: 'slow reader' }, { idle_ms: 200 })
      await stream(target, createRequest('?'), new AbortController().signal, async (part) => {
        if (!text) await new Promise((resolve) => setTimeout(resolve, 500))
        if (part.type === 'delta') text += part.text
      })
      expect(text).toBe(TEXT)
    })

    test('of this process, which is busy, is not silence of the upstream', async () => {
      upstream.script('busy', { text: TEXT, chars: 10, every_ms: 50 })
      let text = ''
      const target = createTarget(upstream.url, { model: 'busy' }, { idle_ms: 200 })
      await stream(target, createRequest('?'), new AbortController().signal, (part) => {
        const until = performance.now() + (text ? 0 : 400)
        while (performance.now() < until);
        if (part.type === 'delta') text += part.text
      })
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
      const received = listenTo(createTarget(upstream.url, { model }), abort.signal)
      await expect.poll(() => upstream.requests.length).toBe(before + 1)
      const reason = new Error('stopped by the person')
      abort.abort(reason)
      expect((await received).error).toBe(reason)
      await expect.poll(() => upstream.requests.at(-1)?.aborted).toBe(true)
    })

    test('while it connects, and before it begins', async () => {
      const { url, connected } = await startSilentServer()
      const abort = new AbortController()
      const received = listenTo(createTarget(url), abort.signal)
      await connected
      abort.abort('left')
      expect((await received).error).toBe('left')
      expect((await listenTo(createTarget(url), abort.signal)).error).toBe('left')
    })

    test('when its reader fails', async () => {
      upstream.script('left', { text: TEXT, chars: 4, stall: 3 })
      const target = createTarget(upstream.url, { model: 'left' })
      const failing = stream(target, createRequest('?'), new AbortController().signal, () => {
        throw new Error('the reader failed')
      })
      await expect(failing).rejects.toThrow('the reader failed')
      await expect.poll(() => upstream.requests.at(-1)?.aborted).toBe(true)
    })
  })

  test('a stalled answer goes on when it is released', async () => {
    upstream.script('patient', { text: TEXT, chars: 4, stall: 3 })
    const before = upstream.requests.length
    const received = listenTo(createTarget(upstream.url, { model: 'patient' }))
    await expect.poll(() => upstream.requests.length).toBe(before + 1)
    const again = setInterval(() => upstream.release(), 20)
    expect((await received).text).toBe(TEXT)
    clearInterval(again)
  })
})
