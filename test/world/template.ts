import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '#server/core/database/migrate.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createJobQueue } from '#server/core/jobs.ts'
import { createLog } from '#server/core/log.ts'
import { createPostgresDatabase } from './postgres.ts'
import type { TestDatabase } from './postgres.ts'

const { env } = process

/**
 * Vitest's global set-up: a database as the first start of a server leaves it. Those of the tests are copies of it, since
 * making one takes seconds.
 */
export default async function createTemplate(): Promise<() => Promise<void>> {
  const data_dir = await mkdtemp(join(tmpdir(), 'wenqu-template-'))
  const own = await createPostgresDatabase(env.DATABASE_URL)
  const log = createLog('silent')
  const database = await openDatabase({ data_dir, database_url: own?.url ?? null, log })
  await migrate(database.db)
  const jobs = await createJobQueue(database, log)
  await jobs.stop()
  await database.close()
  env.TEST_TEMPLATE = own?.name ?? data_dir
  return async () => {
    await own?.drop()
    await rm(data_dir, { recursive: true, force: true })
  }
}

/**
 * A database of a world's own: in its data folder, or (returned) on the server that DATABASE_URL names. A copy of the
 * template, or outside of Vitest and its projects that have one, empty.
 */
export async function createTestDatabase(data_dir: string): Promise<TestDatabase | null> {
  const { DATABASE_URL: url, TEST_TEMPLATE: template } = env
  if (url) return createPostgresDatabase(url, template)
  if (template) cpSync(template, data_dir, { recursive: true })
  return null
}
