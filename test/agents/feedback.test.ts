import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Feedback } from '#contract/chat.ts'
import { expectCallError, type Client } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'
import { createAgent } from './agent.ts'

const world = useOwnWorld({ env: { EMBEDDING_MODEL: 'scripted-embedding', RERANK_MODEL: 'scripted-rerank' } })

const NONE = { inaccurate: 0, incomplete: 0, off_topic: 0, outdated: 0, unclear: 0, harmful: 0 }

test('an owner reads how many liked the answers of an agent and why others did not, and nobody else does', async () => {
  const owner = await world.user()
  const { uuid, chatbot } = await createAgent(
    world,
    owner,
    { '手册.md': '小船每小时租金 30 元。' },
    { visible: 2 },
  )
  const params = { id: uuid }
  const count = async (by: Client) => (await by.call('GET /api/agent/{id}/feedback', { params })).data
  const none = { up: 0, down: 0 }
  expect(await count(owner)).toEqual({ all: none, recent: none, reasons: NONE })

  const rate = async (body: Partial<Feedback> & Pick<Feedback, 'rating'>): Promise<string> => {
    const reader = await world.user()
    world.upstream.script('scripted', { text: '30 元。' })
    const { sess_id } = await reader.ask('多少钱？', { chatbot })
    const { messages } = await reader.call('GET /api/chat/messages', { query: { sess_id } })
    const { id } = messages[1]!
    await reader.call('PUT /api/chat/message/{id}/feedback', { params: { id }, body })
    expect((await expectCallError(count(reader))).status).toBe(404)
    return id
  }
  await rate({ rating: 'up' })
  await rate({ rating: 'down', reasons: ['outdated', 'unclear'], text: '只给自己看' })
  const old = await rate({ rating: 'down', reasons: ['outdated'] })
  await world.db().execute(sql`
    UPDATE chat_messages SET created_at = now() - interval '40 days' WHERE id = ${old}`)
  expect(await count(owner)).toEqual({
    all: { up: 1, down: 2 },
    recent: { up: 1, down: 1 },
    reasons: { ...NONE, outdated: 2, unclear: 1 },
  })
})
