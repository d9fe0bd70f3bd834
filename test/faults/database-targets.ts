import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPostgresDatabase } from '../world/postgres.ts'

/** Place of a fresh database: a folder for the embedded one, a URL for PostgreSQL. */
export type DatabaseLocation = { data_dir: string; database_url: string | null }

export type DatabaseTarget = {
  kind: 'pglite' | 'postgres'
  createDatabase: () => Promise<DatabaseLocation & { remove: () => Promise<void> }>
}

/** Creates a data directory without a database. */
export async function createEmptyFolder() {
  const dataDir = await mkdtemp(join(tmpdir(), 'wenqu-database-'))
  return {
    data_dir: dataDir,
    database_url: null,
    remove: () => rm(dataDir, { recursive: true, force: true }),
  }
}

/** Copies the database that Vitest's set-up made: a first start takes seconds. */
async function copyEmbeddedDatabase() {
  const place = await createEmptyFolder()
  await cp(process.env.EMPTY_TEMPLATE!, place.data_dir, { recursive: true })
  return place
}

export const embeddedTarget: DatabaseTarget = { kind: 'pglite', createDatabase: copyEmbeddedDatabase }

const serverUrl = process.env.DATABASE_URL

async function createPostgresLocation() {
  const database = (await createPostgresDatabase(serverUrl))!
  return { data_dir: '/nonexistent', database_url: database.url, remove: () => database.drop() }
}

/** The embedded database, and PostgreSQL where DATABASE_URL names a server whose user may create databases. */
export const targets: DatabaseTarget[] = serverUrl
  ? [embeddedTarget, { kind: 'postgres', createDatabase: createPostgresLocation }]
  : [embeddedTarget]
