import { expect, test } from 'vitest'
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

test('a question is asked aloud: its words are the recording’s, which stays with it', async () => {
  const client = await world.user()
  world.upstream.script('scripted-asr', { answer: { text: '源头在哪里？' } })
  world.upstream.script('scripted', { text: '在山里。' })
  const { id } = await upload(world, client, await record(1))
  const asked = { prompt: '', block: id, content_type: 'audio' as const }
  await waitUntilRead(client, id)
  const { chat_message } = await client.call('POST /api/chat/create', {
    body: { ...asked, model: 'scripted' },
  })
  await client.call('POST /api/chat/completions', { query: { chat_id: chat_message.chat_id } })
  expect((world.upstream.requests.at(-1)!.body as { messages: object[] }).messages.at(-1)).toEqual({
    role: 'user',
    content: '源头在哪里？',
  })
  const { messages } = await client.call('GET /api/chat/messages', {
    query: { sess_id: chat_message.sess_id },
  })
  expect(messages[0]).toMatchObject({ text: '源头在哪里？', content_type: 'audio', block: id })
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
