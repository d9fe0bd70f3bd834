import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import type { Db } from '#server/core/database/database.ts'
import { migrate } from '#server/core/database/migrate.ts'
import { createLog } from '#server/core/log.ts'
import { createDelays, measureDelay, startDatabaseChild, timeout, withDatabase } from './database-kills.ts'
import { targets } from './database-targets.ts'

const log = createLog('silent')
const steps = 12

let migrationsFolder: string

/** Each migration makes a table, fills it and changes the one before, so that half a migration would be seen. */
async function writeMigrations(folder: string, count: number): Promise<void> {
  await mkdir(join(folder, 'meta'), { recursive: true })
  const entries = Array.from({ length: count }, (_, idx) => ({
    idx,
    version: '7',
    when: 1_700_000_000_000 + idx,
    tag: `${String(idx).padStart(4, '0')}_step`,
    breakpoints: true,
  }))
  for (const { idx, tag } of entries) {
    const previous = idx > 0 ? `ALTER TABLE step_${idx - 1} ADD COLUMN next int;` : 'SELECT 1;'
    await writeFile(
      join(folder, `${tag}.sql`),
      `CREATE TABLE step_${idx} AS SELECT n, md5(n::text) AS filling FROM generate_series(1, 5000) AS n;
--> statement-breakpoint
${previous}`,
    )
  }
  const journal = { version: '7', dialect: 'postgresql', entries }
  await writeFile(join(folder, 'meta', '_journal.json'), JSON.stringify(journal))
}

async function countSteps(db: Db): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM pg_tables WHERE tablename LIKE 'step\\_%'`,
  )
  return rows[0]?.count ?? -1
}

beforeAll(async () => {
  migrationsFolder = await mkdtemp(join(tmpdir(), 'wenqu-migrations-'))
  await writeMigrations(migrationsFolder, steps)
})
afterAll(() => rm(migrationsFolder, { recursive: true }))

describe.each(targets)('on $kind', ({ kind, createDatabase }) => {
  test(
    'kill -9 during the migrations leaves all or nothing, and the next start completes them',
    { timeout },
    async () => {
      const whole = await createDatabase()
      const trial = startDatabaseChild('migrate', whole, migrationsFolder)
      const total = await measureDelay(trial, 'migrated', 'open')
      await trial.exit
      await whole.remove()

      for (const moment of createDelays(total)) {
        const place = await createDatabase()
        const child = startDatabaseChild('migrate', place, migrationsFolder)
        await child.waitForLine((line) => line === 'open')
        await sleep(moment)
        await child.kill()
        const [left, completed] = await withDatabase(place, async (db) => {
          const left = await countSteps(db)
          await migrate(db, migrationsFolder)
          return [left, await countSteps(db)]
        })
        expect([0, steps], `killed after ${moment} ms`).toContain(left)
        expect(completed).toBe(steps)
        await place.remove()
      }
    },
  )

  test('migrations that run at the same time are applied once', async () => {
    const place = await createDatabase()
    // The embedded database admits one process only, so the two share its connection.
    const opened = await openDatabase({ ...place, log })
    const other = kind === 'postgres' ? await openDatabase({ ...place, log }) : opened
    await Promise.all([migrate(opened.db, migrationsFolder), migrate(other.db, migrationsFolder)])
    const { rows } = await opened.db.execute(sql`SELECT count(*)::int AS n FROM drizzle.__drizzle_migrations`)
    expect(rows).toEqual([{ n: steps }])
    if (other !== opened) await other.close()
    await opened.close()
    await place.remove()
  })

  test('a migration that was changed after it had been applied stops the start', async () => {
    const place = await createDatabase()
    const folder = await mkdtemp(join(tmpdir(), 'wenqu-migrations-'))
    await writeMigrations(folder, 2)
    await withDatabase(place, async (db) => {
      await migrate(db, folder)
      await writeFile(join(folder, '0001_step.sql'), 'SELECT 2')
      await expect(migrate(db, folder)).rejects.toThrow('was changed after it had been applied')
    })
    await rm(folder, { recursive: true })
    await place.remove()
  })
})
