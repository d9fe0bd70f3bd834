import { once } from 'node:events'
import { createConnection, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { isDatabaseAway } from '#server/core/database/connection-error.ts'
import { openPostgres } from '#server/core/database/postgres.ts'
import { createLog } from '#server/core/log.ts'
import { createCaller, userMessages } from '../gateway/caller.ts'
import { createPostgresDatabase } from '../world/postgres.ts'
import { startWorld } from '../world/world.ts'

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

/** A way to PostgreSQL that can be cut and mended. */
async function createCable({ hostname, port: server_port }: URL) {
  const sockets = new Set<Socket>()
  let word: string | null = null
  const createListener = () =>
    createServer((socket) => {
      const far = createConnection(Number(server_port || 5432), hostname)
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
    })
  let server = createListener().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    /** Cuts a connection as soon as this goes through it. */
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

// The embedded database is lost only together with its process.
describe.each(serverUrl ? [serverUrl] : [])('while PostgreSQL is away', (server) => {
  test('every door answers 503 with Retry-After, and goes on when it is back', async () => {
    const database = (await createPostgresDatabase(server, POSTGRES_TEMPLATE))!
    const url = new URL(database.url)
    const cable = await createCable(url)
    url.host = `127.0.0.1:${cable.port}`
    const world = await startWorld({ env: { DATABASE_URL: url.href } })
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
      // A person is shown a page that goes on by itself.
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
      // More of them than there are connections, so that one that is never given back would be missed.
      for (let n = 0; n < 12; n++) {
        const [begun, cut] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
        const failed = own.db.transaction(async (tx) => {
          await tx.execute(sql`SELECT 1`)
          begun.resolve()
          // Nothing is asked while the connection breaks, or something is.
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
})
