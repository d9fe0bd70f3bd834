import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'

// No call empties anything that its address or body does not name.

const world = useWorld()
let client: Client
beforeAll(async () => {
  client = await world.user()
})

const send = async (path: string, init: RequestInit) => {
  const response = await client.fetch(path, init)
  return { status: response.status, body: await response.json() }
}
const countMessages = async (sessId: string): Promise<number> =>
  (await client.call('GET /api/chat/messages', { query: { sess_id: sessId } })).messages.length
const empty = (path: string, fields?: object) =>
  send(path, {
    method: 'DELETE',
    ...(fields ? { body: JSON.stringify(fields), headers: { 'Content-Type': 'application/json' } } : {}),
  })

test('a conversation is named in the address or in the body', async () => {
  world.upstream.script('scripted', { text: '答' }, { text: '答' })
  const { sess_id } = await client.ask('留下')
  for (const [path, fields] of [
    ['/api/chat/messages', undefined],
    ['/api/chat/messages', {}],
    ['/api/chat/messages', { chatbot: '' }],
    ['/api/chat/messages', { chatbot: 'dati', sess_id: '' }],
    ['/api/chat/messages', { chatbot: 'nobody' }],
    ['/api/chat/messages?chatbot=fanyi', { chatbot: 'dati' }],
    ['/api/chat/messages?chatbot=dati&chatbot=fanyi', undefined],
    ['/api/compare/messages', undefined],
    ['/api/compare/messages', { chatbot: '' }],
  ] as const)
    expect((await empty(path, fields)).status, `${path} ${JSON.stringify(fields)}`).toBe(422)
  // Another conversation is the current one.
  const other = await client.ask('也留下', {
    sess_id: (await client.call('POST /api/chat/session/new', { body: {} })).session.id,
  })
  expect((await empty('/api/chat/messages', { sess_id })).body).toEqual({ deleted: 2 })
  expect([await countMessages(sess_id), await countMessages(other.sess_id)]).toEqual([0, 2])
  expect((await empty('/api/chat/messages', { chatbot: 'dati' })).body).toEqual({ deleted: 2 })
})

test('a comparison is named in the body too, and no other one is emptied', async () => {
  const create = async () => {
    const { session } = await client.call('POST /api/chat/session/new', { body: { chatbot: 'compare' } })
    const chatbot = `compare-${session.id}`
    await client.call('POST /api/compare/models', { body: { chatbot, model: 'scripted' } })
    return chatbot
  }
  const [named, current] = [await create(), await create()]
  expect((await send('/api/compare/models/clear', { method: 'POST' })).status).toBe(422)
  expect((await send(`/api/compare/models/clear?chatbot=${named}`, { method: 'POST' })).status).toBe(200)
  const read = async (chatbot: string) =>
    (await client.call('GET /api/compare/messages', { query: { chatbot } })).models.length
  expect([await read(named), await read(current)]).toEqual([0, 1])
  expect((await empty('/api/compare/models', { model: 'scripted', chatbot: current })).status).toBe(200)
  expect(await read(current)).toBe(0)
})
