import { expect, test } from 'vitest'
import type { CallRequest } from '#contract/call.ts'
import type { chatCalls } from '#contract/chat.ts'
import { createRecording } from '../gateway/operations/operation-caller.ts'
import { upload, waitUntilRead } from '../files/upload.ts'
import { expectLedgerInvariants } from '../ledger/invariants.ts'
import { useWorld } from '../world/use-world.ts'
import type { CallError, Client } from '../world/client.ts'

const world = useWorld()

const record = async (seconds: number) => ({
  name: '会议.wav',
  type: 'audio/wav',
  content: new Uint8Array(await createRecording(seconds).arrayBuffer()),
})
const getBalance = async (client: Client) => (await client.call('GET /api/credit/balance', {})).balance
const getTexts = async (client: Client, id: string) => {
  const { data } = await client.call('GET /api/block/{id}/detail', { params: { id }, query: {} })
  return data.items.map(({ text, place }) => [text, place])
}

test('a recording is written down by a model that can, and paid by its length', async () => {
  const client = await world.user()
  const segments = [
    { start: 0, end: 1.5, text: '问渠那得清如许？' },
    { start: 1.5, end: 2, text: '为有源头活水来。' },
  ]
  world.upstream.script('scripted-asr', { answer: { segments } })
  const { id } = await upload(world, client, await record(2))
  const block = await waitUntilRead(client, id)
  expect(block).toMatchObject({ status: 2, format: 'recording', pieces: 2, report: { recognised: [1] } })
  expect(await getTexts(client, id)).toEqual([
    ['问渠那得清如许？', { start_ms: 0, end_ms: 1500 }],
    ['为有源头活水来。', { start_ms: 1500, end_ms: 2000 }],
  ])
  // 0.0001 coins a millisecond.
  expect(await getBalance(client)).toBe(49.8)
  await expectLedgerInvariants(world.db())
})

test('a text without times is cut where sentences end', async () => {
  const client = await world.user()
  world.upstream.script('scripted-asr', { answer: { text: '半亩方塘一鉴开，天光云影共徘徊。'.repeat(60) } })
  const { id } = await upload(world, client, await record(1))
  expect((await waitUntilRead(client, id)).pieces).toBe(2)
  for (const [text] of await getTexts(client, id)) expect(text).toMatch(/徘徊。$/)
})

test('what cannot be heard, or not be paid, is a reading that failed with its reason, and costs nothing', async () => {
  const client = await world.user()
  const broken = await upload(world, client, { name: '坏.mp3', type: 'audio/mpeg', content: 'ID3 没有声音' })
  const failed = await waitUntilRead(client, broken.id)
  expect(failed.status).toBe(3)
  expect(failed.error).toMatch(/音频|录音/)
  const long = await upload(world, client, await record(600))
  const unpaid = await waitUntilRead(client, long.id)
  expect([unpaid.status, unpaid.error]).toEqual([3, expect.stringContaining('余额')])
  expect(await getBalance(client)).toBe(50)
})

type Question = CallRequest<(typeof chatCalls)['POST /api/chat/create']>['body']

/** Asks, waits for the answer, and returns the question as the platform received it. */
async function ask(client: Client, body: Question): Promise<{ sess_id: string; content: string }> {
  const { chat_message } = await client.call('POST /api/chat/create', {
    body: { model: 'scripted', ...body },
  })
  const { chat_id, sess_id } = chat_message
  await client.call('POST /api/chat/completions', { query: { chat_id } })
  const sent = world.upstream.requests.at(-1)!.body as { messages: { role: string; content: string }[] }
  return { sess_id, content: sent.messages.at(-1)!.content }
}

/** Uploads a recording whose transcript is this text. */
async function speak(client: Client, text: string): Promise<string> {
  world.upstream.script('scripted-asr', { answer: { text } })
  const { id } = await upload(world, client, await record(1))
  await waitUntilRead(client, id)
  return id
}

test('a question is asked aloud: its words are the recording’s, which stays with it, also when it is asked again', async () => {
  const client = await world.user()
  const id = await speak(client, '源头在哪里？')
  world.upstream.script('scripted', { text: '在山里。' })
  const { sess_id, content } = await ask(client, { prompt: '', block: id, content_type: 'audio' })
  expect(content).toBe('源头在哪里？')
  const query = { query: { sess_id } }
  const { messages } = await client.call('GET /api/chat/messages', query)
  expect(messages[0]).toMatchObject({ text: '源头在哪里？', content_type: 'audio', block: id })
  const again = await ask(client, { sess_id, prompt: '', content_type: 'audio', regen: true })
  expect(again.content).toBe('源头在哪里？')
  expect((await client.call('GET /api/chat/messages', query)).messages[0]).toEqual(messages[0])
  // The recording is no document of the questions after it.
  expect((await ask(client, { sess_id, prompt: '有多远？' })).content).toBe('有多远？')
})

test('a spoken question is about the documents named behind its recording', async () => {
  const client = await world.user()
  const note = await upload(world, client, { name: '笔记.md', content: '源头在武夷山。' })
  await waitUntilRead(client, note.id)
  const id = await speak(client, '源头在哪里？')
  const block = `${id},${note.id}`
  const { sess_id, content } = await ask(client, { prompt: '', block, content_type: 'audio' })
  expect(content).toMatch(/\[1\] 笔记\.md.*源头在武夷山。.*问题：源头在哪里？$/s)
  expect((await ask(client, { sess_id, prompt: '有多远？' })).content).toContain('源头在武夷山。')
})

test('a share of a spoken question has its words, and nothing of its recording', async () => {
  const client = await world.user()
  const id = await speak(client, '源头在哪里？')
  const { url } = (await client.call('GET /api/block/{id}', { params: { id } })).data
  const { sess_id } = await ask(client, { prompt: '', block: id, content_type: 'audio' })
  const { share } = await client.call('GET /api/chat/session/link', { query: { sess_id } })
  const reader = await world.user()
  const shared = await reader.call('GET /api/session/{id}/messages', { params: { id: share.id } })
  expect(shared.messages[0]).toMatchObject({ text: '源头在哪里？', content_type: 'audio' })
  const { session } = await reader.call('POST /api/session/{id}/continue', { params: { id: share.id } })
  const copied = await reader.call('GET /api/chat/messages', { query: { sess_id: session.id } })
  const page = await (await reader.fetch(`/share/${share.id}`)).text()
  for (const shown of [JSON.stringify(shared), JSON.stringify(copied), page]) {
    expect(shown).toContain('源头在哪里？')
    expect(shown).not.toContain(id)
    expect(shown).not.toContain(url)
  }
  expect((await reader.fetch(url)).status).toBe(404)
})

test('only one’s own recording that was written down is a spoken question', async () => {
  const [client, other] = [await world.user(), await world.user()]
  const note = await upload(world, client, { name: '笔记.md', content: '不是录音' })
  await waitUntilRead(client, note.id)
  const foreign = await upload(world, other, await record(1))
  await waitUntilRead(other, foreign.id)
  const ask = (block: string) =>
    client
      .call('POST /api/chat/create', { body: { block, content_type: 'audio' } })
      .catch((error: CallError) => error.body.code)
  expect([await ask(note.id), await ask(foreign.id)]).toEqual(['audio_unavailable', 'not_found'])
})
