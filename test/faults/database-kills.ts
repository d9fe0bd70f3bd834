import { openDatabase } from '#server/core/database/open-database.ts'
import type { Db } from '#server/core/database/database.ts'
import { createLog } from '#server/core/log.ts'
import { startChild } from './child-process.ts'
import type { DatabaseLocation } from './database-targets.ts'

const log = createLog('silent')
export const kills = process.env.FAULTS_FULL ? 40 : 2
/** A limit only for failed tests: each kill has a first start of the embedded database, and one more measures it. */
export const timeout = (kills + 4) * 60_000

/** Kills spread over the whole of a run that takes `total` ms, one at a random moment in each part of it. */
export const createDelays = (total: number): number[] =>
  Array.from({ length: kills }, (_, at) => Math.round((total * (at + Math.random())) / kills))

export const startDatabaseChild = (what: string, place: DatabaseLocation, folder = '') =>
  startChild('database-child.ts', [what, JSON.stringify(place), folder])

/** Opens a database as the next start would, uses it, and closes it. */
export async function withDatabase<T>(place: DatabaseLocation, use: (db: Db) => Promise<T>): Promise<T> {
  const database = await openDatabase({ ...place, log })
  try {
    return await use(database.db)
  } finally {
    await database.close()
  }
}

/** Measures the milliseconds from the start of a child, or from its line `after`, until its line `until`. */
export async function measureDelay(
  child: ReturnType<typeof startChild>,
  until: string,
  after?: string,
): Promise<number> {
  if (after) await child.waitForLine((line) => line === after)
  const began = performance.now()
  await child.waitForLine((line) => line === until)
  return performance.now() - began
}
