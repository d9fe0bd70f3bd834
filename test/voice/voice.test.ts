import { beforeAll, expect, test } from 'vitest'
import { sql } from 'drizzle-orm'
import { MAX_SPOKEN_CHARS } from '#contract/voice.ts'
import type { Client } from '../world/client.ts'
import { expectLedgerInvariants } from '../ledger/invariants.ts'
import { createSound } from '../world/upstream/operations.ts'
import { startWorld } from '../world/world.ts'
import { useOwnWorld } from '../world/use-world.ts'

const world = useOwnWorld()
let client: Client
beforeAll(async () => {
  client = await world.user()
})

const createSpeech = (text: string, by = client) => by.call('POST /api/block/tts', { body: { text } })
const getBalance = async () => (await client.call('GET /api/user/info', {})).balance

test('a text is read aloud and charged by its characters', async () => {
  const before = await getBalance()
  const text = '问渠那得清如许'.repeat(100)
  const { data } = await createSpeech(text)
  expect(data).toBe(`data:audio/mpeg;base64,${createSound(text).toString('base64')}`)
  // 700 characters at 20,000 coins a million.
  expect(await getBalance()).toBe(before - 14)
  const { rows } = await world
    .db()
    .execute<{ kind: string; state: string }>(sql`select kind, state from runs order by id desc limit 1`)
  expect(rows).toEqual([{ kind: 'voice', state: 'done' }])
  await expectLedgerInvariants(world.db())
})

test('a text is read by the voice of the models file, which platforms ask for', async () => {
  await createSpeech('谁在说话')
  expect(world.upstream.requests.at(-1)?.body).toEqual({
    model: 'tts-cheap',
    input: '谁在说话',
    voice: 'anna',
  })
})

test('what cannot be read is refused before anything is held', async () => {
  const asked = world.upstream.requests.length
  for (const text of ['', '  \n', '——……', '字'.repeat(MAX_SPOKEN_CHARS + 1)]) {
    await expect(createSpeech(text)).rejects.toMatchObject({ status: 422 })
  }
  await expect(createSpeech('你好', world.visitor())).rejects.toMatchObject({ status: 401 })
  expect(world.upstream.requests).toHaveLength(asked)
})

test('the platform’s failure is told in our words and costs nothing', async () => {
  const before = await getBalance()
  world.upstream.script('tts-cheap', { status: 500 })
  world.upstream.script('tts-dear', { status: 500 })
  await expect(createSpeech('听得见吗')).rejects.toThrow('502 upstream_failed: 模型服务出错，请重试')
  expect(await getBalance()).toBe(before)
  await expectLedgerInvariants(world.db())
})

test('more than the balance pays for is refused', async () => {
  world.upstream.script('tts-cheap', {})
  const poor = await world.user()
  // An account begins with 50 coins; the dearer platform, which may have to answer, would cost 40 for this.
  const text = '字'.repeat(MAX_SPOKEN_CHARS)
  await createSpeech(text, poor)
  await expect(createSpeech(text, poor)).rejects.toMatchObject({ status: 402 })
  expect((await poor.call('GET /api/user/info', {})).balance).toBe(30)
  await expectLedgerInvariants(world.db())
})

test('whether new answers are read aloud is kept by account', async () => {
  const put = (voiceReply: boolean) =>
    client.call('PUT /api/user/voice_reply', { body: { voice_reply: voiceReply } })
  expect(await put(true)).toEqual({ voice_reply: true })
  expect((await client.call('GET /api/user/info', {})).voice_reply).toBe(true)
  expect((await (await world.user()).call('GET /api/user/info', {})).voice_reply).toBe(false)
  await put(false)
  expect((await client.call('GET /api/user/info', {})).voice_reply).toBe(false)
  await expect(
    world.visitor().call('PUT /api/user/voice_reply', { body: { voice_reply: true } }),
  ).rejects.toMatchObject({ status: 401 })
})

test('where no model speaks or listens, pages say so and the call answers in words', async () => {
  const silent = await startWorld({ env: { SCRIPTED_KEY: '' } })
  try {
    const html = await (await fetch(`${silent.url}/chat`)).text()
    expect(html).toContain('"read_aloud":false,"voice_input":false')
    expect(await (await fetch(`${world.url}/chat`)).text()).toContain('"read_aloud":true,"voice_input":true')
    await expect(createSpeech('你好', await silent.user())).rejects.toMatchObject({ status: 503 })
  } finally {
    await silent.close()
  }
})
