import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../world/client.ts'
import { useAppProcess } from '../world/use-world.ts'

const KILLS = process.env.FAULTS_FULL ? 100 : 2
/** A limit only for failed tests: after a kill the process starts anew, and on a shared database a sweep is awaited. */
const KILL_LIMIT_MS = 75_000
const ANSWER = Array.from({ length: 400 }, (_, n) => `第${n}句。`).join('')

const app = useAppProcess({ SIGNUP_COINS: '1000' })
let client: Client
beforeAll(async () => {
  client = await app.user('kill@example.com')
})

/** Reads a turn's answer until the process dies; returns the text that a person would have seen. */
async function readUntilKilled(chatId: string, death: () => Promise<void>): Promise<string> {
  let seen = ''
  const dying = death()
  try {
    for await (const { data } of client.events(chatId)) {
      if (data !== '[DONE]') seen += (JSON.parse(data) as { delta_content?: string }).delta_content ?? ''
    }
  } catch {
    // The broken connection is intended.
  }
  await dying
  return seen
}

test(
  `after ${KILLS} kills in mid-answer every question and all seen text is there, marked, charged once`,
  { timeout: (KILLS + 2) * KILL_LIMIT_MS },
  async () => {
    app.upstream.script('scripted-paid', { text: ANSWER, chars: 6, every_ms: 3 })
    let [charged, spent] = [0, 0]
    for (let round = 0; round < KILLS; round++) {
      const { chat_message, session } = await client.call('POST /api/chat/create', {
        body: { prompt: `问题${round}`, model: 'scripted-paid', sess_id: null },
      })
      const seen = await readUntilKilled(chat_message.chat_id, async () => {
        await sleep(Math.random() * 900)
        await app.kill()
      })
      await app.start()

      const read = async () =>
        (await client.call('GET /api/chat/messages', { query: { sess_id: session.id } })).messages.slice(-2)
      // On a shared database the next sweep notices.
      await expect.poll(async () => (await read())[1]!.status, { timeout: 60_000 }).not.toBe('typing')
      const [question, answer] = await read()
      expect(question).toMatchObject({ role: 'human', text: `问题${round}` })
      // An answer without a word of its own shows the server's.
      const words = answer!.text === answer!.error ? '' : answer!.text
      expect(words.startsWith(seen)).toBe(true)
      expect(ANSWER.startsWith(words)).toBe(true)
      if (answer!.status === 'interrupted') {
        expect(answer!.error).toBe('回答因服务重启而中断，已保留收到的内容，可重新生成')
      } else expect([answer!.status, answer!.text]).toEqual(['done', ANSWER])
      // Not the balance, which has two decimals: few words cost less.
      const { total, stats } = await client.call('GET /api/user/transactions', {
        query: { action: 'charge' },
      })
      expect(stats.total_out > spent).toBe(words.length > 0)
      spent = stats.total_out
      if (words.length > 0) charged += 1
      expect(total).toBe(charged)
    }
    const again = await client.ask('', { regen: true, model: 'scripted-paid' })
    expect(again).toMatchObject({ text: ANSWER, end: '[DONE]' })
  },
)

test('asked to stop, it tells the readers, keeps what was said and exits cleanly', async () => {
  app.upstream.script('scripted', { text: ANSWER, chars: 6, stall: 20 })
  const { chat_message } = await client.call('POST /api/chat/create', {
    body: { prompt: '停', model: 'scripted' },
  })
  const events = client.events(chat_message.chat_id)
  await events.next()
  const stopped = app.terminate()
  let last = ''
  for await (const { data } of events) last = data
  expect(JSON.parse(last)).toMatchObject({ error: { code: 'interrupted' } })
  expect(await stopped).toBe(0)
  await app.start()
  const { messages } = await client.call('GET /api/chat/messages', {})
  expect(messages.at(-1)).toMatchObject({ status: 'interrupted', chat_id: chat_message.chat_id })
  expect(messages.at(-1)!.text.length).toBeGreaterThan(0)
})
