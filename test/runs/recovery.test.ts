import { serializePrices } from '#server/core/prices.ts'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createId } from '#server/core/ids.ts'
import { createLog } from '#server/core/log.ts'
import { createAccount, FREE_PRICES, getFunds } from '#server/ledger/ledger.ts'
import { createLlm, DEFAULT_PREFERENCE, loadCatalogue } from '#server/llm/llm.ts'
import type { Catalogue } from '#server/llm/llm.ts'
import { createRuns } from '#server/runs/runs.ts'
import type { CompletionHooks, Runs } from '#server/runs/runs.ts'
import { expectLedgerInvariants } from '../ledger/invariants.ts'
import { holdAll, settleAll } from '../ledger/hold-and-settle.ts'
import { useOwnWorld } from '../world/use-world.ts'
import { NO_HOOKS } from '../world/world.ts'

// Runs that an earlier process left behind; some cannot be settled: all others are, and the server starts.

const COIN = 1_000_000n

const world = useOwnWorld()
let catalogue: Catalogue
beforeAll(() => {
  const env = { SCRIPTED_KEY: 'k', WENQU_OLLAMA: 'off' }
  const file = join(world.data_dir, 'models.json')
  catalogue = loadCatalogue({ file, env, log: createLog('silent') })
})
afterAll(() => catalogue.close())

type Orphan = { run_id: string; user_id: string }

/**
 * Creates a run of a process that is silent from here on, with a hold of 5 coins and the text 甲乙丙 at one coin a call. Exclusive
 * runs recover it at once; the world's own server leaves it alone for 15 s, unless it was `silent` before.
 */
async function createOrphan(
  kind: string,
  { prices, silent = '0 s' }: { prices?: object; silent?: string } = {},
): Promise<Orphan> {
  const db = world.db()
  const [runId, userId, hostId] = [createId(), createId(), createId()]
  const accountId = await db.transaction((tx) => createAccount(tx, userId, 10n * COIN))
  await holdAll(db, [{ id: runId, account_id: accountId, amount: 5n * COIN }])
  const perCall = { ...FREE_PRICES, per_call: COIN }
  const stored = prices ?? serializePrices(perCall)
  await db.execute(sql`INSERT INTO run_hosts (id, seen_at) VALUES (${hostId}, now() - ${silent}::interval)`)
  await db.execute(sql`
    UPDATE runs SET kind = ${kind}, model = 'flat', input_tokens = 10, prices = ${JSON.stringify(stored)}::jsonb,
      host_id = ${hostId} WHERE id = ${runId}`)
  await db.execute(
    sql`INSERT INTO run_chunks (run_id, seq, text, replace) VALUES (${runId}, 0, '甲乙丙', false)`,
  )
  return { run_id: runId, user_id: userId }
}

async function getState({ run_id }: Orphan): Promise<string> {
  const { rows } = await world
    .db()
    .execute<{ state: string }>(sql`SELECT state FROM runs WHERE id = ${run_id}`)
  return rows[0]!.state
}

const getBalances = async (orphans: Orphan[]) =>
  Promise.all(orphans.map(({ user_id }) => getFunds(world.db(), user_id)))

/** Starts runs on the database of the world; collects the log. */
function createRecoveringRuns(completionHooks: CompletionHooks): { runs: Runs; lines: string[] } {
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) })
  const llm = createLlm({ catalogue, log })
  return {
    runs: createRuns({
      db: world.db(),
      llm,
      max_given: 1_000_000_000n,
      alert: () => undefined,
      log,
      completion_hooks: completionHooks,
      exclusive: true,
    }),
    lines,
  }
}

/** Starts a run at one coin for a person with 10. */
async function startRun(runs: Runs, kind: 'chat' | 'title'): Promise<Orphan> {
  const userId = createId()
  const accountId = await world.db().transaction((tx) => createAccount(tx, userId, 10n * COIN))
  const prompt = { messages: [{ role: 'user' as const, content: '?' }], max_tokens: 100 }
  const payer = { user_id: userId, account_id: accountId, budgets: [] }
  const request = { ...payer, kind, subject_id: createId(), model: 'flat', prompt, free: false }
  const run = await runs.createBatched({ ...request, preference: DEFAULT_PREFERENCE })
  run.start()
  return { run_id: run.run_id, user_id: userId }
}

const SETTLED = { balance: 9n * COIN, free: 9n * COIN, gift: 9n * COIN }
const HELD = { balance: 10n * COIN, free: 5n * COIN, gift: 10n * COIN }

test('a run of a kind that no code knows is settled at the start, with one line in the log', async () => {
  const [unknown, known] = [await createOrphan('palmistry'), await createOrphan('title')]
  const { runs, lines } = createRecoveringRuns(NO_HOOKS)
  await runs.recover()
  await runs.stop()
  expect([await getState(unknown), await getState(known)]).toEqual(['interrupted', 'interrupted'])
  expect(await getBalances([unknown, known])).toEqual([SETTLED, SETTLED])
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ run_id: unknown.run_id, kind: 'palmistry' }),
  ])
  await expectLedgerInvariants(world.db())
})

test('an answer that only thought when its process died is paid for, one that had not begun is not', async () => {
  const [thought, silent] = [await createOrphan('title'), await createOrphan('title')]
  await world
    .db()
    .execute(sql`UPDATE run_chunks SET text = '', reasoning = '想' WHERE run_id = ${thought.run_id}`)
  await world.db().execute(sql`UPDATE run_chunks SET text = '' WHERE run_id = ${silent.run_id}`)
  const { runs } = createRecoveringRuns(NO_HOOKS)
  await runs.recover()
  await runs.stop()
  const [paid, unpaid] = await getBalances([thought, silent])
  expect([paid!.balance, unpaid!.balance]).toEqual([9n * COIN, 10n * COIN])
})

test('the server listens again over runs of an unknown kind and with unreadable prices', async () => {
  const silent = '1 minute'
  const unknown = await createOrphan('palmistry', { silent })
  const broken = await createOrphan('title', { prices: { input: 'much' }, silent })
  await world.restart()
  // This happens at the start of the embedded database; on PostgreSQL, which others may use, in the sweeper's first round.
  await expect.poll(() => getState(unknown)).toBe('interrupted')
  expect(await getState(broken)).toBe('running')
  expect(await getBalances([unknown, broken])).toEqual([SETTLED, HELD])
  await settleAll(world.db(), [{ run_id: broken.run_id, void: true }])
})

test('a completion hook that throws leaves its run to a later round and holds up no other', async () => {
  const [failing, other] = [await createOrphan('chat'), await createOrphan('title')]
  const first = createRecoveringRuns({
    ...NO_HOOKS,
    chat: () => () => Promise.reject(new Error('no disk')),
  })
  await first.runs.recover()
  await first.runs.stop()
  expect([await getState(failing), await getState(other)]).toEqual(['running', 'interrupted'])
  expect(first.lines).toEqual([expect.stringContaining(failing.run_id)])
  const second = createRecoveringRuns(NO_HOOKS)
  await second.runs.recover()
  await second.runs.stop()
  expect(await getState(failing)).toBe('interrupted')
  expect(await getBalances([failing, other])).toEqual([SETTLED, SETTLED])
})

test('a run whose completion hook always throws holds up no stop, and is settled at the next start', async () => {
  world.upstream.script('flat', { text: '好' })
  const chat = () => () => Promise.reject(new Error('no disk'))
  const first = createRecoveringRuns({ ...NO_HOOKS, chat })
  await first.runs.recover()
  const run = await startRun(first.runs, 'chat')
  const end = first.runs.waitForEnd(run.run_id, new AbortController().signal)
  await expect.poll(() => first.lines.length).toBeGreaterThan(0)
  await first.runs.stop()
  expect(await end).toMatchObject({ state: 'interrupted' })
  expect(await getState(run)).toBe('running')
  const second = createRecoveringRuns(NO_HOOKS)
  await second.runs.recover()
  await second.runs.stop()
  expect(await getState(run)).toBe('interrupted')
  expect(await getBalances([run])).toEqual([SETTLED])
})

test('a run that is stopped and cannot be settled holds up no other that another process asks to stop', async () => {
  world.upstream.script('flat', { text: '水'.repeat(2_000), chars: 1, every_ms: 50 })
  const chat = () => () => Promise.reject(new Error('no disk'))
  const { runs } = createRecoveringRuns({ ...NO_HOOKS, chat })
  await runs.recover()
  const failing = await startRun(runs, 'chat')
  const other = await startRun(runs, 'title')
  await world
    .db()
    .execute(sql`UPDATE runs SET stop_asked = true WHERE id IN (${failing.run_id}, ${other.run_id})`)
  await expect.poll(() => getState(other), { interval: 200 }).toBe('cancelled')
  expect(await getState(failing)).toBe('running')
  await runs.stop()
  await settleAll(world.db(), [{ run_id: failing.run_id, void: true }])
})

test('runs that end at the same moment are settled although one of them cannot be', async () => {
  world.upstream.script('flat', { text: '好' })
  let isFailing = true
  const chat = () => () => (isFailing ? Promise.reject(new Error('no disk')) : Promise.resolve())
  const { runs } = createRecoveringRuns({ ...NO_HOOKS, chat, title: () => () => Promise.resolve() })
  await runs.recover()
  const userId = createId()
  const accountId = await world.db().transaction((tx) => createAccount(tx, userId, 10n * COIN))
  const execute = async (kind: 'chat' | 'title'): Promise<string> => {
    const prompt = { messages: [{ role: 'user' as const, content: '?' }], max_tokens: 100 }
    const payer = { user_id: userId, account_id: accountId, budgets: [] }
    const request = { ...payer, kind, subject_id: createId(), model: 'flat', prompt, free: false }
    const run = await runs.createBatched({ ...request, preference: DEFAULT_PREFERENCE })
    const { result } = await run.executeTo({ type: 'buffer' })
    return result.state
  }
  const failing = execute('chat')
  expect(await Promise.all(Array.from({ length: 6 }, () => execute('title')))).toEqual(
    Array.from({ length: 6 }, () => 'done'),
  )
  isFailing = false
  expect(await failing).toBe('done')
  await runs.stop()
  expect(await getFunds(world.db(), userId)).toEqual({
    balance: 3n * COIN,
    free: 3n * COIN,
    gift: 3n * COIN,
  })
})
