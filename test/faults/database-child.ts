import { sql } from 'drizzle-orm'
import { openDatabase } from '#server/core/database/open-database.ts'
import { migrate } from '#server/core/database/migrate.ts'
import { createLog } from '#server/core/log.ts'
import type { DatabaseLocation } from './database-targets.ts'

/** A program that the tests start and kill: <what> <place as JSON> [migrations folder]. Reports its progress on stdout. */
const [mode, locationJson = '', migrationsFolder] = process.argv.slice(2)
const location = JSON.parse(locationJson) as DatabaseLocation
const writeLine = (line: string | number): void => void process.stdout.write(`${line}\n`)

try {
  const database = await openDatabase({ ...location, log: createLog('silent') })
  const { db } = database
  writeLine('open')

  if (mode === 'migrate') {
    await migrate(db, migrationsFolder)
    writeLine('migrated')
    await database.close()
  }

  if (mode === 'insert') {
    await db.execute(sql`CREATE TABLE IF NOT EXISTS acknowledged (id bigserial PRIMARY KEY, filling text)`)
    await Promise.all(Array.from({ length: 8 }, insertForever))
  }

  if (mode === 'hold') setInterval(() => {}, 60_000)

  async function insertForever(): Promise<never> {
    for (;;) {
      const { rows } = await db.transaction((tx) =>
        tx.execute<{ id: string }>(
          sql`INSERT INTO acknowledged (filling) VALUES (repeat('问渠', 50)) RETURNING id`,
        ),
      )
      writeLine(rows[0]?.id ?? 'no id')
    }
  }
} catch (error) {
  process.stderr.write(`${(error as { code?: string }).code}: ${(error as Error).message}\n`)
  process.exit(1)
}
