import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadCatalogue } from '#server/llm/catalogue/catalogue.ts'
import { createLlm, DEFAULT_PREFERENCE } from '#server/llm/llm.ts'
import type { Llm } from '#server/llm/llm.ts'
import { startUpstream } from '#test/world/upstream/upstream.ts'
import type { Upstream } from '#test/world/upstream/upstream.ts'
import { createRequest, collectStream } from './provider-call.ts'
import type { CollectedStream } from './provider-call.ts'

const MODELS = [
  { id: 'x' },
  { id: 'farui-x' },
  { id: 'claude-x', dialect: 'anthropic' },
  { id: 'gemini-x', dialect: 'gemini' },
] as const

async function createTestLlm(): Promise<{ upstream: Upstream; llm: Llm; warned: unknown[] }> {
  const upstream = await startUpstream()
  const folder = mkdtempSync(join(tmpdir(), 'wenqu-llm-'))
  const file = join(folder, 'models.json')
  writeFileSync(file, upstream.renderModelsFile(...MODELS))
  const warned: unknown[] = []
  const log = { info: () => {}, warn: (fields: unknown) => void warned.push(fields), error: () => {} }
  const catalogue = loadCatalogue({ file, env: { WENQU_OLLAMA: 'off' }, log })
  onTestFinished(async () => {
    catalogue.close()
    rmSync(folder, { recursive: true })
    await upstream.close()
  })
  return { upstream, llm: createLlm({ catalogue, log }), warned }
}

function streamChat(llm: Llm, modelId: string): Promise<CollectedStream> {
  return collectStream((onPart) =>
    llm.streamChat({
      plan: llm.planRoute(modelId, DEFAULT_PREFERENCE),
      request: createRequest('问题'),
      signal: new AbortController().signal,
      onAttempt: () => {},
      onPart: (part) => (part.type === 'offer' ? undefined : onPart(part)),
    }),
  )
}

test('a chat request reaches the platform of an offer in its dialect, and its response comes back', async () => {
  const { upstream, llm } = await createTestLlm()
  upstream.script('farui-x', { text: '依照民法典第一条', chars: 2, cumulative: true })
  for (const [id, text] of [
    ['x', '问题'],
    ['farui-x', '依照民法典第一条'],
    ['claude-x', '问题'],
    ['gemini-x', '问题'],
  ] as const) {
    expect(await streamChat(llm, id)).toMatchObject({ text, error: null })
  }
  expect(upstream.requests.map(({ path }) => path)).toEqual([
    '/v1/chat/completions',
    '/v1/chat/completions',
    '/v1/messages',
    '/v1/models/gemini-x:streamGenerateContent?alt=sse',
  ])
  expect(upstream.requests.every(({ answered }) => answered)).toBe(true)
})

test('the operator is told of usage that cannot be true', async () => {
  const { upstream, llm, warned } = await createTestLlm()
  upstream.script('x', { text: 'ok', usage: { prompt_tokens: -1, completion_tokens: 1 } })
  await streamChat(llm, 'x')
  expect(warned).toEqual([
    {
      platform: 'script-x',
      model: 'x',
      reported: '{"input":-1,"output":1,"cached":0,"reasoning":0,"cache_write":0,"audio":{},"image":{}}',
    },
  ])
})
