import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '#server/core/database/migrate.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createJobQueue } from '#server/core/jobs.ts'
import { createLog } from '#server/core/log.ts'
import type { TestProject } from 'vitest/node'
import { createPostgresDatabase, dropWithCopies } from './postgres.ts'
import type { TestDatabase } from './postgres.ts'

const { env } = process

/**
 * Vitest's global set-up: makes a database as the first start of a server leaves it, one for all projects of the same kind. The
 * tests' databases are copies of it, since making one takes seconds.
 */
export default async function createTemplate({ config }: TestProject): Promise<() => Promise<void>> {
  const url = config.env.DATABASE_URL
  const variable = url ? 'POSTGRES_TEMPLATE' : 'EMBEDDED_TEMPLATE'
  if (env[variable]) return async () => {}
  env.TEST_FOLDER ??= await mkdtemp(join(tmpdir(), 'wenqu-tests-'))
  const folder = env.TEST_FOLDER
  const dataDir = await mkdtemp(join(folder, 'template-'))
  const own = await createPostgresDatabase(url)
  if (!own && env.EMPTY_TEMPLATE) cpSync(env.EMPTY_TEMPLATE, dataDir, { recursive: true })
  const log = createLog('silent')
  const database = await openDatabase({ data_dir: dataDir, database_url: own?.url ?? null, log })
  await migrate(database.db)
  const jobs = await createJobQueue(database, log)
  await jobs.stop()
  await Promise.race([
    database.close(),
    failLater('a connection was not given back: the template does not close'),
  ])
  if (!own) await removeTemplatesOfPostgres(dataDir)
  env[variable] = own?.name ?? dataDir
  return async () => {
    // Databases of the worlds that serve whole workers end with these.
    if (own) await dropWithCopies(own)
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Longer than anything here takes on a busy machine. */
const SETUP_LIMIT_MS = 60_000
async function failLater(reason: string): Promise<never> {
  await sleep(SETUP_LIMIT_MS, null, { ref: false })
  throw new Error(reason)
}

/** Removes the templates of the embedded database, which nobody uses there: half as much is left to copy. */
const removeTemplatesOfPostgres = (dataDir: string): Promise<unknown> =>
  Promise.all(['1', '4'].map((oid) => rm(join(dataDir, 'database', 'base', oid), { recursive: true })))

/**
 * Creates a world's own database: in its data folder, or (returned) on the server of DATABASE_URL. It is a copy of the template,
 * or empty outside Vitest.
 */
export async function createTestDatabase(dataDir: string): Promise<TestDatabase | null> {
  const { DATABASE_URL: url, POSTGRES_TEMPLATE, EMBEDDED_TEMPLATE } = env
  if (url) return createPostgresDatabase(url, POSTGRES_TEMPLATE)
  if (EMBEDDED_TEMPLATE) cpSync(EMBEDDED_TEMPLATE, dataDir, { recursive: true })
  return null
}
