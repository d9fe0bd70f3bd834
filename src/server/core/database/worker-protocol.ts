/** Values in PostgreSQL's text format; the main thread parses them, since functions cannot cross threads. */
export type RawResult = {
  fields: { name: string; dataTypeID: number }[]
  rows: (string | null)[][]
  affectedRows?: number | undefined
}

/** The first message to the worker, which replies that it is ready, or why the database is lost. */
export type OpenRequest = { directory: string }

/** The later messages to the worker, answered in order. */
export type WorkerRequest = { id: number } &
  /** `begins`: BEGIN comes before it, without a message of its own. */
  (
    | { op: 'query'; text: string; params: unknown[]; begins: boolean }
    /** Several statements. `alone`: outside of a transaction, so one that they open and break has to be rolled back. */
    | { op: 'exec'; text: string; alone: boolean; begins: boolean }
    | { op: 'close' }
  )

export type WorkerReply =
  | { id: number; results: RawResult[] }
  | { id: number; error: SerializedError }
  /** PostgreSQL itself went down; nothing more will be answered. */
  | { lost: string }

/** An error in the form that crosses threads; PostgreSQL's own have fields (code, constraint, detail …). */
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
