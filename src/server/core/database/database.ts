import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { EmbeddedClient } from './embedded-client.ts'

/** The answer of `execute` on both databases: int8 and numeric as text, bytea as Buffer, json parsed. */
type Rows<Row> = { rows: Row[]; rowCount: number | null }

interface RowsHKT extends PgQueryResultHKT {
  type: Rows<this['row']>
}

/** The database as features see it; a transaction is one too. */
export type Db = PgDatabase<RowsHKT>

type OpenDatabase = {
  db: Db
  /** Rejects when the database does not answer. */
  ping: () => Promise<void>
  /** Waits for queries under way, then closes. */
  close: () => Promise<void>
}

export type Database = OpenDatabase &
  ({ kind: 'pglite'; client: EmbeddedClient } | { kind: 'postgres'; url: string })
