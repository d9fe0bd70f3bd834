import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Database, Db } from './database.ts'
import type { Log } from '../log.ts'
import { DatabaseOpenError } from './open-error.ts'
import { createTransactionGuard } from './transaction-guard.ts'

const MAX_CONNECTIONS = 10
/** Longest time to connect, ms: on a machine that is starting everything at once, and later, while somebody waits. */
const OPEN_LIMIT_MS = 30_000
const CONNECT_LIMIT_MS = 5_000

/** Opens a pool of connections to PostgreSQL. Throws DatabaseOpenError when it can't be reached. */
export async function openPostgres(
  url: string,
  log: Log,
  connectLimitMs = CONNECT_LIMIT_MS,
): Promise<Database> {
  const guard = createTransactionGuard()
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: OPEN_LIMIT_MS,
    keepAlive: true,
  })
  // Without a listener, a broken connection would end the process, whether idle or in a transaction.
  pool.on('connect', (client) =>
    client.on('error', (err) => log.warn({ err }, 'a database connection was lost')),
  )
  // The pool repeats the errors of idle connections.
  pool.on('error', () => {})
  try {
    await pool.query('SELECT 1')
    pool.options.connectionTimeoutMillis = connectLimitMs
  } catch (cause) {
    await pool.end()
    // Only the host: the URL contains a password.
    throw new DatabaseOpenError(
      'database_unreachable',
      `无法连接 DATABASE_URL 指定的 PostgreSQL / cannot connect to PostgreSQL at DATABASE_URL: ${new URL(url).host}: ${describeCause(cause)}`,
      cause,
    )
  }
  const guarded = new Proxy(pool, {
    get(target, key) {
      // A query outside of a transaction takes a connection of its own, too.
      if (key === 'connect') guard.assertOutside()
      return Reflect.get(target, key, target) as unknown
    },
  })
  const db = drizzle(guarded) as unknown as Db
  const connections = new WeakMap<pg.PoolClient, Db>()
  // Drizzle takes a connection for a transaction and does not return it when BEGIN fails.
  db.transaction = async (callback, config) => {
    const client = await guarded.connect()
    const clientDb = connections.get(client) ?? drizzle(client)
    connections.set(client, clientDb)
    try {
      return await clientDb.transaction((tx) => guard.runInside(() => callback(tx)), config)
    } finally {
      // The pool drops a broken one.
      client.release()
    }
  }
  return {
    kind: 'postgres',
    url,
    db,
    async ping() {
      await pool.query('SELECT 1')
    },
    close: () => pool.end(),
  }
}

/** An AggregateError (every address refused) has an empty message. */
const describeCause = (cause: unknown): string => {
  const { message, code } = cause as { message?: string; code?: string }
  return message || code || String(cause)
}
