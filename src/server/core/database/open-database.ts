import type { Worker } from 'node:worker_threads'
import type { Database } from './database.ts'
import type { Log } from '../log.ts'
import { openEmbedded } from './embedded.ts'
import { openPostgres } from './postgres.ts'

type Options = {
  /** Absolute; the embedded database is in its folder `database`. Not touched when a URL is given. */
  data_dir: string
  /** postgres://…; null means the embedded database. */
  database_url: string | null
  log: Log
  /** Called when the embedded database broke down: every later call fails, so the process should end. */
  onLost?: (error: Error) => void
  /** A thread of startDatabaseThread, in which the embedded database is to open. */
  thread?: Worker | undefined
  /** How long a statement may wait for a connection to PostgreSQL, ms. */
  connect_limit_ms?: number | undefined
}

/** Opens the embedded database, or PostgreSQL where a URL is given. Throws DatabaseOpenError. */
export const openDatabase = ({
  data_dir,
  database_url,
  log,
  onLost,
  thread,
  connect_limit_ms,
}: Options): Promise<Database> =>
  database_url
    ? openPostgres(database_url, log, connect_limit_ms)
    : openEmbedded(data_dir, log, { onLost, thread })
