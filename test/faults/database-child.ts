import { sql } from 'drizzle-orm'
import { openDatabase } from '#server/core/database/open.ts'
import { migrate } from '#server/core/database/migrate.ts'
import { openLog } from '#server/core/log.ts'
import type { Place } from './database-targets.ts'

/** Started by the tests to be killed: <what> <place as JSON> [migrations folder]. Says on stdout how far it got. */
const [what, placeJson = '', migrationsFolder] = process.argv.slice(2)
const place = JSON.parse(placeJson) as Place
const say = (line: string | number): void => void process.stdout.write(`${line}\n`)

try {
  const database = await openDatabase({ ...place, log: openLog('silent') })
  const { db } = database
  say('open')

  if (what === 'migrate') {
    await migrate(db, migrationsFolder)
    say('migrated')
    await database.close()
  }

  if (what === 'insert') {
    await db.execute(sql`CREATE TABLE IF NOT EXISTS acknowledged (id bigserial PRIMARY KEY, filling text)`)
    await Promise.all(Array.from({ length: 8 }, insertForever))
  }

  if (what === 'hold') setInterval(() => {}, 60_000)

  async function insertForever(): Promise<never> {
    for (;;) {
      const { rows } = await db.transaction((tx) =>
        tx.execute<{ id: string }>(
          sql`INSERT INTO acknowledged (filling) VALUES (repeat('问渠', 50)) RETURNING id`,
        ),
      )
      say(rows[0]?.id ?? 'no id')
    }
  }
} catch (error) {
  process.stderr.write(`${(error as { code?: string }).code}: ${(error as Error).message}\n`)
  process.exit(1)
}
