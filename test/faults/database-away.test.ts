import { once } from 'node:events'
import { createConnection, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { isDatabaseAway } from '#server/core/database/connection-error.ts'
import type { Db } from '#server/core/database/database.ts'
import { openPostgres } from '#server/core/database/postgres.ts'
import { createId } from '#server/core/ids.ts'
import { createLog } from '#server/core/log.ts'
import { createAccount } from '#server/ledger/ledger.ts'
import { createLlm, DEFAULT_PREFERENCE, loadCatalogue } from '#server/llm/llm.ts'
import { createRuns } from '#server/runs/runs.ts'
import { createCaller, userMessages } from '../gateway/caller.ts'
import { createPostgresDatabase } from '../world/postgres.ts'
import { useWorld } from '../world/use-world.ts'
import { NO_HOOKS, startWorld } from '../world/world.ts'

const COIN = 1_000_000n
const { DATABASE_URL: serverUrl, POSTGRES_TEMPLATE } = process.env

test.each([
  [Object.assign(new Error('x', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) })), true],
  [new AggregateError([Object.assign(new Error(), { code: 'ECONNREFUSED' })]), true],
  [Object.assign(new Error('terminating connection'), { code: '57P01' }), true],
  [new Error('Connection terminated unexpectedly'), true],
  [Object.assign(new Error('duplicate key'), { code: '23505' }), false],
  [new TypeError('x is not a function'), false],
])('%s says that the database is away: %s', (error, expected) => {
  expect(isDatabaseAway(error)).toBe(expected)
})

/** A connection to PostgreSQL that tests can cut and mend, and on which connecting may take long. */
async function createCable({ hostname, port: serverPort }: URL, { delay_ms = 0 } = {}) {
  const sockets = new Set<Socket>()
  let word: string | null = null
  const connect = async (socket: Socket): Promise<void> => {
    socket.on('error', () => {})
    sockets.add(socket)
    await sleep(delay_ms)
    if (socket.destroyed) return
    const far = createConnection(Number(serverPort || 5432), hostname)
    for (const [end, other] of [
      [socket, far],
      [far, socket],
    ] as const) {
      sockets.add(end)
      end.on('error', () => other.destroy()).on('close', () => other.destroy())
      end.on('data', (bytes) => {
        if (!word || !bytes.includes(word)) return void other.write(bytes)
        word = null
        end.destroy()
      })
    }
  }
  const createListener = () => createServer((socket) => void connect(socket))
  let server = createListener().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    /** Cuts a connection as soon as this text goes through it. */
    cutAt(next: string): void {
      word = next
    },
    async cut() {
      server.close()
      for (const socket of sockets) socket.destroy()
      sockets.clear()
      await once(server, 'close')
    },
    async mend() {
      server = createListener().listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
  }
}

const log = createLog('silent')
/** Used for its models. */
const world = useWorld()

/** Starts a process that executes a run, on a connection of its own. */
async function createHost(url: string) {
  const { db, close } = await openPostgres(url, log)
  const env = { SCRIPTED_KEY: 'k', WENQU_OLLAMA: 'off' }
  const catalogue = loadCatalogue({ file: join(world.data_dir, 'models.json'), env, log })
  const errors: string[] = []
  const ownLog = pino({ level: 'error' }, { write: (line: string) => errors.push(line) })
  const llm = createLlm({ catalogue, log })
  const runs = createRuns({
    db,
    llm,
    max_given: 1_000_000_000n,
    alert: () => undefined,
    log: ownLog,
    completion_hooks: NO_HOOKS,
    exclusive: false,
  })
  await runs.recover()
  const userId = createId()
  const run = await runs.createBatched({
    user_id: userId,
    account_id: await db.transaction((tx) => createAccount(tx, userId, 10n * COIN)),
    budgets: [],
    kind: 'title',
    subject_id: createId(),
    model: 'flat',
    prompt: { messages: [{ role: 'user', content: '?' }], max_tokens: 5000 },
    preference: DEFAULT_PREFERENCE,
    free: false,
  })
  run.start()
  return {
    run_id: run.run_id,
    cancel: () => runs.cancel(run.run_id),
    hasMissedSign: () => errors.some((line) => line.includes('INSERT INTO run_hosts')),
    async close() {
      await runs.stop()
      catalogue.close()
      await close()
    },
  }
}

const getStates = async (db: Db) => {
  const { rows } = await db.execute<{ state: string }>(sql`SELECT state FROM runs`)
  return rows.map(({ state }) => state)
}

// The embedded database is lost only together with its process.
describe.each(serverUrl ? [serverUrl] : [])('while PostgreSQL is away', (server) => {
  test('every door answers 503 with Retry-After, and goes on when it is back', async () => {
    const database = (await createPostgresDatabase(server, POSTGRES_TEMPLATE))!
    const url = new URL(database.url)
    const cable = await createCable(url)
    url.host = `127.0.0.1:${cable.port}`
    const world = await startWorld({ env: { DATABASE_URL: url.href }, connect_limit_ms: 5_000 })
    try {
      world.upstream.script('scripted', { text: '好' })
      const user = await world.user()
      const caller = await createCaller(world)
      const json = (method: string, body: object) => ({
        method,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      const asked = { model: 'scripted', messages: userMessages('问') }
      const requests: [string, number, () => Promise<Response>][] = [
        ['a page', 503, () => user.fetch('/chat')],
        ['a list', 503, () => user.fetch('/api/chat/sessions')],
        ['a question', 503, () => user.fetch('/api/chat/create', json('POST', { prompt: '问' }))],
        ['a guest', 503, () => world.visitor().fetch('/api/chat/create', json('POST', { prompt: '问' }))],
        ['a code', 503, () => world.visitor().fetch('/auth/vcode', json('POST', { email: 'a@example.com' }))],
        [
          'signing in',
          503,
          () => world.visitor().fetch('/login', json('POST', { email: 'a@b.cn', code: '123456' })),
        ],
        ['a share', 503, () => world.visitor().fetch('/share/none')],
        ['being ready', 503, () => world.visitor().fetch('/readyz')],
        ['a completion', 503, () => caller.post(asked)],
        ['a message', 529, () => caller.post({ ...asked, max_tokens: 9 }, { path: '/api/v1/messages' })],
        ['the models', 503, () => caller.get('/api/v1/models')],
      ]
      await cable.cut()
      for (const [name, status, send] of requests) {
        const response = await send()
        expect([name, response.status]).toEqual([name, status])
        expect(Number(response.headers.get('Retry-After')), name).toBeGreaterThan(0)
        expect(await response.text(), name).toMatch(/服务暂时不可用/)
      }
      // A person sees a page that goes on by itself.
      const seen = await user.fetch('/chat?sess_id=x', { headers: { Accept: 'text/html' } })
      expect([seen.status, seen.headers.get('Retry-After')]).toEqual([503, '5'])
      expect(await seen.text()).toContain('"component":"Processing"')
      await cable.mend()
      await expect.poll(async () => (await user.fetch('/readyz')).status).toBe(200)
      expect((await user.ask('问')).text).toBe('好')
      expect((await caller.post(asked)).status).toBe(200)
    } finally {
      await world.close()
      await cable.cut()
      await database.drop()
    }
  })

  test('a transaction whose connection breaks fails, whether it has begun or not, and ends nothing else', async () => {
    const database = (await createPostgresDatabase(server, POSTGRES_TEMPLATE))!
    const url = new URL(database.url)
    const cable = await createCable(url)
    url.host = `127.0.0.1:${cable.port}`
    const own = await openPostgres(url.href, createLog('silent'))
    try {
      // More transactions than connections, so that a missing one would be noticed.
      for (let n = 0; n < 12; n++) {
        const [begun, cut] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
        const failed = own.db.transaction(async (tx) => {
          await tx.execute(sql`SELECT 1`)
          begun.resolve()
          // The connection breaks either without a statement under way or with one.
          if (n % 2) await tx.execute(sql`SELECT pg_sleep(10)`)
          else await cut.promise
        })
        failed.catch(() => {})
        await begun.promise
        await cable.cut()
        cut.resolve()
        await expect(failed).rejects.toSatisfy(isDatabaseAway)
        await cable.mend()
      }
      for (let n = 0; n < 12; n++) {
        cable.cutAt('begin')
        await expect(own.db.transaction(async () => {})).rejects.toSatisfy(isDatabaseAway)
      }
      expect(await own.db.transaction(async (tx) => (await tx.execute(sql`SELECT 1 AS one`)).rows)).toEqual([
        { one: 1 },
      ])
    } finally {
      await own.close()
      await cable.cut()
      await database.drop()
    }
  })

  test('one that is slow to answer is waited for at the start longer than by a request', async () => {
    const database = (await createPostgresDatabase(server, POSTGRES_TEMPLATE))!
    const url = new URL(database.url)
    const cable = await createCable(url, { delay_ms: 6_000 })
    url.host = `127.0.0.1:${cable.port}`
    const own = await openPostgres(url.href, log)
    const answered = own.db.execute(sql`SELECT pg_sleep(6)`).then(({ rows }) => rows.length)
    // The existing connection is taken meanwhile; another one takes too long.
    await expect(own.db.execute(sql`SELECT 1`)).rejects.toSatisfy(isDatabaseAway)
    expect(await answered).toBe(1)
    await own.close()
    await cable.cut()
    await database.drop()
  })

  test('processes that could not reach it take neither each other nor themselves for dead', async () => {
    world.upstream.script('flat', { text: '水'.repeat(2_000), chars: 1, every_ms: 50 })
    const database = (await createPostgresDatabase(server, POSTGRES_TEMPLATE))!
    const url = new URL(database.url)
    const straight = await openPostgres(database.url, log)
    const cable = await createCable(url)
    url.host = `127.0.0.1:${cable.port}`
    const first = await createHost(url.href)
    // When the database is back, the first process has a round before this one's sign of life.
    const isHalfWay = () =>
      straight.db.execute(sql`SELECT 1 FROM run_hosts WHERE seen_at < now() - interval '2 seconds'`)
    await expect.poll(async () => (await isHalfWay()).rows).toHaveLength(1)
    const second = await createHost(url.href)
    const hosts = [first, second]
    try {
      await cable.cut()
      await expect.poll(() => hosts.every(({ hasMissedSign }) => hasMissedSign())).toBe(true)
      // The database was away so long that both count as dead.
      await straight.db.execute(sql`UPDATE run_hosts SET seen_at = now() - interval '1 minute'`)
      await cable.mend()
      const listSilent = () =>
        straight.db.execute(sql`SELECT 1 FROM run_hosts WHERE seen_at < now() - interval '15 seconds'`)
      await expect.poll(async () => (await listSilent()).rows).toEqual([])
      expect(await getStates(straight.db)).toEqual(['running', 'running'])
      await Promise.all(hosts.map(({ cancel }) => cancel()))
      expect(await getStates(straight.db)).toEqual(['cancelled', 'cancelled'])
    } finally {
      for (const host of hosts) await host.close()
      await cable.cut()
      await straight.close()
      await database.drop()
    }
  })
})
