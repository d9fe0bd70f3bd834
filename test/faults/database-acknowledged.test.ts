import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { kills, startDatabaseChild, timeout, withDatabase } from './database-kills.ts'
import { targets } from './database-targets.ts'

test.each(targets)(
  'what was acknowledged survives kill -9 under load on $kind',
  { timeout },
  async ({ createDatabase }) => {
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
  },
)
