import { sql } from 'drizzle-orm'
import type { SQL, SQLWrapper } from 'drizzle-orm'

/** A column of timestamps as answers spell them (`moment` of #contract/dates/dates.ts): as a Date does in JSON. */
export const momentSql = (column: SQLWrapper): SQL<string> =>
  sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
