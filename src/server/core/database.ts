import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { EmbeddedClient } from './database/embedded-client.ts'
import { openEmbedded } from './database/embedded.ts'
import { openPostgres } from './database/postgres.ts'
import type { Log } from './log.ts'

/** What `execute` answers on both databases: int8 and numeric as text, bytea as Buffer, json parsed. */
type Rows<Row> = { rows: Row[]; rowCount: number | null }

interface RowsHKT extends PgQueryResultHKT {
  type: Rows<this['row']>
}

/** The database as features see it; a transaction is one too. */
export type Db = PgDatabase<RowsHKT>

type Open = {
  db: Db
  /** Rejects when the database doesn't answer. */
  ping(): Promise<void>
  /** Waits for what is under way, then closes. */
  close(): Promise<void>
}

export type Database = Open & ({ kind: 'pglite'; client: EmbeddedClient } | { kind: 'postgres'; url: string })

type Options = {
  /** Absolute; the embedded database lives in its folder `database`. Not touched when a URL is given. */
  data_dir: string
  /** postgres://…; null means the embedded database. */
  database_url: string | null
  log: Log
  /** The embedded database broke down: every call fails from now on, so the process should end. */
  onLost?: (error: Error) => void
}

/** Opens the embedded database, or PostgreSQL where a URL is given. Throws DatabaseOpenError. */
export const openDatabase = ({ data_dir, database_url, log, onLost }: Options): Promise<Database> =>
  database_url ? openPostgres(database_url, log) : openEmbedded(data_dir, log, onLost)
