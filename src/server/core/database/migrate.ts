import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { MigrationMeta } from 'drizzle-orm/migrator'
import type { Db } from './database.ts'

const DEFAULT_FOLDER = fileURLToPath(new URL('../../../../migrations', import.meta.url))

/**
 * Applies the missing migrations in one transaction: a process killed at any moment leaves all or nothing, and when several start
 * at once, the others wait for the first. drizzle's own runner neither locks nor notices a migration that is older than the last
 * one applied. Its table is kept, so that drizzle-kit understands it.
 */
export async function migrate(db: Db, migrationsFolder: string = DEFAULT_FOLDER): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder })
  await db.transaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended('migrations', 0))`)
    const applied = await listAppliedHashes(tx)
    for (const migration of migrations) {
      const hash = applied.get(migration.folderMillis)
      if (hash === undefined) await applyMigration(tx, migration)
      else if (hash !== migration.hash) {
        const date = new Date(migration.folderMillis).toISOString()
        throw new Error(
          `the migration of ${date} in ${migrationsFolder} was changed after it had been applied`,
        )
      }
    }
  })
}

/** Returns the time of each migration in the journal (ms) → the hash of its file. */
async function listAppliedHashes(tx: Db): Promise<Map<number, string>> {
  await tx.execute(sql`CREATE SCHEMA IF NOT EXISTS drizzle`)
  await tx.execute(sql`
    CREATE TABLE IF NOT EXISTS drizzle.__drizzle_migrations
    (id serial PRIMARY KEY, hash text NOT NULL, created_at bigint)`)
  const { rows } = await tx.execute<{ hash: string; created_at: string }>(
    sql`SELECT hash, created_at FROM drizzle.__drizzle_migrations`,
  )
  return new Map(rows.map((row) => [Number(row.created_at), row.hash]))
}

async function applyMigration(tx: Db, { sql: statements, hash, folderMillis }: MigrationMeta): Promise<void> {
  for (const statement of statements) await tx.execute(sql.raw(statement))
  await tx.execute(
    sql`INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES (${hash}, ${folderMillis})`,
  )
}
