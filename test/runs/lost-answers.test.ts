import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '#server/core/database/database.ts'
import { createId } from '#server/core/ids.ts'
import { createLog } from '#server/core/log.ts'
import { createAccount, getFunds } from '#server/ledger/ledger.ts'
import { createLlm, DEFAULT_PREFERENCE, loadCatalogue } from '#server/llm/llm.ts'
import type { Catalogue } from '#server/llm/llm.ts'
import { createRuns } from '#server/runs/runs.ts'
import { useWorld } from '../world/use-world.ts'
import { NO_HOOKS } from '../world/world.ts'

// The database does what it is asked, and its answer gets lost.

const COIN = 1_000_000n
const log = createLog('silent')

const world = useWorld()
let catalogue: Catalogue
beforeAll(() => {
  const env = { SCRIPTED_KEY: 'k', WENQU_OLLAMA: 'off' }
  catalogue = loadCatalogue({ file: join(world.data_dir, 'models.json'), env, log })
})
afterAll(() => catalogue.close())

/** The database of the world; the answer to the commit of its first transaction gets lost. */
function createForgetfulDatabase(): Db {
  const db = world.db()
  let is_lost = false
  const transaction: Db['transaction'] = async (...args) => {
    const result = await db.transaction(...args)
    if (is_lost) return result
    is_lost = true
    throw new Error('Connection terminated unexpectedly')
  }
  return new Proxy(db, { get: (_, key) => (key === 'transaction' ? transaction : Reflect.get(db, key, db)) })
}

test.each([1, 3])('of %i runs that end together each ends as it was stored', async (count) => {
  world.upstream.script('flat', { text: '好' })
  const runs = createRuns({
    db: createForgetfulDatabase(),
    llm: createLlm({ catalogue, log }),
    log,
    completion_hooks: { ...NO_HOOKS, chat: () => () => Promise.resolve() },
    exclusive: false,
  })
  const user_id = createId()
  const account_id = await world.db().transaction((tx) => createAccount(tx, user_id, 10n * COIN))
  const execute = async () => {
    const run = await runs.createBatched({
      user_id,
      account_id,
      budgets: [],
      kind: 'chat',
      subject_id: createId(),
      model: 'flat',
      prompt: { messages: [{ role: 'user', content: '?' }], max_tokens: 100 },
      preference: DEFAULT_PREFERENCE,
      free: false,
    })
    return run.executeTo({ type: 'buffer' })
  }
  const settled = await Promise.all(Array.from({ length: count }, execute))
  await runs.stop()
  const { rows } = await world
    .db()
    .execute<{ state: string }>(sql`SELECT state FROM runs WHERE account_id = ${account_id}`)
  expect(rows).toEqual(settled.map(() => ({ state: 'done' })))
  expect(settled.map(({ result, charged }) => [result.state, result.text, charged])).toEqual(
    settled.map(() => ['done', '好', COIN]),
  )
  const left = (10n - BigInt(count)) * COIN
  expect(await getFunds(world.db(), user_id)).toEqual({ balance: left, free: left })
})
