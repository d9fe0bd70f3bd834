import type { EmbeddedWorker } from './embedded-worker.ts'
import { parseResult } from './query-result.ts'
import type { QueryOptions, QueryResult } from './query-result.ts'
import type { TransactionGuard } from './transaction-guard.ts'
import { createConnectionQueue } from './connection-queue.ts'

type Statements = {
  query<Row>(text: string, params?: unknown[], options?: QueryOptions): Promise<QueryResult<Row>>
  /** Several statements without parameters. */
  exec(text: string): Promise<QueryResult<object>[]>
}

/** The part of PGlite's client that drizzle and the job queue use. */
export type EmbeddedClient = Statements & {
  transaction<T>(callback: (tx: Statements) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function createEmbeddedClient(worker: EmbeddedWorker, guard: TransactionGuard): EmbeddedClient {
  const queue = createConnectionQueue()

  async function query<Row>(
    begins: boolean,
    text: string,
    params: unknown[] = [],
    options: QueryOptions = {},
  ) {
    const [raw] = await worker.send({ op: 'query', text, params, begins })
    if (!raw) throw new Error('a query without a result')
    return parseResult<Row>(raw, options)
  }

  async function exec(text: string, { alone, begins }: { alone: boolean; begins: boolean }) {
    const results = await worker.send({ op: 'exec', text, alone, begins })
    return results.map((raw) => parseResult<object>(raw))
  }

  async function transaction<T>(callback: (tx: Statements) => Promise<T>): Promise<T> {
    guard.assertOutside()
    const release = await queue.acquire()
    let open = true
    let hasBegun = false
    /** Tells whether a statement is the first one of the transaction, and so has to begin it. */
    const begin = (): boolean => {
      if (!open) throw new Error('this transaction has ended')
      const begins = !hasBegun
      hasBegun = true
      return begins
    }
    /** Lets the next one in line go at once: the worker keeps the order. */
    async function end(statement: 'COMMIT' | 'ROLLBACK'): Promise<void> {
      open = false
      const completion = hasBegun ? exec(statement, { alone: true, begins: false }) : null
      release()
      await completion
    }
    const tx: Statements = {
      async query(...args) {
        return query(begin(), ...args)
      },
      async exec(text) {
        return exec(text, { alone: false, begins: begin() })
      },
    }
    let result: T
    try {
      result = await guard.runInside(() => callback(tx))
    } catch (error) {
      // The caller needs the first error.
      await end('ROLLBACK').catch(() => {})
      throw error
    }
    await end('COMMIT')
    return result
  }

  return {
    async query(...args) {
      guard.assertOutside()
      return queue.enqueue(() => query(false, ...args))
    },
    async exec(text) {
      guard.assertOutside()
      return queue.enqueue(() => exec(text, { alone: true, begins: false }))
    },
    transaction,
    async close() {
      await queue.acquire()
      await worker.send({ op: 'close' })
      await worker.terminate()
    },
  }
}
