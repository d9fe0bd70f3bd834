import type { Worker } from 'node:worker_threads'
import type { Database } from './database.ts'
import type { Log } from '../log.ts'
import { openEmbedded } from './embedded.ts'
import { openPostgres } from './postgres.ts'

type Options = {
  /** Absolute; the embedded database lives in its folder `database`. Not touched when a URL is given. */
  data_dir: string
  /** postgres://…; null means the embedded database. */
  database_url: string | null
  log: Log
  /** The embedded database broke down: every call fails from now on, so the process should end. */
  onLost?: (error: Error) => void
  /** What startDatabaseThread has given, where somebody has called it: the embedded database opens in it. */
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
