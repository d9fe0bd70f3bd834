import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { AppError } from '#server/core/app-error.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import type { Database } from '#server/core/database/database.ts'
import { createId } from '#server/core/ids.ts'
import { createJobQueue } from '#server/core/jobs.ts'
import type { JobQueue } from '#server/core/jobs.ts'
import { createLog } from '#server/core/log.ts'
import { createTasks } from '#server/tasks/tasks.ts'
import type { TaskEnd, TaskExecution, TaskQueue } from '#server/tasks/tasks.ts'
import { createTestDatabase } from '../world/template.ts'
import { exhaustDelays, passDelays } from './delays.ts'

const log = createLog('silent')
type Payload = { name: string; parts: number }

let dataDir: string
let own: Awaited<ReturnType<typeof createTestDatabase>>
let database: Database
let jobs: JobQueue

/** Starts a process that works on tasks: each waits at each of its parts until the test lets it go on. */
const createWorker = async (limits = { max_running: 4, max_per_user: 2 }) => {
  let silence = Promise.resolve()
  const underWay = new Set<Promise<unknown>>()
  let refusal: Error | null = null
  let refusals = 0
  /** While the process is silent, its statements wait, its signs of life included. */
  const db = new Proxy(database.db, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (key !== 'execute' && key !== 'transaction') return value
      return (...args: unknown[]) => {
        const answer = silence.then(() => {
          if (!refusal) return (value as (...args: unknown[]) => unknown).apply(target, args)
          refusals++
          throw refusal
        })
        underWay.add(answer)
        const forget = () => underWay.delete(answer)
        answer.then(forget, forget)
        return answer
      }
    },
  })
  /** Lets the process hang, with nothing under way; returns a function that lets it come back. */
  const fallSilent = async (): Promise<() => void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    silence = promise
    await Promise.allSettled(underWay)
    return resolve
  }
  const tasks = createTasks({ db, jobs, log, exclusive: true, limits })
  const logOfParts: string[] = []
  const ends: [name: string, end: TaskEnd][] = []
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const getGate = (name: string) => {
    if (!gates.has(name)) gates.set(name, Promise.withResolvers())
    return gates.get(name)!
  }
  const executeParts = async ({ payload, done, signal, saveProgress }: TaskExecution<Payload>) => {
    const { name, parts } = payload
    for (let part = done + 1; part <= parts; part++) {
      logOfParts.push(`${name}${part}`)
      const aborted = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      )
      await Promise.race([getGate(`${name}${part}`).promise, aborted])
      await database.db.transaction((tx) => saveProgress(tx, { done: part, total: parts, cost: 5n }))
    }
  }
  const queue: TaskQueue<Payload> = tasks.define<Payload>({
    kind: 'parts',
    payload: z.object({ name: z.string(), parts: z.number() }),
    execute: executeParts,
    onRetry: async () => {},
    readResult: async () => null,
    onEnd: async (_tx, payload, end) => void ends.push([payload.name, end]),
  })
  const open = (...names: string[]): void => names.forEach((name) => getGate(name).resolve())
  const until = (...parts: string[]) => expect.poll(() => logOfParts).toEqual(expect.arrayContaining(parts))
  const renewGate = (name: string): void => void gates.delete(name)
  /** Has the statements of the process fail, as those of a database that is away. */
  const failStatements = (error: Error | null): void => void (refusal = error)
  const countRefusals = (): number => refusals
  return {
    tasks,
    queue,
    parts: logOfParts,
    ends,
    open,
    getGate,
    renewGate,
    until,
    fallSilent,
    failStatements,
    countRefusals,
  }
}
type Worker = Awaited<ReturnType<typeof createWorker>>

const createUser = () => ({ user_id: createId(), account_id: createId(), budgets: [] })
const add = async (
  { queue }: Worker,
  owner: { user_id: string; account_id: string; budgets: string[] },
  name: string,
  parts = 1,
) => {
  const id = await database.db.transaction((tx) => queue.create(tx, owner, { name, parts }, name))
  queue.start()
  return id
}
const find = async ({ tasks }: Worker, { user_id }: { user_id: string }, id: string) =>
  (await tasks.list(user_id, [id])).get(id)!

const findRow = async (id: string) =>
  (await database.db.execute(sql`SELECT state, code, done, delays FROM tasks WHERE id = ${id}`)).rows[0]

beforeAll(async () => {
  dataDir = await mkdtemp(join(process.env.TEST_FOLDER ?? tmpdir(), 'tasks-'))
  own = await createTestDatabase(dataDir)
  database = await openDatabase({ data_dir: dataDir, database_url: own?.url ?? null, log })
  jobs = await createJobQueue(database, log)
  await jobs.define('tasks', async () => {})
})
afterAll(async () => {
  await jobs.stop()
  await database.close()
  await own?.drop()
  await rm(dataDir, { recursive: true, force: true })
})

test('a task runs, reports how far it is and what it has cost, and ends once', async () => {
  const worker = await createWorker()
  await worker.tasks.start()
  const owner = createUser()
  const id = await add(worker, owner, 'a', 2)
  await worker.until('a1')
  expect(await find(worker, owner, id)).toMatchObject({ state: 'running', done: 0, cost: 0n })
  worker.open('a1')
  await worker.until('a2')
  const halfWay = await find(worker, owner, id)
  expect(halfWay).toMatchObject({ state: 'running', done: 1, total: 2, cost: 5n })
  expect(halfWay.seconds_left).toBeGreaterThanOrEqual(0)
  worker.open('a2')
  // The end is reported within the transaction, and visible after its commit.
  await expect.poll(() => find(worker, owner, id)).toMatchObject({ state: 'done', done: 2, cost: 10n })
  expect(worker.ends).toEqual([['a', { state: 'done', code: null }]])
  expect((await worker.tasks.list(createId(), [id])).size).toBe(0)
  await worker.tasks.stop()
})

test('of one person two run at once, and nobody waits behind all tasks of somebody else', async () => {
  const worker = await createWorker({ max_running: 3, max_per_user: 2 })
  const [many, few] = [createUser(), createUser()]
  for (const name of ['m', 'n', 'o', 'p']) await add(worker, many, name)
  await add(worker, few, 'f')
  await add(worker, few, 'g')
  await worker.tasks.start()
  await expect.poll(() => worker.parts).toHaveLength(3)
  expect(worker.parts.toSorted()).toEqual(['f1', 'm1', 'n1'])
  worker.open('m1')
  await expect.poll(() => worker.parts).toHaveLength(4)
  // Each person has one running: the next task is of the person who has waited longest since a start.
  worker.open('f1', 'g1', 'n1', 'o1', 'p1')
  await expect.poll(() => worker.ends).toHaveLength(6)
  await worker.tasks.stop()
})

test('one that waits and one that runs can be stopped; retried, it goes on from its last finished part', async () => {
  const worker = await createWorker({ max_running: 1, max_per_user: 1 })
  await worker.tasks.start()
  const owner = createUser()
  const running = await add(worker, owner, 'r', 2)
  const waiting = await add(worker, owner, 'w')
  worker.open('r1')
  await worker.until('r2')
  await worker.tasks.cancel(createId(), running)
  await worker.tasks.cancel(owner.user_id, waiting)
  expect(worker.ends).toEqual([['w', { state: 'cancelled', code: null }]])
  await worker.tasks.cancel(owner.user_id, running)
  expect(worker.ends).toHaveLength(2)
  expect(await find(worker, owner, running)).toMatchObject({ state: 'cancelled', done: 1 })
  const retry = (userId: string) =>
    database.db.transaction((tx) => worker.tasks.retry(tx, { ...owner, user_id: userId }, running))
  expect([await retry(createId()), await retry(owner.user_id), await retry(owner.user_id)]).toEqual([
    false,
    true,
    false,
  ])
  worker.queue.start()
  worker.open('r2')
  await expect.poll(() => worker.ends).toHaveLength(3)
  expect(worker.parts).toEqual(['r1', 'r2', 'r2'])
  await worker.tasks.stop()
})

test('one that throws fails with its reason', async () => {
  const worker = await createWorker()
  const owner = createUser()
  const [x, y] = [await add(worker, owner, 'x'), await add(worker, owner, 'y')]
  await worker.tasks.start()
  await worker.until('x1', 'y1')
  worker.getGate('x1').reject(new AppError('document_damaged'))
  worker.getGate('y1').reject(new Error('a bug'))
  const [damaged, broken] = [
    { state: 'failed', code: 'document_damaged' },
    { state: 'failed', code: 'internal' },
  ]
  await expect.poll(() => find(worker, owner, x)).toMatchObject(damaged)
  await expect.poll(() => find(worker, owner, y)).toMatchObject(broken)
  expect(worker.ends).toHaveLength(2)
  await worker.tasks.stop()
})

test('one that fails through no fault of its own waits for another try; what it finishes meanwhile stays', async () => {
  const worker = await createWorker()
  const owner = createUser()
  const id = await add(worker, owner, 'q', 2)
  await worker.tasks.start()
  worker.open('q1')
  await worker.until('q2')
  worker.getGate('q2').reject(new AppError('storage_unavailable'))
  const delayed = { state: 'waiting', code: 'storage_unavailable', done: 1, delays: 1 }
  await expect.poll(() => findRow(id)).toMatchObject(delayed)
  expect(worker.ends).toEqual([])
  worker.renewGate('q2')
  worker.open('q2')
  await passDelays(database.db)
  worker.queue.start()
  await expect.poll(() => worker.ends).toEqual([['q', { state: 'done', code: null }]])
  expect(worker.parts).toEqual(['q1', 'q2', 'q2'])
  await worker.tasks.stop()
})

test('one that waits for another try can be stopped, and fails with its last reason in the end', async () => {
  const worker = await createWorker()
  const owner = createUser()
  const [t, u] = [await add(worker, owner, 't'), await add(worker, owner, 'u')]
  await worker.tasks.start()
  await worker.until('t1', 'u1')
  for (const name of ['t1', 'u1']) worker.getGate(name).reject(new AppError('document_interrupted'))
  await expect.poll(() => findRow(t)).toMatchObject({ state: 'waiting', delays: 1 })
  await expect.poll(() => findRow(u)).toMatchObject({ state: 'waiting', delays: 1 })
  await worker.tasks.cancel(owner.user_id, t)
  expect(worker.ends).toEqual([['t', { state: 'cancelled', code: null }]])
  await exhaustDelays(database.db)
  worker.queue.start()
  await expect.poll(() => worker.ends).toHaveLength(2)
  expect(worker.ends[1]).toEqual(['u', { state: 'failed', code: 'document_interrupted' }])
  await worker.tasks.stop()
})

test('one whose failure cannot be stored, since the database is away, waits for it', async () => {
  const worker = await createWorker()
  const owner = createUser()
  const id = await add(worker, owner, 'v')
  await worker.tasks.start()
  await worker.until('v1')
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  worker.failStatements(away)
  worker.getGate('v1').reject(away)
  await expect.poll(worker.countRefusals).toBeGreaterThan(0)
  worker.failStatements(null)
  await expect
    .poll(() => findRow(id), { timeout: 20_000 })
    .toMatchObject({ state: 'waiting', code: 'unavailable' })
  expect(worker.ends).toEqual([])
  await worker.tasks.stop()
})

test('one whose process stops or dies goes on elsewhere, and whoever was taken for dead writes no more', async () => {
  const first = await createWorker()
  await first.tasks.start()
  const owner = createUser()
  const id = await add(first, owner, 's', 3)
  first.open('s1')
  await first.until('s2')
  await first.tasks.stop()
  expect(await find(first, owner, id)).toMatchObject({ state: 'waiting', done: 1 })

  const second = await createWorker()
  await second.tasks.start()
  await second.until('s2')
  // The next process finds its task, and the second one comes back too late.
  const comeBack = await second.fallSilent()
  const third = await createWorker()
  await third.tasks.start()
  await third.until('s2')
  comeBack()
  second.open('s2')
  third.open('s2')
  await third.until('s3')
  expect(second.parts).toEqual(['s2'])
  third.open('s3')
  await expect.poll(() => third.ends).toEqual([['s', { state: 'done', code: null }]])
  expect(second.ends).toEqual([])
  expect(await find(third, owner, id)).toMatchObject({ done: 3, cost: 15n })
  await Promise.all([second.tasks.stop(), third.tasks.stop()])
})

test('one that ends whoever works on it fails after three times without a finished part', async () => {
  const owner = createUser()
  const silent: { worker: Worker; comeBack: () => void }[] = []
  for (let start = 1; start <= 3; start++) {
    const worker = await createWorker()
    if (start === 1) await add(worker, owner, 'k')
    await worker.tasks.start()
    await worker.until('k1')
    silent.push({ worker, comeBack: await worker.fallSilent() })
  }
  const last = await createWorker()
  await last.tasks.start()
  expect(last.ends).toEqual([['k', { state: 'failed', code: 'task_interrupted' }]])
  silent.forEach(({ comeBack }) => comeBack())
  await Promise.all([last, ...silent.map(({ worker }) => worker)].map(({ tasks }) => tasks.stop()))
})
