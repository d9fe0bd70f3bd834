import type { EmbeddedWorker } from './embedded-worker.ts'
import { readResult } from './results.ts'
import type { QueryOptions, Result } from './results.ts'
import type { TransactionGuard } from './transaction-guard.ts'
import { createTurns } from './turns.ts'

type Statements = {
  query<Row>(text: string, params?: unknown[], options?: QueryOptions): Promise<Result<Row>>
  /** Several statements without parameters. */
  exec(text: string): Promise<Result<object>[]>
}

/** PGlite's client as far as drizzle and the job queue use it. */
export type EmbeddedClient = Statements & {
  transaction<T>(callback: (tx: Statements) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function createEmbeddedClient(worker: EmbeddedWorker, guard: TransactionGuard): EmbeddedClient {
  const turns = createTurns()

  async function query<Row>(text: string, params: unknown[] = [], options: QueryOptions = {}) {
    const [raw] = await worker.send({ op: 'query', text, params })
    if (!raw) throw new Error('a query without a result')
    return readResult<Row>(raw, options)
  }

  async function exec(text: string, alone: boolean) {
    const results = await worker.send({ op: 'exec', text, alone })
    return results.map((raw) => readResult<object>(raw))
  }

  async function transaction<T>(callback: (tx: Statements) => Promise<T>): Promise<T> {
    guard.assertOutside()
    const release = await turns.hold()
    let open = true
    const assertOpen = (): void => {
      if (!open) throw new Error('this transaction has ended')
    }
    /** The next in line is let go at once: the worker keeps the order. */
    async function end(statement: 'COMMIT' | 'ROLLBACK'): Promise<void> {
      open = false
      const ended = exec(statement, true)
      release()
      await ended
    }
    const tx: Statements = {
      async query(...given) {
        assertOpen()
        return query(...given)
      },
      async exec(text) {
        assertOpen()
        return exec(text, false)
      },
    }
    let result: T
    try {
      await exec('BEGIN', true)
      result = await guard.inside(() => callback(tx))
    } catch (error) {
      // What went wrong first is what the caller needs to hear.
      await end('ROLLBACK').catch(() => {})
      throw error
    }
    await end('COMMIT')
    return result
  }

  return {
    async query(...given) {
      guard.assertOutside()
      return turns.pass(() => query(...given))
    },
    async exec(text) {
      guard.assertOutside()
      return turns.pass(() => exec(text, true))
    },
    transaction,
    async close() {
      await turns.hold()
      await worker.send({ op: 'close' })
      await worker.end()
    },
  }
}
