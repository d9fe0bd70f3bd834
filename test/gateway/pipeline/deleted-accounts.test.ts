import { sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { createCaller, userMessages } from '../caller.ts'
import { MODELS, useProviderWorld } from '../provider-world.ts'

// Runs that end at one time are settled together: keeping the answer of a deleted account must not stop that.

const world = useProviderWorld()
const model = MODELS.openai
const parameters = { type: 'object', properties: {} }

test.each<[string, object]>([
  [
    '/api/v1/chat/completions',
    { messages: userMessages('?'), tools: [{ type: 'function', function: { name: 'f', parameters } }] },
  ],
  ['/api/v1/responses', { input: '?' }],
])('at %s a call that ends after its account was deleted is settled all the same', async (path, asked) => {
  const caller = await createCaller(world)
  const call = { id: 'call_1', name: 'f', arguments: '{}' }
  world.upstream.script(model, { reasoning: '先查', tool_calls: [call], stall: 1 })
  const before = world.upstream.requests.length
  const response = caller.post({ model, ...asked, stream: true }, { path })
  await vi.waitFor(() => expect(world.upstream.requests.length).toBeGreaterThan(before))
  const { rows } = await world.db().execute<{ id: string; user_id: string }>(sql`
    SELECT id, user_id FROM runs WHERE subject_id = ${caller.key_id}`)
  const { id, user_id } = rows[0]!
  await world.db().execute(sql`DELETE FROM users WHERE id = ${user_id}`)
  world.upstream.release()
  expect(await (await response).text()).not.toContain('"error":{')
  const { rows: settled } = await world.db().execute(sql`SELECT state FROM runs WHERE id = ${id}`)
  expect(settled).toEqual([{ state: 'done' }])
})
