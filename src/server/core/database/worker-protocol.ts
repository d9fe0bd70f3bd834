/** Values as PostgreSQL's text format; the main thread reads them, since functions can't cross over. */
export type RawResult = {
  fields: { name: string; dataTypeID: number }[]
  rows: (string | null)[][]
  affectedRows?: number | undefined
}

/** What the worker is told first; it answers that it is ready, or why the database is lost. */
export type OpenRequest = { directory: string }

/** What the main thread asks of the worker then, answered in order. */
export type WorkerRequest = { id: number } &
  /** `begins`: in a transaction that begins with it, which saves a message of its own for that. */
  (
    | { op: 'query'; text: string; params: unknown[]; begins: boolean }
    /** Several statements. `alone`: outside a transaction, so one that it opened and broke must be rolled back. */
    | { op: 'exec'; text: string; alone: boolean; begins: boolean }
    | { op: 'close' }
  )

export type WorkerReply =
  | { id: number; results: RawResult[] }
  | { id: number; error: SerializedError }
  /** PostgreSQL itself went down; nothing more will be answered. */
  | { lost: string }

/** An error as it crosses threads; PostgreSQL's own carry its fields (code, constraint, detail …). */
export type SerializedError = { message: string; fields: Record<string, string> | null }

const errorFields = [
  'severity',
  'code',
  'detail',
  'hint',
  'position',
  'where',
  'schema',
  'table',
  'column',
  'dataType',
  'constraint',
  'routine',
] as const

export function serializeError(error: unknown): SerializedError {
  if (!(error instanceof Error)) return { message: String(error), fields: null }
  const all = error as Error & Partial<Record<string, string>>
  if (!all.severity) return { message: error.message, fields: null }
  const fields: Record<string, string> = {}
  for (const name of errorFields) {
    const value = all[name]
    if (value !== undefined) fields[name] = value
  }
  return { message: error.message, fields }
}
