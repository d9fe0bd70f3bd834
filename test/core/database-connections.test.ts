import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createLog } from '#server/core/log.ts'

/** More than the pool has connections (core/database/postgres.ts). */
const FAILURES = 25

test.runIf(process.env.DATABASE_URL)('a transaction that fails gives its connection back', async () => {
  const { db, close } = await openDatabase({
    data_dir: '',
    database_url: process.env.DATABASE_URL!,
    log: createLog('silent'),
  })
  // Not awaited: where a connection is not given back, the pool waits for it for ever.
  onTestFinished(() => void close())
  for (let nth = 0; nth < FAILURES; nth++) {
    const failing = db.transaction(async (tx) => {
      await tx.execute(sql`SELECT 1`)
      throw new Error('not today')
    })
    await expect(failing).rejects.toThrow('not today')
  }
  const ready = db.transaction((tx) => tx.execute(sql`SELECT 1 AS one`))
  expect((await ready).rows).toEqual([{ one: 1 }])
})
