import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createDelays, measureDelay, startDatabaseChild, timeout, withDatabase } from './database-kills.ts'
import { createEmptyFolder } from './database-targets.ts'

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
