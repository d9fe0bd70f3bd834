import { expect } from 'vitest'
import type { Client } from '../../world/client.ts'
import type { StartedProcess } from '../../world/use-world.ts'
import { ANSWER } from './answers.ts'
import type { StartedWork } from './work.ts'

const PEOPLE = 4

/** Has people ask again and again: half of them ask one model, the others two side by side. Every answer must have an end. */
export async function prepareAsking(app: StartedProcess): Promise<() => Promise<StartedWork>> {
  const people = await Promise.all(
    Array.from({ length: PEOPLE }, async (_, nth) => {
      const asking =
        nth % 2 > 0
          ? { chatbot: 'compare', models: ['scripted-paid', 'twofold'] }
          : { chatbot: 'dati', model: 'scripted-paid' }
      return { client: await app.user(`p${nth}@example.com`), answers: nth % 2 > 0 ? 2 : 1, asking }
    }),
  )

  /** Asks until the process dies; `acknowledged` collects the turns that the server confirmed. */
  async function askUntilKilled(
    client: Client,
    asking: { chatbot: string },
    acknowledged: string[],
  ): Promise<void> {
    try {
      for (;;) {
        const { chatbot } = asking
        const { session } = await client.call('POST /api/chat/session/new', { body: { chatbot } })
        const body = { prompt: '算一算', ...asking, sess_id: session.id }
        const { chat_message } = await client.call('POST /api/chat/create', { body })
        acknowledged.push(chat_message.chat_id)
        await client.call('POST /api/chat/completions', { query: { chat_id: chat_message.chat_id } })
      }
    } catch {
      // The broken connection is intended.
    }
  }

  return async () => {
    const loads = people.map(({ client, asking, answers }) => {
      const turns: string[] = []
      return { client, answers, turns, load: askUntilKilled(client, asking, turns) }
    })
    await expect.poll(() => loads.every(({ turns }) => turns.length > 0), { timeout: 60_000 }).toBe(true)
    return {
      async check() {
        for (const { client, answers, turns, load } of loads) {
          await load
          for (const chatId of turns) {
            const ended = await client.call('POST /api/chat/completions', { query: { chat_id: chatId } })
            expect(ended.chat_messages).toHaveLength(answers)
            for (const { status, text, error } of ended.chat_messages) {
              expect(['done', 'interrupted']).toContain(status)
              // An answer without a word of its own shows the server's.
              expect(text === error || ANSWER.startsWith(text)).toBe(true)
            }
          }
        }
      },
    }
  }
}
