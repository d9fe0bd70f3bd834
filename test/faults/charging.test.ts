import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createLog } from '#server/core/log.ts'
import type { Client } from '../world/client.ts'
import { expectLedgerInvariants } from '../ledger/invariants.ts'
import { useAppProcess } from '../world/use-world.ts'

const KILLS = process.env.FAULTS_FULL ? 100 : 2
const PEOPLE = 6
const ANSWER = '一句不长不短的话。'.repeat(60)

const app = useAppProcess({ SIGNUP_COINS: '100000' })
let people: Client[]
beforeAll(async () => {
  people = await Promise.all(Array.from({ length: PEOPLE }, (_, nth) => app.user(`p${nth}@example.com`)))
})

/**
 * One person asks again and again until the process dies: half of the people ask one model, the others two side by side;
 * `acknowledged` collects the turns that the server confirmed.
 */
async function askUntilKilled(person: Client, acknowledged: string[]): Promise<void> {
  const isComparing = people.indexOf(person) % 2 > 0
  const asking = isComparing
    ? { chatbot: 'compare', models: ['scripted-paid', 'twofold'] }
    : { chatbot: 'dati', model: 'scripted-paid' }
  try {
    for (;;) {
      const { chatbot } = asking
      const { session } = await person.call('POST /api/chat/session/new', { body: { chatbot } })
      const body = { prompt: '算一算', ...asking, sess_id: session.id }
      const { chat_message } = await person.call('POST /api/chat/create', { body })
      acknowledged.push(chat_message.chat_id)
      await person.call('POST /api/chat/completions', { query: { chat_id: chat_message.chat_id } })
    }
  } catch {
    // The broken connection is intended.
  }
}

test(
  `after ${KILLS} kills under load every run has ended, every hold is closed and the coins add up`,
  { timeout: 1_800_000 },
  async () => {
    const turns = new Map<Client, string[]>(people.map((person) => [person, []]))
    const countTurns = (): number => [...turns.values()].flat().length
    for (let round = 0; round < KILLS; round++) {
      for (const model of ['scripted-paid', 'twofold-cheap'])
        app.upstream.script(model, { text: ANSWER, chars: 9, every_ms: round % 3 })
      const before = countTurns()
      const loads = people.map((person) => askUntilKilled(person, turns.get(person)!))
      await expect.poll(countTurns, { timeout: 60_000 }).toBeGreaterThan(before + PEOPLE)
      await sleep(Math.random() * 900)
      await app.kill()
      await Promise.all(loads)
      await app.start()
    }
    for (const [person, chatIds] of turns) {
      for (const chatId of chatIds) {
        const ended = await person.call('POST /api/chat/completions', { query: { chat_id: chatId } })
        expect(ended.chat_messages).toHaveLength(people.indexOf(person) % 2 ? 2 : 1)
        for (const { status, text, error } of ended.chat_messages) {
          expect(['done', 'interrupted']).toContain(status)
          // An answer without a word of its own shows the server's.
          expect(text === error || ANSWER.startsWith(text)).toBe(true)
        }
      }
    }
    await app.terminate()
    const database = await openDatabase({
      data_dir: app.data_dir,
      database_url: app.env.DATABASE_URL ?? null,
      log: createLog('silent'),
    })
    try {
      await expectLedgerInvariants(database.db)
      const { rows } = await database.db.execute(sql`
      SELECT (SELECT count(*)::int FROM runs WHERE state = 'running') AS running,
        (SELECT sum(held)::int FROM ledger_accounts) AS held,
        (SELECT count(*)::int FROM chat_messages m WHERE status = 'typing') AS typing,
        (SELECT count(*)::int FROM chat_messages m JOIN runs r ON r.id = m.run_id
          WHERE (m.text <> '') <> (r.usage_source IS NOT NULL)) AS unbilled,
        (SELECT count(*)::int FROM chat_messages m JOIN runs r ON r.id = m.run_id
          WHERE m.amount <> r.amount) AS mispriced`)
      expect(rows[0]).toEqual({ running: 0, held: 0, typing: 0, unbilled: 0, mispriced: 0 })
    } finally {
      await database.close()
    }
  },
)
