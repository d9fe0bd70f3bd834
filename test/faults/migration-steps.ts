import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'

export const STEPS = 12

/** Each migration makes a table, fills it and changes the one before, so that half a migration would be seen. */
export async function writeMigrations(folder: string, count = STEPS): Promise<void> {
  await mkdir(join(folder, 'meta'), { recursive: true })
  const entries = Array.from({ length: count }, (_, idx) => ({
    idx,
    version: '7',
    when: 1_700_000_000_000 + idx,
    tag: `${String(idx).padStart(4, '0')}_step`,
    breakpoints: true,
  }))
  for (const { idx, tag } of entries) {
    const previous = idx > 0 ? `ALTER TABLE step_${idx - 1} ADD COLUMN next int;` : 'SELECT 1;'
    await writeFile(
      join(folder, `${tag}.sql`),
      `CREATE TABLE step_${idx} AS SELECT n, md5(n::text) AS filling FROM generate_series(1, 5000) AS n;
--> statement-breakpoint
${previous}`,
    )
  }
  const journal = { version: '7', dialect: 'postgresql', entries }
  await writeFile(join(folder, 'meta', '_journal.json'), JSON.stringify(journal))
}

export async function countSteps(db: Db): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM pg_tables WHERE tablename LIKE 'step\\_%'`,
  )
  return rows[0]?.count ?? -1
}
