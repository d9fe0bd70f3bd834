import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { Db } from '#server/core/database/database.ts'
import { upload, waitUntilRead } from '../files/upload.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()

const file = { name: '方塘.md', content: '# 方塘\n\n半亩方塘一鉴开。' }

/** Waits until somebody waits for a table that the test has locked. */
const untilAwaited = (tx: Db, table: string) =>
  expect
    .poll(async () => {
      const { rows } = await tx.execute(sql`
        SELECT FROM pg_locks WHERE NOT granted AND relation = ${table}::regclass
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
      return rows.length
    })
    .toBeGreaterThan(0)

// The embedded database has one transaction at a time.
describe.runIf(process.env.DATABASE_URL)('a task that is deleted', () => {
  test('while it stores what it came to is gone, and what it worked on says so', async () => {
    const client = await world.user()
    const { id, deleting } = await world.db().transaction(async (tx) => {
      await tx.execute(sql`LOCK TABLE document_chunks IN SHARE MODE`)
      const { id } = await upload(world, client, { ...file, channel: 'zhiku' })
      await waitUntilRead(client, id)
      await untilAwaited(tx, 'document_chunks')
      const found = sql`SELECT task_id FROM documents WHERE id = ${id}`
      const { task_id } = (await tx.execute<{ task_id: string }>(found)).rows[0]!
      const deleting = client.call('DELETE /api/task/{id}', { params: { id: task_id } })
      await sleep(200)
      return { id, deleting: deleting.then(() => 'deleted', String) }
    })
    expect(await deleting).toBe('deleted')
    const { rows } = await world.db().execute(sql`SELECT status, code FROM documents WHERE id = ${id}`)
    expect(rows).toEqual([{ status: 3, code: 'index_cancelled' }])
  })
})
