type Code = 'database_locked' | 'database_unreachable'

/** A database that can't be opened; the message says why and what to do, in Chinese and English. */
export class DatabaseOpenError extends Error {
  readonly code: Code

  constructor(code: Code, message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'DatabaseOpenError'
    this.code = code
  }
}
