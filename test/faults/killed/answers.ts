import { expect } from 'vitest'
import type { StartedProcess } from '../../world/use-world.ts'
import type { StartedWork } from './work.ts'

export const ANSWER = Array.from({ length: 200 }, (_, n) => `第${n}句。`).join('')

/** Has a person read answers; all that was seen must be there, marked, and charged once. */
export async function prepareAnswer(app: StartedProcess): Promise<(round: number) => Promise<StartedWork>> {
  const client = await app.user('reader@example.com')
  let [charged, spent] = [0, 0]

  /** Reads an answer until the process dies; returns the text that a person would have seen. */
  async function readUntilKilled(chatId: string): Promise<string> {
    let seen = ''
    try {
      for await (const { data } of client.events(chatId)) {
        if (data !== '[DONE]') seen += (JSON.parse(data) as { delta_content?: string }).delta_content ?? ''
      }
    } catch {
      // The broken connection is intended.
    }
    return seen
  }

  return async (round) => {
    const { chat_message, session } = await client.call('POST /api/chat/create', {
      body: { prompt: `问题${round}`, model: 'scripted-paid', sess_id: null },
    })
    const reading = readUntilKilled(chat_message.chat_id)
    return {
      async check() {
        const seen = await reading
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
        if (words.length > 0) charged += 1
        expect(total).toBe(charged)

        const again = await client.ask('', { regen: true, model: 'scripted-paid' })
        expect(again).toMatchObject({ text: ANSWER, end: '[DONE]' })
        charged += 1
        spent = (await client.call('GET /api/user/transactions', { query: { action: 'charge' } })).stats
          .total_out
      },
    }
  }
}
