import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createLog } from '#server/core/log.ts'

/** Vitest's global set-up: an embedded database without tables, one for all projects, since a first start takes seconds. */
export default async function createEmptyTemplate(): Promise<() => Promise<void>> {
  if (process.env.EMPTY_TEMPLATE) return async () => {}
  const dataDir = await mkdtemp(join(tmpdir(), 'wenqu-empty-'))
  const database = await openDatabase({ data_dir: dataDir, database_url: null, log: createLog('silent') })
  await database.close()
  process.env.EMPTY_TEMPLATE = dataDir
  return () => rm(dataDir, { recursive: true, force: true })
}
