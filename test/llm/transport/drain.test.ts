import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { addAbortSignal, Readable, Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ByteSource } from '#server/llm/byte-source.ts'
import { loadCatalogue } from '#server/llm/catalogue/catalogue.ts'
import { createLlm } from '#server/llm/llm.ts'
import { DEFAULT_PREFERENCE } from '#server/llm/routing/preference.ts'
import { renderModelsFile } from '../../world/upstream/models-file.ts'
import { startUpstream } from '../../world/upstream/upstream.ts'
import type { Upstream } from '../../world/upstream/upstream.ts'

let upstream: Upstream
let dir: string
beforeAll(async () => {
  upstream = await startUpstream()
  dir = await mkdtemp(join(tmpdir(), 'wenqu-drain-'))
})
afterAll(async () => {
  await upstream.close()
  await rm(dir, { recursive: true })
})

/** Stops an answer after its first text; returns the lines that the log gets afterwards. */
async function stopDuringAnswer(abortStopsBilling: boolean) {
  const lines: Record<string, unknown>[] = []
  const stream = new Writable({
    write(line: Buffer, _, done) {
      lines.push(JSON.parse(line.toString()) as Record<string, unknown>)
      done()
    },
  })
  const id = `stops-${abortStopsBilling}`
  const file = join(dir, `${id}.json`)
  await writeFile(file, upstream.renderModelsFile({ id, abort_stops_billing: abortStopsBilling }))
  const log = pino(stream)
  const catalogue = loadCatalogue({ file, env: { WENQU_OLLAMA: 'off' }, log })
  const llm = createLlm({ catalogue, log })
  const usage = { prompt_tokens: 7, completion_tokens: 40, total_tokens: 47 }
  upstream.script(id, { text: '一句话。'.repeat(10), chars: 4, every_ms: 20, usage })
  const stop = new AbortController()
  const received: string[] = []
  const stopped = llm.streamChat({
    plan: llm.planRoute(id, DEFAULT_PREFERENCE),
    request: { messages: [{ role: 'user', content: '?' }], max_tokens: 100 },
    signal: stop.signal,
    onAttempt: () => {},
    onPart: (part) => {
      if (part.type !== 'delta') return
      received.push(part.text)
      stop.abort(new Error('stopped'))
    },
  })
  await expect(stopped).rejects.toThrow('stopped')
  const request = upstream.requests.at(-1)!
  await expect.poll(() => request.answered || request.aborted).toBe(true)
  catalogue.close()
  return { received, request, lines }
}

test('a stopped answer is hung up on where that stops the bill', async () => {
  const { request } = await stopDuringAnswer(true)
  expect(request).toMatchObject({ aborted: true, answered: false })
})

test('where it does not, the caller is let go at once and the answer read on to its bill', async () => {
  const { received, request, lines } = await stopDuringAnswer(false)
  expect(received).toHaveLength(1)
  expect(request).toMatchObject({ aborted: false, answered: true })
  await expect
    .poll(() => lines.find(({ msg }) => msg === 'stopped answer read to its bill'))
    .toMatchObject({ usage: { input: 7, output: 40 } })
})

test('a picture that a run reads is closed when the run is stopped, also where the bill goes on', async () => {
  const server = createServer((socket) => void socket.pause().on('error', () => {})).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const file = join(dir, 'deaf.json')
  await writeFile(file, renderModelsFile(url, [{ id: 'deaf', abort_stops_billing: false }]))
  const log = pino({ level: 'silent' })
  const catalogue = loadCatalogue({ file, env: { WENQU_OLLAMA: 'off' }, log })
  onTestFinished(() => catalogue.close())
  const llm = createLlm({ catalogue, log })
  const stop = new AbortController()
  const endless = new Readable({ read: () => void endless.push(Buffer.alloc(65_536)) })
  const opened = Promise.withResolvers<void>()
  const open = (): Readable => {
    opened.resolve()
    return addAbortSignal(stop.signal, endless)
  }
  const data = new ByteSource({ size: 1e9, open })
  const content = [{ type: 'image' as const, media_type: 'image/png', data }]
  const stopped = llm.streamChat({
    plan: llm.planRoute('deaf', DEFAULT_PREFERENCE),
    request: { messages: [{ role: 'user', content }], max_tokens: 100 },
    signal: stop.signal,
    onAttempt: () => {},
    onPart: () => {},
  })
  await opened.promise
  stop.abort(new Error('stopped'))
  await expect(stopped).rejects.toThrow('stopped')
  await expect.poll(() => endless.destroyed).toBe(true)
})
