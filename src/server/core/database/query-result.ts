import pg from 'pg'
import type { RawResult, SerializedError } from './worker-protocol.ts'

export type QueryOptions = {
  rowMode?: 'array' | 'object'
  /** By type id, taken before the defaults; drizzle keeps dates as text with them. */
  parsers?: Record<number, (value: string) => unknown>
}

export type QueryResult<Row> = {
  rows: Row[]
  fields: RawResult['fields']
  rowCount: number
}

/** Parses text values with the parsers of `pg`, so that both databases answer with the same values. */
export function parseResult<Row>(
  raw: RawResult,
  { rowMode = 'object', parsers = {} }: QueryOptions = {},
): QueryResult<Row> {
  const columns = raw.fields.map(({ name, dataTypeID }) => ({
    name,
    parse: parsers[dataTypeID] ?? (pg.types.getTypeParser(dataTypeID, 'text') as (value: string) => unknown),
  }))
  const rows = raw.rows.map((row) => {
    const values = columns.map(({ parse }, at) => {
      const value = row[at] ?? null
      return value === null ? null : parse(value)
    })
    if (rowMode === 'array') return values
    return Object.fromEntries(columns.map(({ name }, at) => [name, values[at]]))
  })
  return { rows: rows as Row[], fields: raw.fields, rowCount: Math.max(raw.affectedRows ?? 0, rows.length) }
}

/** Makes an error of the same class as PostgreSQL's, so that code that reads `code` or `constraint` works on both. */
export function deserializeError({ message, fields }: SerializedError): Error {
  if (!fields) return new Error(message)
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), fields)
}
