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
import { startChild } from './child-process.ts'
import { createEmptyFolder, targets } from './database-targets.ts'
import type { DatabaseLocation } from './database-targets.ts'

const log = createLog('silent')
const kills = process.env.FAULTS_FULL ? 40 : 6
const steps = 30
const timeout = kills * 30_000

/** Kills spread over the whole of a run that takes `total` ms. */
const createDelays = (total: number): number[] =>
  Array.from({ length: kills }, (_, at) => Math.round((total * (at + 0.5)) / kills))

const startDatabaseChild = (what: string, place: DatabaseLocation, folder = '') =>
  startChild('database-child.ts', [what, JSON.stringify(place), folder])

/** Opens, uses and closes, as the next start would. */
async function withDatabase<T>(place: DatabaseLocation, use: (db: Db) => Promise<T>): Promise<T> {
  const database = await openDatabase({ ...place, log })
  try {
    return await use(database.db)
  } finally {
    await database.close()
  }
}

/** Milliseconds from the start of a child, or from its line `after`, until its line `until`. */
async function measureDelay(
  child: ReturnType<typeof startChild>,
  until: string,
  after?: string,
): Promise<number> {
  if (after) await child.waitForLine((line) => line === after)
  const began = performance.now()
  await child.waitForLine((line) => line === until)
  return performance.now() - began
}

let migrationsFolder: string

/** Each makes a table, fills it and changes the one before, so that half of them would be seen. */
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

test('kill -9 at any moment of the first start leaves a directory that opens', { timeout }, async () => {
  const whole = await createEmptyFolder()
  const trial = startDatabaseChild('hold', whole)
  const total = await measureDelay(trial, 'open')
  await trial.kill()
  await whole.remove()

  for (const moment of createDelays(total)) {
    const place = await createEmptyFolder()
    const child = startDatabaseChild('hold', place)
    await sleep(moment)
    await child.kill()
    const { rows } = await withDatabase(place, (db) => db.execute(sql`SELECT 1 AS one`))
    expect(rows, `killed after ${moment} ms`).toEqual([{ one: 1 }])
    await place.remove()
  }
})

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
    // The embedded database has a single process by its lock, so there the two share it.
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

  test('what was acknowledged survives kill -9 under load', { timeout }, async () => {
    const place = await createDatabase()
    const acknowledged = new Set<string>()
    for (let round = 0; round < kills; round++) {
      const child = startDatabaseChild('insert', place)
      await child.waitForLine((line) => /^\d+$/.test(line))
      await sleep(100 + 400 * Math.random())
      await child.kill()
      for (const line of child.lines) if (/^\d+$/.test(line)) acknowledged.add(line)
      const { rows } = await withDatabase(place, (db) =>
        db.execute<{ id: string }>(sql`SELECT id FROM acknowledged`),
      )
      const there = new Set(rows.map((row) => row.id))
      expect([...acknowledged].filter((id) => !there.has(id))).toEqual([])
    }
    await place.remove()
  })
})
