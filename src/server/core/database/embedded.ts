import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pglite'
import type { Database, Db } from './database.ts'
import type { Log } from '../log.ts'
import { startDatabaseThread } from './database-thread.ts'
import { lockDirectory } from './directory-lock.ts'
import { createEmbeddedClient } from './embedded-client.ts'
import { openInWorker } from './embedded-worker.ts'
import { startMaintenance } from './maintenance.ts'
import { createTransactionGuard } from './transaction-guard.ts'

/** Opens PostgreSQL in this process (PGlite), safe against crashes and second openers; in `thread`, if one was started for it. */
export async function openEmbedded(
  dataDir: string,
  log: Log,
  { thread, onLost }: { thread?: Worker | undefined; onLost?: ((error: Error) => void) | undefined } = {},
): Promise<Database> {
  mkdirSync(dataDir, { recursive: true })
  const unlock = lockDirectory(join(dataDir, 'database.lock'))
  try {
    const worker = await openInWorker(thread ?? startDatabaseThread(), join(dataDir, 'database'), (error) => {
      log.fatal({ err: error }, 'the embedded database is lost')
      onLost?.(error)
    })
    const client = createEmbeddedClient(worker, createTransactionGuard())
    // The client has only the part of PGlite's that drizzle calls; its answers are as Db describes them.
    const db = drizzle(client as unknown as PGlite) as unknown as Db
    const stopMaintenance = startMaintenance(client, log)
    return {
      kind: 'pglite',
      client,
      db,
      async ping() {
        await db.execute(sql`SELECT 1`)
      },
      async close() {
        stopMaintenance()
        await client.close().finally(unlock)
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}
