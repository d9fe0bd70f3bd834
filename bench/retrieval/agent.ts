import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentChatResponse, AgentReference } from '#contract/gateway/agent-chat.ts'
import { NOT_FOUND_ANSWER } from '#contract/agents/agent-defaults.ts'
import { upload } from '#test/files/upload.ts'
import { createCaller } from '#test/gateway/caller.ts'
import { CallError } from '#test/world/client.ts'
import type { Client } from '#test/world/client.ts'
import { startUpstream } from '#test/world/upstream/upstream.ts'
import { scriptedModels, startWorld } from '#test/world/world.ts'
import { watchLoop } from '../readers/loop.ts'
import { startModelDouble } from './model-double.ts'
import type { Embed } from './model-double.ts'

export type Files = Record<string, string | Uint8Array>
/** Models beside the search by words: a double of an embedding model, and one of a model that reranks. */
export type Models = { embed?: Embed; reranks?: boolean }
export type BenchAgent = Awaited<ReturnType<typeof openAgent>>

/**
 * Starts the real app with an agent whose sources are these files: uploaded, read and indexed as a person's are. A program asks
 * it through `POST /api/v1/agent/chat`. On PostgreSQL with DATABASE_URL.
 */
export async function openAgent(files: Files, { embed, reranks = false }: Models = {}) {
  let askedAt = 0
  const upstream = await startUpstream({
    answer: () => {
      askedAt = performance.now()
      return { text: NOT_FOUND_ANSWER }
    },
  })
  const double = await startModelDouble(embed)
  const world = await startWorld({
    models: () => renderModels(upstream.url, double.url),
    env: {
      SIGNUP_COINS: '100000',
      EMBEDDING_MODEL: embed ? 'scripted-embedding' : 'off',
      RERANK_MODEL: reranks ? 'scripted-rerank' : 'off',
    },
  })
  const owner = await world.user()
  const stopWatching = watchLoop()
  const before = performance.now()
  const embeds: { id: string }[] = []
  for (const [name, content] of Object.entries(files))
    embeds.push({ id: (await uploadPatiently(world, owner, { name, content, channel: 'zhiku' })).id })
  const body = { name: '检索', model: 'scripted', embeds }
  const { uuid } = await owner.call('POST /api/agent', { body })
  const sources = await waitUntilIndexed(owner, uuid)
  const seconds = (performance.now() - before) / 1000
  const delay = stopWatching()
  const caller = await createCaller(world, {}, owner)

  return {
    world,
    /** Time from the first upload until everything can be searched, and the main loop's delay meanwhile. */
    seconds,
    delay,
    chunks: sources.reduce((sum, { chunks }) => sum + chunks, 0),
    failed: sources.filter(({ status }) => status === 3).map(({ name }) => name),
    /**
     * Returns the passages given for the answer, the best one first; the duration of the call, and the time until the request to
     * the model, ms.
     */
    async ask(question: string): Promise<{ found: AgentReference[]; ms: number; search_ms: number }> {
      const start = performance.now()
      const response = await caller.post({ uuid, question }, { path: '/api/v1/agent/chat' })
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      const { reference } = (await response.json()) as AgentChatResponse
      return { found: reference, ms: performance.now() - start, search_ms: askedAt - start }
    },
    async close(): Promise<void> {
      await world.close()
      await upstream.close()
      double.close()
    },
  }
}

/** Uploads a file and tries again while the server refuses for the rate, a hundred files a minute. */
async function uploadPatiently(...[world, owner, file]: Parameters<typeof upload>) {
  for (;;) {
    try {
      return await upload(world, owner, file)
    } catch (error) {
      if (!(error instanceof CallError) || error.body.code !== 'rate_limited') throw error
      await sleep(2_000)
    }
  }
}

async function waitUntilIndexed(owner: Client, id: string) {
  for (;;) {
    const { status, embeds } = await owner.call('GET /api/agent/{id}/status', { params: { id } })
    if (status !== 1) return embeds
    await sleep(200)
  }
}

function renderModels(chatUrl: string, modelUrl: string): string {
  const { platforms, models } = scriptedModels(chatUrl)
  const double = { ...platforms[0]!, name: 'double', alias: 'double', base_url: modelUrl }
  const isDoubled = ({ type }: { type: string }): boolean => type === 'embedding' || type === 'rerank'
  return JSON.stringify({
    platforms: [...platforms, double],
    models: models.map((model) =>
      isDoubled(model)
        ? { ...model, offers: [{ platform: 'double', model: model.id, input: 1, output: 0 }] }
        : model,
    ),
  })
}
