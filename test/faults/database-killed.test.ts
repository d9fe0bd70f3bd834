import { cp, mkdtemp, readdir, rename, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '#server/core/database/migrate.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createLog } from '#server/core/log.ts'
import { startChild } from './child-process.ts'
import { createEmptyFolder, embeddedTarget } from './database-targets.ts'
import type { DatabaseLocation } from './database-targets.ts'
import { countSteps, STEPS, writeMigrations } from './migration-steps.ts'

const ROUNDS = process.env.FAULTS_FULL ? 40 : 1
/** Files that a migration of `writeMigrations` makes: a table, and the table and the index of its long values. */
const FILES_A_STEP = 3

/** A limit only for failed tests: a first start takes ten seconds of a processor. */
const LIMIT_MS = 240_000

let migrationsFolder: string
beforeAll(async () => {
  migrationsFolder = await mkdtemp(join(tmpdir(), 'wenqu-migrations-'))
  await writeMigrations(migrationsFolder)
})
afterAll(() => rm(migrationsFolder, { recursive: true }))

const startDatabaseChild = (mode: string, { data_dir, database_url }: DatabaseLocation) =>
  startChild('database-child.ts', [mode, JSON.stringify({ data_dir, database_url }), migrationsFolder])
const countFiles = async (folder: string): Promise<number> =>
  (await readdir(folder, { recursive: true }).catch(() => [])).length

/** Kills a process as soon as so many files are in a folder, or it has written a line. */
async function killAt(
  child: ReturnType<typeof startChild>,
  { folder, files, line }: { folder: string; files: number; line: string },
): Promise<void> {
  await expect
    .poll(async () => child.lines.includes(line) || (await countFiles(folder)) >= files, {
      interval: 50,
      timeout: LIMIT_MS,
    })
    .toBe(true)
  await child.kill()
}

test(
  'a process that dies at its first start, in its migrations and under load leaves all or nothing, and what was acknowledged',
  { timeout: 3 * ROUNDS * LIMIT_MS },
  async () => {
    const filesOfFirstStart = await countFiles(process.env.EMPTY_TEMPLATE!)
    for (let round = 0; round < ROUNDS; round++) {
      const moment = (round + Math.random()) / ROUNDS
      const place = await createEmptyFolder()
      const { data_dir: folder } = place
      await killAt(startDatabaseChild('hold', place), {
        folder,
        files: filesOfFirstStart * moment,
        line: 'open',
      })

      const migrating = startDatabaseChild('migrate', place)
      await migrating.waitForLine((line) => line === 'open')
      const tables = join(folder, 'database/base/5')
      const files = (await countFiles(tables)) + STEPS * FILES_A_STEP * moment
      await killAt(migrating, { folder: tables, files, line: 'migrated' })
      const isWhole = migrating.lines.includes('migrated')

      const inserting = startDatabaseChild('insert', place)
      await inserting.waitForLine((line) => /^\d+$/.test(line))
      const second = startDatabaseChild('hold', place)
      expect(await second.exit).toBe(1)
      expect(second.errors()).toContain('database_locked: 数据目录正被另一个进程使用')
      expect(second.errors()).toContain('another process is using this data directory')
      expect(second.errors()).toContain(folder)
      await sleep(100 * Math.random())
      await inserting.kill()

      const { db, close } = await openDatabase({ ...place, log: createLog('silent') })
      const { rows } = await db.execute<{ id: string }>(sql`SELECT id FROM acknowledged`)
      const there = new Set(rows.map(({ id }) => id))
      expect(inserting.lines.filter((line) => /^\d+$/.test(line) && !there.has(line))).toEqual([])
      const left = await countSteps(db)
      expect(isWhole ? [STEPS] : [0, STEPS], `killed at ${moment}`).toContain(left)
      await migrate(db, migrationsFolder)
      expect(await countSteps(db)).toBe(STEPS)
      await close()
      await place.remove()
    }
  },
)

test('every commit reaches the disk; after a crash what was written since the last opening is written through first, and nothing else', async () => {
  const place = await embeddedTarget.createDatabase()
  const directory = join(place.data_dir, 'database')
  /** Returns how many times an opening, and then 20 commits, flushed a file. */
  const countFlushes = async (): Promise<[opening: number, commits: number]> => {
    const child = startChild('database-fsync-child.ts', [directory, '20', 'crash'])
    await child.exit
    const [opening, commits] = child.lines[0]!.split(' ').map(Number)
    return [opening!, commits!]
  }
  expect((await countFlushes())[1]).toBeGreaterThanOrEqual(20)
  const files = (await readdir(directory, { recursive: true })).map((name) => join(directory, name))
  const hourAgo = Date.now() / 1000 - 3600
  await Promise.all([directory, ...files].map((file) => utimes(file, hourAgo, hourAgo).catch(() => {})))
  const written = files.filter((file) => /global\/\d+$/.test(file))
  for (const file of written) await utimes(file, hourAgo + 7200, hourAgo + 7200)
  const [count] = await countFlushes()
  expect(count).toBeGreaterThanOrEqual(written.length)
  expect(count).toBeLessThan(files.length * 0.2)

  // A copied file keeps the time of its writing, not of its arrival on this disk.
  await cp(directory, `${directory}.copy`, { recursive: true, preserveTimestamps: true })
  await rm(directory, { recursive: true })
  await rename(`${directory}.copy`, directory)
  expect((await countFlushes())[0]).toBeGreaterThan(files.length * 0.8)
  await place.remove()
})
