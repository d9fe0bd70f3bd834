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
import { useOwnWorld } from '../world/use-world.ts'
import { NO_HOOKS } from '../world/world.ts'

// The database carries out a commit, and its answer gets lost.

const COIN = 1_000_000n
const log = createLog('silent')

const world = useOwnWorld()
let catalogue: Catalogue
beforeAll(() => {
  const env = { SCRIPTED_KEY: 'k', WENQU_OLLAMA: 'off' }
  catalogue = loadCatalogue({ file: join(world.data_dir, 'models.json'), env, log })
})
afterAll(() => catalogue.close())

/** Wraps the database of the world: the answer to the commit of its first transaction gets lost. */
function createForgetfulDatabase(): Db {
  const db = world.db()
  let isLost = false
  const transaction: Db['transaction'] = async (...args) => {
    const result = await db.transaction(...args)
    if (isLost) return result
    isLost = true
    throw new Error('Connection terminated unexpectedly')
  }
  return new Proxy(db, { get: (_, key) => (key === 'transaction' ? transaction : Reflect.get(db, key, db)) })
}

const createForgetfulRuns = () =>
  createRuns({
    max_given: 1_000_000_000n,
    alert: () => undefined,
    db: createForgetfulDatabase(),
    llm: createLlm({ catalogue, log }),
    log,
    completion_hooks: { ...NO_HOOKS, chat: () => () => Promise.resolve() },
    exclusive: false,
  })

/** Creates a request of a person with 10 coins, who pays one a call. */
async function createRequest() {
  const userId = createId()
  const accountId = await world.db().transaction((tx) => createAccount(tx, userId, 10n * COIN))
  return {
    user_id: userId,
    account_id: accountId,
    budgets: [],
    kind: 'chat' as const,
    subject_id: createId(),
    model: 'flat',
    prompt: { messages: [{ role: 'user' as const, content: '?' }], max_tokens: 100 },
    preference: DEFAULT_PREFERENCE,
    free: false,
  }
}

type Account = { user_id: string; account_id: string }
const left = (coins: number) => {
  const amount = BigInt(coins) * COIN
  return { balance: amount, free: amount, gift: amount }
}
const getStates = async ({ account_id }: Account) => {
  const { rows } = await world
    .db()
    .execute<{ state: string }>(sql`SELECT state FROM runs WHERE account_id = ${account_id}`)
  return rows.map(({ state }) => state)
}

test.each([1, 3])('of %i runs that end together each ends as it was stored', async (count) => {
  world.upstream.script('flat', { text: '好' })
  const runs = createForgetfulRuns()
  const request = await createRequest()
  const execute = async () => (await runs.createBatched(request)).executeTo({ type: 'buffer' })
  const settled = await Promise.all(Array.from({ length: count }, execute))
  await runs.stop()
  expect(await getStates(request)).toEqual(settled.map(() => 'done'))
  expect(settled.map(({ result, charged }) => [result.state, result.text, charged])).toEqual(
    settled.map(() => ['done', '好', COIN]),
  )
  expect(await getFunds(world.db(), request.user_id)).toEqual(left(10 - count))
})

test('a run that is held and was never started gives its coins back when it is stopped, or after a minute', async () => {
  world.upstream.script('flat', { text: '水'.repeat(2_000), chars: 1, every_ms: 50 })
  const holdOnly = async () => {
    const request = await createRequest()
    const db = createForgetfulDatabase()
    await expect(db.transaction((tx) => runs.create(tx, request))).rejects.toThrow('Connection terminated')
    expect(await getFunds(world.db(), request.user_id)).toEqual({ ...left(10), free: 9n * COIN })
    return request
  }
  const change = ({ account_id }: Account, column: 'stop_asked' | 'started_at') =>
    world
      .db()
      .execute(
        column === 'stop_asked'
          ? sql`UPDATE runs SET stop_asked = true WHERE account_id = ${account_id}`
          : sql`UPDATE runs SET started_at = now() - interval '61 seconds' WHERE account_id = ${account_id}`,
      )
  const runs = createForgetfulRuns()
  await runs.recover()
  const [stopped, old, young] = [await holdOnly(), await holdOnly(), await holdOnly()]
  const executed = await createRequest()
  ;(await runs.createBatched(executed)).start()
  await change(stopped, 'stop_asked')
  await change(old, 'started_at')
  await change(executed, 'started_at')
  for (const request of [stopped, old]) {
    await expect.poll(() => getStates(request), { interval: 200 }).toEqual(['interrupted'])
    expect(await getFunds(world.db(), request.user_id)).toEqual(left(10))
  }
  expect([await getStates(young), await getStates(executed)]).toEqual([['running'], ['running']])
  await runs.stop()
})
