import { describe, expect, test } from 'vitest'
import type { ChatMessage } from '#contract/chat.ts'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'
import { readAnswer } from './read-answer.ts'

const world = useWorld()

const PAID = 'scripted-paid'

const getLastMessage = async (client: Client): Promise<ChatMessage> =>
  (await client.call('GET /api/chat/messages', {})).messages.at(-1)!

describe('a long answer', () => {
  const LONG_THOUGHT = Array.from({ length: 5_000 }, (_, nth) => `思${nth}`).join('')
  const LONG_TEXT = Array.from({ length: 10_000 }, (_, nth) => `源${nth}`).join('')

  test('reaches everybody whole: who comes late, who was cut off at any point of it, and the list', async () => {
    const client = await world.user()
    const script = { reasoning: LONG_THOUGHT, text: LONG_TEXT, chars: 2_000, every_ms: 30 }
    world.upstream.script(PAID, { ...script, usage: null, stall: 30 })
    const { chat_message } = await client.call('POST /api/chat/create', {
      body: { prompt: 'x', model: PAID },
    })
    const { chat_id } = chat_message
    const early = readAnswer(client, chat_id)
    const shown = async () => (await getLastMessage(client)).text
    await expect.poll(async () => (await shown()).length, { interval: 100 }).toBe(34_000)
    expect(LONG_TEXT.startsWith(await shown())).toBe(true)
    expect((await getLastMessage(client)).reasoning).toBe(LONG_THOUGHT)

    const runId = (await readAnswer(client, chat_id, '', 1)).ids[0]!.split(':')[0]!
    const positions = [
      [1, 0],
      [9_000, 7_000],
      [20_000, LONG_THOUGHT.length],
      [33_000, LONG_THOUGHT.length],
      [LONG_TEXT.length * 2, 0],
    ] as const
    const late = readAnswer(client, chat_id)
    const resumed = positions.map(([text, reasoning]) =>
      readAnswer(client, chat_id, `${runId}:${text}.${reasoning}`),
    )
    // This request comes after theirs: its answer shows that they have begun to read.
    await shown()
    world.upstream.release()
    for (const one of [await early, await late])
      expect(one).toMatchObject({ reasoning: LONG_THOUGHT, text: LONG_TEXT })
    for (const [nth, [text, reasoning]] of positions.entries()) {
      const rest = await resumed[nth]!
      expect(rest.reasoning).toBe(LONG_THOUGHT.slice(reasoning))
      // A reader beyond the end had another text, and gets this one whole.
      expect(rest.text).toBe(LONG_TEXT.slice(text > LONG_TEXT.length ? 0 : text))
    }
    expect(await getLastMessage(client)).toMatchObject({ reasoning: LONG_THOUGHT, text: LONG_TEXT })
  })

  test('that was stopped or was cut off by a restart keeps all of it', async () => {
    const script = { text: LONG_TEXT, chars: 2_000, every_ms: 30, stall: 20 }
    for (const end of ['stop', 'restart']) {
      const client = await world.user()
      world.upstream.script(PAID, script)
      const { chat_message } = await client.call('POST /api/chat/create', {
        body: { prompt: 'x', model: PAID },
      })
      const shown = async () => (await getLastMessage(client)).text
      await expect.poll(async () => (await shown()).length, { interval: 100 }).toBe(19 * 2_000)
      if (end === 'restart') await world.restart()
      else await client.call('POST /api/chat/cancel', { body: { chat_id: chat_message.chat_id } })
      world.upstream.release()
      expect(await shown()).toBe(LONG_TEXT.slice(0, 19 * 2_000))
    }
  })
})
