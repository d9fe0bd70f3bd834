import { sql } from 'drizzle-orm'
import type { SQL, SQLWrapper } from 'drizzle-orm'

/** Formats a column of timestamps as answers have them (`moment` of #contract/dates/dates.ts), like a Date in JSON. */
export const momentSql = (column: SQLWrapper): SQL<string> =>
  sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
