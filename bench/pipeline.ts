import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import { migrate } from '#server/core/database/migrate.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createLog } from '#server/core/log.ts'
import { createAccount } from '#server/ledger/ledger.ts'
import { loadCatalogue, createLlm, DEFAULT_PREFERENCE } from '#server/llm/llm.ts'
import { createRuns } from '#server/runs/runs.ts'
import { createPostgresDatabase } from '#test/world/postgres.ts'
import { NO_HOOKS, scriptedModels } from '#test/world/world.ts'

// S1 for the pipeline itself: runs through hold, route, upstream over HTTP, stream log, settlement and record, beside the same
// calls without any of it. `node bench/pipeline.ts [runs] [at once]`; on PostgreSQL with DATABASE_URL.

const [RUNS, AT_ONCE] = [Number(process.argv[2] ?? 4000), Number(process.argv[3] ?? 64)]
const USERS = 50

const dataDir = await mkdtemp(join(tmpdir(), 'wenqu-bench-'))
const upstream = fork(new URL('pipeline/upstream.ts', import.meta.url), { stdio: 'inherit' })
const [port] = (await once(upstream, 'message')) as [number]
const file = join(dataDir, 'models.json')
await writeFile(file, JSON.stringify(scriptedModels(`http://127.0.0.1:${port}/v1`)))

const log = createLog('error')
const own = await createPostgresDatabase(process.env.DATABASE_URL)
const database = await openDatabase({ data_dir: dataDir, database_url: own?.url ?? null, log })
const { db } = database
await migrate(db)
const catalogue = loadCatalogue({ file, env: { SCRIPTED_KEY: 'k', WENQU_OLLAMA: 'off' }, log })
const llm = createLlm({ catalogue, log })
const runs = createRuns({
  db,
  llm,
  max_given: 1_000_000_000n,
  alert: () => undefined,
  log,
  exclusive: true,
  completion_hooks: NO_HOOKS,
})
await runs.recover()

const users: { user_id: string; account_id: string }[] = []
for (let nth = 0; nth < USERS; nth++) {
  const userId = createId()
  const accountId = await db.transaction((tx) => createAccount(tx, userId, 10n ** 15n))
  users.push({ user_id: userId, account_id: accountId })
}
const prompt = { messages: [{ role: 'user' as const, content: '源头在哪里？' }], max_tokens: 1000 }
const model = 'scripted-paid'

/** Executes one run with everything on; resolves when it is settled and recorded. */
async function executeRun(index: number): Promise<void> {
  const payer = users[index % USERS]!
  const request = {
    ...payer,
    kind: 'gateway' as const,
    subject_id: createId(),
    model,
    prompt,
    budgets: [],
    free: false,
  }
  const run = await runs.createBatched({ ...request, preference: DEFAULT_PREFERENCE })
  const signal = new AbortController().signal
  run.start()
  await runs.waitForEnd(run.run_id, signal)
}

/** Makes the same call without any record of it. */
async function answerWithoutLedger(): Promise<void> {
  const signal = new AbortController().signal
  const plan = llm.planRoute(model, DEFAULT_PREFERENCE)
  await llm.streamChat({ plan, request: prompt, signal, onAttempt: () => {}, onPart: () => {} })
}

async function measure(name: string, call: (nth: number) => Promise<void>) {
  const syncedBefore = await countSyncs(db)
  const before = { cpu: process.cpuUsage(), at: performance.now() }
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < RUNS) await call(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  const seconds = (performance.now() - before.at) / 1000
  const { user, system } = process.cpuUsage(before.cpu)
  const cpu = (user + system) / 1e6
  const synced = (await countSyncs(db)) - syncedBefore
  return {
    pipeline: name,
    'runs/s': Math.round(RUNS / seconds),
    'runs/s per core': Math.round(RUNS / cpu),
    'CPU ms/run': Number(((cpu * 1000) / RUNS).toFixed(3)),
    'fsyncs/1000 runs': Math.round((synced / RUNS) * 1000),
  }
}

/** Fsyncs of PostgreSQL's log so far; the embedded database does not count its own. */
async function countSyncs(on: Db): Promise<number> {
  if (database.kind === 'pglite') return NaN
  // A backend reports its counts only after a moment of idleness.
  await sleep(1500)
  const { rows } = await on.execute<{ n: string }>(sql`SELECT wal_sync::text AS n FROM pg_stat_wal`)
  return Number(rows[0]!.n)
}

await measure('warm-up', answerWithoutLedger)
await measure('warm-up', executeRun)
console.table([
  await measure('without ledger and record', answerWithoutLedger),
  await measure('everything on', executeRun),
])
const { rows } = await db.execute(
  sql`SELECT count(*)::int AS bills, count(*) FILTER (WHERE amount <= 0)::int AS free FROM runs
    WHERE usage_source IS NOT NULL`,
)
console.log(`${database.kind}; ${RUNS} runs, ${AT_ONCE} at once; bills written: ${JSON.stringify(rows[0])}`)

await runs.stop()
catalogue.close()
upstream.kill()
await database.close()
await own?.drop()
await rm(dataDir, { recursive: true })
