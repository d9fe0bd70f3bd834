import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createId } from '#server/core/ids.ts'
import type { AppError } from '#server/core/app-error.ts'
import { createLog } from '#server/core/log.ts'
import { getFunds, createAccount } from '#server/ledger/ledger.ts'
import { loadCatalogue, createLlm, createSpeechOperation, DEFAULT_PREFERENCE } from '#server/llm/llm.ts'
import type { Catalogue } from '#server/llm/llm.ts'
import { createRuns } from '#server/runs/runs.ts'
import type { RunHandle, RunRequest, RunResult, Runs } from '#server/runs/runs.ts'
import { expectLedgerInvariants } from '../ledger/invariants.ts'
import { createSound } from '../world/upstream/operations.ts'
import { useOwnWorld } from '../world/use-world.ts'
import { NO_HOOKS } from '../world/world.ts'

// The pipeline by itself, as chat, gateway and voice use it: on the database and the upstream of a world.

const COIN = 1_000_000n

const world = useOwnWorld()
let catalogue: Catalogue
let runs: Runs
beforeAll(async () => {
  const log = createLog('silent')
  const env = { SCRIPTED_KEY: 'k', WENQU_OLLAMA: 'off' }
  catalogue = loadCatalogue({ file: join(world.data_dir, 'models.json'), env, log })
  const llm = createLlm({ catalogue, log })
  runs = createRuns({
    db: world.db(),
    llm,
    max_given: 1_000_000_000n,
    alert: () => undefined,
    log,
    completion_hooks: NO_HOOKS,
    exclusive: false,
  })
  await runs.recover()
})
afterAll(async () => {
  await runs.stop()
  catalogue.close()
})

/** Opens one run of the model that costs one coin a call. */
const openRun = (userId: string, accountId: string): Promise<RunHandle> =>
  runs.createBatched({
    user_id: userId,
    account_id: accountId,
    budgets: [],
    kind: 'gateway',
    subject_id: createId(),
    model: 'flat',
    prompt: { messages: [{ role: 'user', content: '?' }], max_tokens: 100 },
    preference: DEFAULT_PREFERENCE,
    free: false,
  })

async function startRun(userId: string, accountId: string): Promise<string> {
  const run = await openRun(userId, accountId)
  run.start()
  return run.run_id
}

/** Returns the end of a run. */
async function waitForEnd(runId: string): Promise<Pick<RunResult, 'state' | 'text'>> {
  const end = await runs.waitForEnd(runId, AbortSignal.timeout(20_000))
  if (!end) throw new Error('the run did not end')
  return end
}

test('of 200 runs at once against a balance for 10 exactly 10 run, and the balance is never below zero', async () => {
  world.upstream.script('flat', { text: '一个字一个字地说', chars: 1, every_ms: 10 })
  const userId = createId()
  const accountId = await world.db().transaction((tx) => createAccount(tx, userId, 10n * COIN))
  const samples: bigint[] = []
  let watching = true
  const watch = (async () => {
    while (watching) {
      const { balance, free } = await getFunds(world.db(), userId)
      samples.push(balance, free)
    }
  })()
  const before = world.upstream.requests.length
  const spends = await Promise.allSettled(
    Array.from({ length: 200 }, async () => (await waitForEnd(await startRun(userId, accountId))).state),
  )
  watching = false
  await watch
  expect(spends.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  for (const one of spends) {
    if (one.status === 'rejected') expect((one.reason as AppError).code).toBe('insufficient_balance')
    else expect(one.value).toBe('done')
  }
  expect(world.upstream.requests.length - before).toBe(10)
  expect(samples.length).toBeGreaterThan(10)
  expect(samples.reduce((least, one) => (one < least ? one : least))).toBe(0n)
  expect(await getFunds(world.db(), userId)).toEqual({ balance: 0n, free: 0n, gift: 0n })
  await expectLedgerInvariants(world.db())
})

test(
  'races of spending and cancelling end with every coin in its place',
  { timeout: 3_600_000 },
  async () => {
    const rounds = process.env.FAULTS_FULL ? 1_000 : 12
    world.upstream.script('flat', { text: '说到一半', chars: 1, every_ms: 3 })
    for (let round = 0; round < rounds; round++) {
      const userId = createId()
      const coins = BigInt(1 + (round % 7))
      const accountId = await world.db().transaction((tx) => createAccount(tx, userId, coins * COIN))
      const ends = await Promise.all(
        Array.from({ length: 12 }, (_, nth) =>
          spendOrCancel({ user_id: userId, account_id: accountId }, nth % 3 === 0).catch(
            (error: AppError) => error.code,
          ),
        ),
      )
      const charged = ends.filter((end) => end === 'charged').length
      expect(BigInt(charged)).toBeLessThanOrEqual(coins)
      const left = (coins - BigInt(charged)) * COIN
      expect(await getFunds(world.db(), userId)).toEqual({ balance: left, free: left, gift: left })
    }
    await expectLedgerInvariants(world.db())
  },
)

/** Starts a run that may be stopped at some moment, from two sides at once. */
async function spendOrCancel(
  { user_id, account_id }: { user_id: string; account_id: string },
  stopped: boolean,
): Promise<string> {
  const runId = await startRun(user_id, account_id)
  if (stopped) {
    await sleep(Math.random() * 15)
    await Promise.all([runs.cancel(runId), runs.cancel(runId)])
  }
  const { text } = await waitForEnd(runId)
  const { rows } = await world.db().execute(sql`
    SELECT 1 FROM runs WHERE id = ${runId} AND usage_source IS NOT NULL`)
  expect(rows.length === 1).toBe(text !== '')
  return rows.length ? 'charged' : 'free'
}

test('who waits for a run before it is executed, as it ends or just after it is told what the platform said', async () => {
  const error = { message: 'Context length exceeded', code: 'context_length_exceeded' }
  world.upstream.script('flat', { status: 400, body: JSON.stringify({ error }) })
  const userId = createId()
  const accountId = await world.db().transaction((tx) => createAccount(tx, userId, COIN))
  const run = await openRun(userId, accountId)
  const before = waitForEnd(run.run_id)
  const settled = run.executeTo({ type: 'buffer' })
  const meanwhile = waitForEnd(run.run_id)
  await settled
  const ends = await Promise.all([before, meanwhile, waitForEnd(run.run_id)])
  const told = { state: 'failed', rejection: { message: 'Context length exceeded' } }
  expect(ends).toMatchObject([told, told, told])
})

test('a feature of the server has a text read aloud as the gateway does', async () => {
  const userId = createId()
  const accountId = await world.db().transaction((tx) => createAccount(tx, userId, COIN))
  const run = await runs.createBatched(toSpeech({ user_id: userId, account_id: accountId }))
  const { result } = await run.executeTo({ type: 'buffer' })
  expect(result.state).toBe('done')
  expect(result.operation_output).toEqual({
    type: 'bytes',
    media_type: 'audio/mpeg',
    bytes: createSound('源头活水'),
  })
  // 4 characters at 20,000 coins a million.
  expect((await getFunds(world.db(), userId)).balance).toBe(COIN - 80_000n)
  await expectLedgerInvariants(world.db())
})

test('a run whose caller has left before it is executed ends at once, and costs nothing', async () => {
  const userId = createId()
  const accountId = await world.db().transaction((tx) => createAccount(tx, userId, COIN))
  world.upstream.script('scripted-tts', { stall: 'headers' })
  const run = await runs.createBatched(toSpeech({ user_id: userId, account_id: accountId }))
  const { result, charged } = await run.executeTo({ type: 'buffer' }, AbortSignal.abort())
  expect(result.state).toBe('cancelled')
  expect(charged).toBe(0n)
  expect((await getFunds(world.db(), userId)).balance).toBe(COIN)
  await expectLedgerInvariants(world.db())
})

/** Makes the request of a text to read aloud. */
const toSpeech = (payer: { user_id: string; account_id: string }): RunRequest => ({
  ...payer,
  budgets: [],
  kind: 'gateway',
  subject_id: createId(),
  model: 'scripted-tts',
  operation: createSpeechOperation({ input: '源头活水', voice: 'alloy' }),
  preference: DEFAULT_PREFERENCE,
  free: false,
})

test('an answer that is lost on the way to its reader costs nothing, however much of it came', async () => {
  world.upstream.script('flat', { text: '一半和另一半', chars: 2 })
  const userId = createId()
  const accountId = await world.db().transaction((tx) => createAccount(tx, userId, 10n * COIN))
  const run = await openRun(userId, accountId)
  const pieces: unknown[] = []
  const onPart = (part: object): void => {
    pieces.push(part)
    if (pieces.length === 2) throw new Error('nobody can write this')
  }
  const { result, charged } = await run.executeTo({ type: 'stream', onPart, isTextNeeded: () => false })
  expect([result.state, result.code, result.billable, charged]).toEqual(['failed', 'internal', false, 0n])
  expect((await getFunds(world.db(), userId)).balance).toBe(10n * COIN)
})
