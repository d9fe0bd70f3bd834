import type { Log } from '../log.ts'
import type { EmbeddedClient } from './embedded-client.ts'

const INTERVAL_MS = 30_000
/** Bytes of write-ahead log that a start after a kill has to replay. */
const WAL_LIMIT_BYTES = 32 * 1024 * 1024
/** Changed rows, besides a fifth of the table, from which on it is vacuumed. */
const CHANGED_ROWS_LIMIT = 1000

/**
 * PGlite has none of PostgreSQL's background processes: without this the write-ahead log would grow until the server stops, and
 * dead rows would never be reclaimed. Returns a function that stops it.
 */
export function startMaintenance(client: EmbeddedClient, log: Log): () => void {
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    runMaintenance(client)
      .catch((error: unknown) => log.warn({ err: error }, 'tidying the database failed'))
      .finally(() => (busy = false))
  }, INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** Vacuums the table that needs it most, then makes a checkpoint when the log has grown. */
export async function runMaintenance(client: EmbeddedClient): Promise<void> {
  const tables = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables
     WHERE greatest(n_dead_tup, n_ins_since_vacuum, n_mod_since_analyze) > $1::int + 0.2 * n_live_tup
     ORDER BY n_dead_tup DESC LIMIT 1`,
    [CHANGED_ROWS_LIMIT],
  )
  for (const { name } of tables.rows) await client.exec(`VACUUM (ANALYZE) ${name}`)
  const wal = await client.query<{ grown: boolean }>(
    'SELECT pg_current_wal_insert_lsn() - redo_lsn > $1::int AS grown FROM pg_control_checkpoint()',
    [WAL_LIMIT_BYTES],
  )
  if (wal.rows[0]?.grown) await client.exec('CHECKPOINT')
}
