import { expect, vi } from 'vitest'
import type { AgentForm } from '#contract/agents/agents.ts'
import { upload } from '../files/upload.ts'
import type { Client } from '../world/client.ts'
import type { World } from '../world/world.ts'

/** An agent of somebody's that answers from these texts or files, once they can be searched. */
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
  await vi.waitFor(
    async () => {
      const { status } = await owner.call('GET /api/agent/{id}/status', { params: { id: uuid } })
      expect(status).not.toBe(1)
    },
    { timeout: 45_000 },
  )
  return { uuid, chatbot: `zhiku-${uuid}`, blocks }
}
