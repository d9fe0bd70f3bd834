import { readFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Db } from '#server/core/database/database.ts'
import { useOwnWorld } from '../world/use-world.ts'

const world = useOwnWorld()

/** Functions by the file that has their text. */
const FUNCTIONS = {
  'src/server/ledger/functions.sql': ['ledger_hold', 'ledger_lock', 'ledger_settle'],
  'src/server/runs/functions.sql': ['run_create', 'run_settle'],
}

/** Reads the definitions of the functions about money, by name. */
async function readFunctions(db: Db) {
  const { rows } = await db.execute<{ name: string; definition: string }>(sql`
    SELECT proname AS name, pg_get_functiondef(oid) AS definition FROM pg_proc
    WHERE proname LIKE 'ledger\\_%' OR proname LIKE 'run\\_%' ORDER BY proname`)
  return rows
}

async function readStatements(file: string): Promise<string[]> {
  const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8')
  return text.split(/^(?=CREATE )/m).filter((part) => part.startsWith('CREATE '))
}

test('the files of functions are what the migrations leave in the database', async () => {
  const migrated = await readFunctions(world.db())
  expect(migrated.map(({ name }) => name)).toEqual(Object.values(FUNCTIONS).flat())
  await world.db().transaction(async (tx) => {
    for (const { name } of migrated) await tx.execute(sql.raw(`DROP FUNCTION ${name}`))
    for (const file of Object.keys(FUNCTIONS)) {
      for (const statement of await readStatements(file)) await tx.execute(sql.raw(statement))
    }
    expect(await readFunctions(tx)).toEqual(migrated)
  })
})

test('the functions of the ledger know nothing of runs', async () => {
  const functions = await readFunctions(world.db())
  const ledger = functions.filter(({ name }) => name.startsWith('ledger_'))
  for (const { definition } of ledger) expect(definition).not.toMatch(/\bruns?(_|\b)/)
})
