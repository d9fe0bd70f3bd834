import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Database } from '#server/core/database/database.ts'
import { readParent } from './cpu.ts'

/** Bytes of log and rows that a database has written since it was created. */
export type DatabaseFigures = { wal_bytes: number; row_writes: number }

/** A backend reports its writes only after a moment of idleness, ms. */
const REPORTED_AFTER_MS = 1500

export async function readDatabaseFigures({ db }: Database): Promise<DatabaseFigures> {
  await sleep(REPORTED_AFTER_MS)
  const { rows } = await db.execute<{ wal: string; rows: string }>(sql`
    SELECT (pg_current_wal_insert_lsn() - '0/0')::text AS wal,
      (SELECT sum(n_tup_ins + n_tup_upd + n_tup_del)::text FROM pg_stat_user_tables) AS rows`)
  return { wal_bytes: Number(rows[0]!.wal), row_writes: Number(rows[0]!.rows) }
}

/** Returns the parent process of all processes of a PostgreSQL server on this machine; null for the embedded one. */
export async function findDatabaseProcess({ kind, db }: Database): Promise<number | null> {
  if (kind === 'pglite') return null
  const { rows } = await db.execute<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`)
  return readParent(rows[0]!.pid)
}
