import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sql } from 'drizzle-orm'
import { loadSeedAgents } from '#server/assistants/agents/agents.ts'
import { expectCallError } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'

const world = useOwnWorld({
  env: { AGENTS_FILE: 'config/agents.json', EMBEDDING_MODEL: 'scripted-embedding' },
})
const seed = loadSeedAgents('config/agents.json')!

async function listReady() {
  const list = async () => (await world.visitor().call('GET /api/agents', { query: { size: 30 } })).items
  await expect.poll(async () => (await list()).map(({ status }) => status)).toEqual(seed.agents.map(() => 2))
  return list()
}

test('the public agents that come with the house are there for everybody, read and indexed, and cost nobody anything', async () => {
  const items = await listReady()
  expect(items.map(({ name }) => name)).toEqual(seed.agents.map(({ name }) => name))
  for (const agent of items) {
    expect(agent).toMatchObject({ owner: { name: '问渠' }, owned: false, public: true, refer_source: true })
    expect(agent.settings.chat.suggest_prompts).toHaveLength(3)
  }
  const { rows } = await world.db().execute<{ sum: string }>(sql`SELECT count(*)::text AS sum FROM runs`)
  expect(rows[0]!.sum).toBe('0')
})

test('they are nobody’s to change, and made once', async () => {
  const [first] = await listReady()
  const client = await world.user()
  const params = { id: first!.uuid }
  expect((await expectCallError(client.call('DELETE /api/agent/{id}', { params }))).status).toBe(404)
  await world.restart()
  expect(await listReady()).toEqual(await listReady())
})

test('a file that is not there makes none, a bad one stops the start with its name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wenqu-agents-'))
  const file = join(folder, 'agents.json')
  try {
    expect(loadSeedAgents(file)).toBeNull()
    await writeFile(file, '{"owner":"问渠","agents":[{"id":"1"}]}')
    expect(() => loadSeedAgents(file)).toThrow(file)
  } finally {
    await rm(folder, { recursive: true })
  }
})
