import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEgress } from '#server/core/egress/egress.ts'
import { upload, waitUntilRead } from '../files/upload.ts'
import type { Client } from '../world/client.ts'
import { lockRows, waitForWaiting } from '../world/locks.ts'
import { useOwnWorld } from '../world/use-world.ts'

/** Stands for a site of the public internet: each of its addresses is another page. */
let site: Server
beforeAll(async () => {
  site = createServer((request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<p>${request.url}</p>`)
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
})
afterAll(() => void site.close())
const egress = createEgress({
  resolve: async () => ['127.0.0.1'],
  isAllowedAddress: () => true,
  isAllowedPort: () => true,
})

const world = useOwnWorld({ egress })
let client: Client
beforeAll(async () => {
  client = await world.user()
})

const extract = async (path: string) => {
  const url = `http://site.example:${(site.address() as AddressInfo).port}${path}`
  return (await client.call('GET /api/block/link/extract', { query: { url, channel: 'dati' } })).data
}
const get = (id: string) => client.call('GET /api/block/{id}', { params: { id } })
const remove = (id: string) => client.call('DELETE /api/block/{id}', { params: { id } })

test('a link that is saved again while its block is being deleted has a block afterwards', async () => {
  const { id, url } = await extract('/twice')
  await waitUntilRead(client, id)
  // The deletion waits here, after deleting the block; a request that saves the file waits for it.
  const lock = await lockRows(world.db(), sql`LOCK TABLE documents IN EXCLUSIVE MODE`)
  const deleting = remove(id)
  await waitForWaiting(world.db(), 1)
  const saving = extract('/twice')
  await waitForWaiting(world.db(), 2)
  await lock.release()
  const [saved] = await Promise.all([saving, deleting])
  expect((await get(saved.id)).data.url).toBe(url)
})

test('what was saved is answered with, also where it is deleted before the answer', async () => {
  // The file is saved behind the first lock; behind the second, still held, it is deleted at once.
  const tasks = await lockRows(world.db(), sql`LOCK TABLE tasks IN EXCLUSIVE MODE`)
  const saving = upload(world, client, { name: '刹那.md', content: '# 刹那\n\n一刹那九百生灭。' })
  await waitForWaiting(world.db(), 1)
  const deleting = world.db().transaction(async (tx) => {
    await tx.execute(sql`LOCK TABLE blocks IN ACCESS EXCLUSIVE MODE`)
    await tx.execute(sql`DELETE FROM blocks WHERE name = '刹那.md'`)
  })
  await waitForWaiting(world.db(), 2)
  await tasks.release()
  const [saved] = await Promise.all([saving, deleting])
  expect(saved.name).toBe('刹那.md')
})

test('a link that is saved twice is one file, whose object the other copy leaves alone', async () => {
  const { rows } = await world.db().execute<{ id: string }>(sql`SELECT user_id AS id FROM files LIMIT 1`)
  const own = join(world.data_dir, 'files', 'objects', 's', rows[0]!.id)
  const before = (await readdir(own)).length
  const saved = [await extract('/one'), await extract('/other'), await extract('/other')]
  expect(await readdir(own)).toHaveLength(before + 2)
  for (const { id } of saved) expect((await waitUntilRead(client, id)).status).toBe(2)
})
