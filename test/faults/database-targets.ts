import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createLog } from '#server/core/log.ts'

/** Where a fresh database is: a folder for the embedded one, a URL for PostgreSQL. */
export type DatabaseLocation = { data_dir: string; database_url: string | null }

export type DatabaseTarget = {
  kind: 'pglite' | 'postgres'
  createDatabase: () => Promise<DatabaseLocation & { remove: () => Promise<void> }>
}

/** A data directory without a database. */
export async function createEmptyFolder() {
  const data_dir = await mkdtemp(join(tmpdir(), 'wenqu-database-'))
  return { data_dir, database_url: null, remove: () => rm(data_dir, { recursive: true, force: true }) }
}

/** Made once a test file, since a first start takes seconds. */
let template: Promise<string> | undefined

afterAll(async () => {
  if (template) await rm(await template, { recursive: true, force: true })
})

async function createTemplate(): Promise<string> {
  const place = await createEmptyFolder()
  const database = await openDatabase({ ...place, log: createLog('silent') })
  await database.close()
  return place.data_dir
}

async function createDatabaseFolder() {
  template ??= createTemplate()
  const place = await createEmptyFolder()
  await cp(await template, place.data_dir, { recursive: true })
  return place
}

export const embeddedTarget: DatabaseTarget = { kind: 'pglite', createDatabase: createDatabaseFolder }

const serverUrl = process.env.DATABASE_URL

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function createPostgresLocation(server: string) {
  const name = `faults_${randomBytes(6).toString('hex')}`
  await runStatement(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    data_dir: '/nonexistent',
    database_url: url.href,
    remove: () => runStatement(server, `DROP DATABASE ${name} WITH (FORCE)`),
  }
}

/** The embedded database, and PostgreSQL where DATABASE_URL names a server whose user may create databases. */
export const targets: DatabaseTarget[] = serverUrl
  ? [embeddedTarget, { kind: 'postgres', createDatabase: () => createPostgresLocation(serverUrl) }]
  : [embeddedTarget]
