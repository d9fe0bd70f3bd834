import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { FOR_OPERATORS } from '#server/core/config.ts'
import { ZHIKU } from '#contract/chatbot.ts'
import { agentForm } from '#contract/agents/agents.ts'
import { PUBLIC } from '#contract/agents/agent-defaults.ts'
import type { Blocks } from '#server/documents/blocks/blocks.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Users } from '#server/accounts/users/users.ts'
import { insertAgent, listKnownAgents, replaceBlocks } from './store.ts'

/** Account that owns the operator's own agents: nobody signs in to it, and it has no coins. */
const OWNER_ID = '019a5b00-0000-7000-8000-0000000000ff'

const { name, desc, category_id } = agentForm.shape
const fileSchema = z.strictObject({
  /** Display name of their owner. */
  owner: z.string().min(1).max(50),
  agents: z.array(
    z.strictObject({
      /** Uuid of the agent; an existing agent stays as it is. */
      id: z.uuid(),
      name,
      desc,
      category_id,
      welcome_prompt: z.string().max(2_000),
      suggest_prompts: z.array(z.string().min(1).max(200)).max(10),
      /** Markdown files, by their paths beside this file. */
      sources: z.array(z.string().min(1)).min(1),
    }),
  ),
})
export type SeedAgents = z.output<typeof fileSchema> & { folder: string }

/** Reads AGENTS_FILE; null where there is none. Throws an Error that names the file and its mistake. */
export function loadSeedAgents(file: string): SeedAgents | null {
  try {
    return {
      ...fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')), FOR_OPERATORS),
      folder: dirname(file),
    }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new Error(`cannot read the agents in ${file}: ${String(cause)}`, { cause })
  }
}

/**
 * Creates the operator's public agents that do not exist yet; their sources are read and indexed by tasks. It may be broken off
 * at any moment and called again, by several processes too.
 */
export async function seedAgents(
  { db, blocks, users }: { db: Db; blocks: Blocks; users: Users },
  { owner: ownerName, agents, folder }: SeedAgents,
): Promise<void> {
  const ids = agents.map(({ id }) => id)
  const knownIds = new Set(await listKnownAgents(db, ids))
  if (knownIds.size === ids.length) return
  const owner = { ...(await users.ensureSystemAccount(OWNER_ID, ownerName)), budgets: [] }
  for (const { id, sources, ...agent } of agents.filter((one) => !knownIds.has(one.id))) {
    const sourceIds: string[] = []
    for (const [nth, source] of sources.entries()) {
      const bytes = readFileSync(resolve(folder, source))
      const title = sources.length > 1 ? `${agent.name} ${nth + 1}.md` : `${agent.name}.md`
      const file = { name: title, type: 'text/markdown', channel: ZHIKU, bytes }
      sourceIds.push((await blocks.saveBytes(owner, file)).id)
    }
    await db.transaction(async (tx) => {
      const { settings, store_mode: _, draft: __, embeds: ___, ...form } = agentForm.parse(agent)
      const fields = { ...form, ...settings.chat, ...agent, visible: PUBLIC, refer_source: true } as const
      if (await insertAgent(tx, { ...fields, id, user_id: owner.user_id }))
        await replaceBlocks(tx, id, sourceIds)
    })
  }
}
