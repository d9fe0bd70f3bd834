import { sql } from 'drizzle-orm'
import { fromDrizzle, fromPglite, PgBoss } from 'pg-boss'
import type { ConstructorOptions } from 'pg-boss'
import type { Database, Db } from './database/database.ts'
import type { Log } from './log.ts'

type JobHandler = (data: object, job: { id: string; signal: AbortSignal }) => Promise<void>

type JobOptions = {
  /** Further tries after a failure. */
  retryLimit?: number
  /** Seconds before the next try. */
  retryDelay?: number
  /** Jobs of this name that run at once in this process. */
  concurrency?: number
}

export type JobQueue = {
  /** Defines a kind of job, before any is sent. The same job may run twice: handlers must be idempotent. */
  define(name: string, handler: JobHandler, options?: JobOptions): Promise<void>
  /** Enqueues a job, in `tx` if it is given: then the job exists exactly if the transaction commits. */
  send(name: string, data: object, options?: { tx?: Db }): Promise<void>
  /** Enqueues by a cron expression (minutes, Asia/Shanghai), once for all processes. */
  schedule(name: string, cron: string): Promise<void>
  /** Starts working on jobs; call it when the server listens. */
  start(): Promise<void>
  /** Lets running jobs end. Call it before the database is closed. */
  stop(): Promise<void>
}

const POLL_SECONDS = 0.5
const NO_JOB_ID = '00000000-0000-0000-0000-000000000000'
/** Seconds without a heartbeat after which a job counts as failed: its process was killed. */
const HEARTBEAT_SECONDS = 20
const SUPERVISE_SECONDS = 15
const DEFAULT_OPTIONS = { retryLimit: 3, retryDelay: 5, concurrency: 1 }

/** Opens the queue; missing tables are created. No job runs before `start`. */
export async function createJobQueue(database: Database, log: Log): Promise<JobQueue> {
  const boss = new PgBoss({
    ...getConnectionOptions(database),
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    // With notifications on, pg-boss does not retry failed jobs; polling alone is fast enough.
    useListenNotify: false,
  })
  boss.on('error', (error) => log.error({ err: error }, 'the job queue failed'))
  boss.on('warning', (warning) => log.warn({ warning }, 'the job queue warns'))
  await boss.start()

  const defined = new Map<string, { handler: JobHandler; options: typeof DEFAULT_OPTIONS }>()
  const getOptions = (name: string): typeof DEFAULT_OPTIONS => {
    const job = defined.get(name)
    if (!job) throw new Error(`the job ${name} is not defined`)
    return job.options
  }
  const getSendOptions = (name: string) => {
    const { retryLimit, retryDelay } = getOptions(name)
    return { retryLimit, retryDelay, retryBackoff: true, heartbeatSeconds: HEARTBEAT_SECONDS }
  }

  return {
    async define(name, handler, options = {}) {
      defined.set(name, { handler, options: { ...DEFAULT_OPTIONS, ...options } })
      if (await boss.getQueue(name)) return
      await boss.createQueue(name)
      // Any query fills pg-boss's cache of queues, so that a send inside a transaction makes no query outside of it.
      await boss.findJobs(name, { id: NO_JOB_ID })
    },

    async send(name, data, { tx } = {}) {
      await boss.send(name, data, { ...getSendOptions(name), ...(tx ? { db: fromDrizzle(tx, sql) } : {}) })
    },

    async schedule(name, cron) {
      await boss.schedule(name, cron, {}, { ...getSendOptions(name), tz: 'Asia/Shanghai' })
    },

    async start() {
      for (const [name, { handler, options }] of defined) {
        const polling = { pollingIntervalSeconds: POLL_SECONDS, localConcurrency: options.concurrency }
        await boss.work<object>(name, polling, async ([job]) => {
          if (job) await handler(job.data, { id: job.id, signal: job.signal })
        })
      }
    },

    stop: () => boss.stop(),
  }
}

function getConnectionOptions(database: Database): ConstructorOptions {
  if (database.kind === 'pglite') return { backend: 'pglite', db: fromPglite(database.client) }
  return { connectionString: database.url, max: 2 }
}
