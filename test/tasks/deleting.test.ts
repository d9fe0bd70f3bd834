import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { Db } from '#server/core/database/database.ts'
import { upload, waitUntilRead } from '../files/upload.ts'
import { makeDocx, replyWith, startTranslation, waitForTranslation } from '../translate/document.ts'
import { lockRows, waitForWaiting } from '../world/locks.ts'
import { useOwnWorld } from '../world/use-world.ts'

const world = useOwnWorld()

const file = { name: '方塘.md', content: '# 方塘\n\n半亩方塘一鉴开。' }

/** Waits until another connection waits for a table that the test has locked. */
const untilAwaited = (tx: Db, table: string) =>
  expect
    .poll(async () => {
      const { rows } = await tx.execute(sql`
        SELECT FROM pg_locks WHERE NOT granted AND relation = ${table}::regclass
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
      return rows.length
    })
    .toBeGreaterThan(0)

/** Tells whether such a statement waits for another connection's lock. */
const isWaiting = async (tx: Db, statement: string): Promise<boolean> => {
  // A transaction would go on seeing its first view.
  await tx.execute(sql`SELECT pg_stat_clear_snapshot()`)
  const { rows } = await tx.execute(sql`
    SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ ${statement}`)
  return rows.length > 0
}

describe('a task that is deleted', () => {
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
      await expect.poll(() => isWaiting(tx, 'DELETE FROM tasks')).toBe(true)
      return { id, deleting: deleting.then(() => 'deleted', String) }
    })
    expect(await deleting).toBe('deleted')
    const { rows } = await world.db().execute(sql`SELECT status, code FROM documents WHERE id = ${id}`)
    // Either may be first when the table is free: the deletion, or the end of what was stored. Nothing is left half indexed.
    expect([
      { status: 3, code: 'index_cancelled' },
      { status: 2, code: null },
    ]).toContainEqual(rows[0])
  })

  test('before its execution has done anything leaves nothing waiting for it', async () => {
    const client = await world.user()
    const { id } = await upload(world, client, file)
    await waitUntilRead(client, id)
    const { deleting } = await world.db().transaction(async (tx) => {
      // The lock is the connection's, not the transaction's, so that it can be released before that ends.
      await tx.execute(sql`SELECT pg_advisory_lock(hashtextextended('tasks', 0))`)
      await client.call('POST /api/block/{id}/retry', { params: { id }, body: {} })
      // The execution looks for its block, and waits for the files.
      await tx.execute(sql`LOCK TABLE files IN ACCESS EXCLUSIVE MODE`)
      await tx.execute(sql`SELECT pg_advisory_unlock(hashtextextended('tasks', 0))`)
      await untilAwaited(tx, 'files')
      const found = sql`SELECT id FROM tasks WHERE state = 'running' AND payload->>'block_id' = ${id}`
      const uuid = (await tx.execute<{ id: string }>(found)).rows[0]!.id
      // The answer comes when the execution has ended.
      const deleting = client.call('DELETE /api/task/{id}', { params: { id: uuid } })
      await expect.poll(async () => (await tx.execute(found)).rows.length).toBe(0)
      return { deleting }
    })
    await deleting
    const { data } = await client.call('GET /api/block/{id}', { params: { id } })
    expect(data).toMatchObject({ status: 3, error: '已停止读取，可以重新读取' })
  })

  test('stops nothing that begins at the same time', async () => {
    world.upstream.script('flat', { reply: replyWith(), stall: 'headers' })
    const start = async () => {
      const client = await world.user()
      const content = makeDocx(['The lake is quiet.'])
      const { task } = await startTranslation(world, client, { name: '湖.docx', content })
      const find = sql`SELECT FROM tasks WHERE id = ${task} AND state = 'running'`
      await expect.poll(async () => (await world.db().execute(find)).rows.length).toBe(1)
      return { client, task }
    }
    const [deleted, other] = [await start(), await start()]
    // The deletion looks at this process's executions while one more begins.
    const lock = await lockRows(world.db(), sql`SELECT FROM tasks WHERE id = ${other.task} FOR UPDATE`)
    const deleting = deleted.client.call('DELETE /api/task/{id}', { params: { id: deleted.task } })
    await waitForWaiting(world.db(), 1)
    const begun = await start()
    await lock.release()
    await deleting
    world.upstream.release()
    for (const { client, task } of [other, begun])
      expect(await waitForTranslation(client, task)).toMatchObject({ status: 2 })
  })
})
