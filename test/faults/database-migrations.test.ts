import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { migrate } from '#server/core/database/migrate.ts'
import { createLog } from '#server/core/log.ts'
import { targets } from './database-targets.ts'
import { STEPS, writeMigrations } from './migration-steps.ts'

const log = createLog('silent')

// Only PostgreSQL has several processes, and connections, at a time.
describe.each(targets.slice(-1))('on $kind', ({ kind, createDatabase }) => {
  let folder: string
  let place: Awaited<ReturnType<typeof createDatabase>>
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wenqu-migrations-'))
    await writeMigrations(folder)
    place = await createDatabase()
  })
  afterAll(async () => {
    await place.remove()
    await rm(folder, { recursive: true })
  })

  test('migrations that run at the same time are applied once; one that was changed afterwards stops the start', async () => {
    const opened = await openDatabase({ ...place, log })
    const other = kind === 'postgres' ? await openDatabase({ ...place, log }) : opened
    await Promise.all([migrate(opened.db, folder), migrate(other.db, folder)])
    const { rows } = await opened.db.execute(sql`SELECT count(*)::int AS n FROM drizzle.__drizzle_migrations`)
    expect(rows).toEqual([{ n: STEPS }])
    await writeFile(join(folder, '0001_step.sql'), 'SELECT 2')
    await expect(migrate(opened.db, folder)).rejects.toThrow('was changed after it had been applied')
    if (other !== opened) await other.close()
    await opened.close()
  })
})
