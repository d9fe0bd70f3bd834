import { readFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Db } from '#server/core/database/database.ts'
import { useOwnWorld } from '../world/use-world.ts'

const world = useOwnWorld()

/** Reads the definitions of the ledger's functions, by name. */
async function readFunctions(db: Db) {
  const { rows } = await db.execute<{ name: string; definition: string }>(sql`
    SELECT proname AS name, pg_get_functiondef(oid) AS definition FROM pg_proc
    WHERE proname LIKE 'ledger\\_%' ORDER BY proname`)
  return rows
}

test('functions.sql is what the migrations leave in the database', async () => {
  const migrated = await readFunctions(world.db())
  expect(migrated.map(({ name }) => name)).toEqual(['ledger_hold', 'ledger_settle'])
  const text = await readFile(new URL('../../src/server/ledger/functions.sql', import.meta.url), 'utf8')
  const statements = text.split(/^(?=CREATE )/m).filter((part) => part.startsWith('CREATE '))
  await world.db().transaction(async (tx) => {
    for (const { name } of migrated) {
      await tx.execute(sql.raw(`DROP FUNCTION ${name}`))
    }
    for (const statement of statements) await tx.execute(sql.raw(statement))
    expect(await readFunctions(tx)).toEqual(migrated)
  })
})
