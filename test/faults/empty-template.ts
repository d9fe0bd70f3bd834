import { openDatabase } from '#server/core/database/open-database.ts'
import { createLog } from '#server/core/log.ts'
import { createEmptyFolder } from './database-targets.ts'

/** Vitest's global set-up: an embedded database without tables. */
export default async function createEmptyTemplate(): Promise<() => Promise<void>> {
  const place = await createEmptyFolder()
  const database = await openDatabase({ ...place, log: createLog('silent') })
  await database.close()
  process.env.EMPTY_TEMPLATE = place.data_dir
  return place.remove
}
