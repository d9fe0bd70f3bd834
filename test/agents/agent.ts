import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentForm } from '#contract/agents/agents.ts'
import { upload } from '../files/upload.ts'
import type { Client } from '../world/client.ts'
import type { World } from '../world/world.ts'

/** Creates an agent that answers from these texts or files, and waits until they can be searched. */
export async function createAgent(
  world: Pick<World, 'url'>,
  owner: Client,
  texts: Record<string, string | Uint8Array>,
  form: Partial<AgentForm> = {},
): Promise<{ uuid: string; chatbot: string; blocks: string[] }> {
  const blocks: string[] = []
  for (const [name, content] of Object.entries(texts))
    blocks.push((await upload(world, owner, { name, content, channel: 'zhiku' })).id)
  const body = { name: '渠水', model: 'scripted', embeds: blocks.map((id) => ({ id })), ...form }
  const { uuid } = await owner.call('POST /api/agent', { body })
  const isReading = async (): Promise<boolean> =>
    (await owner.call('GET /api/agent/{id}/status', { params: { id: uuid } })).status === 1
  // Waits as long as the calling test: on a busy machine much is read at a time. Benchmarks call this, too, without Vitest.
  while (await isReading()) await sleep(50)
  return { uuid, chatbot: `zhiku-${uuid}`, blocks }
}
