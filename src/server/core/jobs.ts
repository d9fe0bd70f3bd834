import { sql } from 'drizzle-orm'
import { fromDrizzle, fromPglite, PgBoss } from 'pg-boss'
import type { ConstructorOptions } from 'pg-boss'
import type { Database, Db } from './database.ts'
import type { Log } from './log.ts'

type Handler = (data: object, job: { id: string; signal: AbortSignal }) => Promise<void>

type JobOptions = {
  /** Further tries after the first one fails. */
  retryLimit?: number
  /** Seconds before the next try. */
  retryDelay?: number
  /** Jobs of this name that run at once in this process. */
  concurrency?: number
}

export type Jobs = {
  /** Names a kind of job and says what it does; before anything is sent. Twice the same job is possible: be idempotent. */
  define(name: string, handler: Handler, options?: JobOptions): Promise<void>
  /** Enqueues, as part of `tx` where one is given: then the job exists exactly if the transaction commits. */
  send(name: string, data: object, options?: { tx?: Db }): Promise<void>
  /** Enqueues by a cron expression (minutes, Asia/Shanghai), once over all processes. */
  schedule(name: string, cron: string): Promise<void>
  /** Begins to work; call it when the server listens. */
  start(): Promise<void>
  /** Lets running jobs end. Before the database is closed. */
  stop(): Promise<void>
}

const pollSeconds = 0.5
const noJob = '00000000-0000-0000-0000-000000000000'
/** Seconds without a sign of life after which a job counts as failed: its process was killed. */
const heartbeatSeconds = 20
const superviseSeconds = 15
const defaults = { retryLimit: 3, retryDelay: 5, concurrency: 1 }

/** Opens the queue; its tables are made when they are missing. Nothing is worked on before `start`. */
export async function openJobs(database: Database, log: Log): Promise<Jobs> {
  const boss = new PgBoss({
    ...connection(database),
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    // With notifications on, retries did not run; polling alone is fast enough.
    useListenNotify: false,
  })
  boss.on('error', (error) => log.error({ err: error }, 'the job queue failed'))
  boss.on('warning', (warning) => log.warn({ warning }, 'the job queue warns'))
  await boss.start()

  const defined = new Map<string, { handler: Handler; options: typeof defaults }>()
  const optionsOf = (name: string): typeof defaults => {
    const job = defined.get(name)
    if (!job) throw new Error(`the job ${name} is not defined`)
    return job.options
  }
  const settings = (name: string) => {
    const { retryLimit, retryDelay } = optionsOf(name)
    return { retryLimit, retryDelay, retryBackoff: true, heartbeatSeconds }
  }

  return {
    async define(name, handler, options = {}) {
      defined.set(name, { handler, options: { ...defaults, ...options } })
      if (await boss.getQueue(name)) return
      await boss.createQueue(name)
      // Any look-up fills pg-boss's cache of queues, so that a send inside a transaction asks nothing outside of it.
      await boss.findJobs(name, { id: noJob })
    },

    async send(name, data, { tx } = {}) {
      await boss.send(name, data, { ...settings(name), ...(tx ? { db: fromDrizzle(tx, sql) } : {}) })
    },

    async schedule(name, cron) {
      await boss.schedule(name, cron, {}, { ...settings(name), tz: 'Asia/Shanghai' })
    },

    async start() {
      for (const [name, { handler, options }] of defined) {
        const polling = { pollingIntervalSeconds: pollSeconds, localConcurrency: options.concurrency }
        await boss.work<object>(name, polling, async ([job]) => {
          if (job) await handler(job.data, { id: job.id, signal: job.signal })
        })
      }
    },

    stop: () => boss.stop(),
  }
}

function connection(database: Database): ConstructorOptions {
  if (database.kind === 'pglite') return { backend: 'pglite', db: fromPglite(database.client) }
  return { connectionString: database.url, max: 2 }
}
