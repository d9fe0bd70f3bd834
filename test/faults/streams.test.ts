import { sql } from 'drizzle-orm'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createLog } from '#server/core/log.ts'
import { expectLedgerInvariants } from '../ledger/invariants.ts'
import { useAppProcess } from '../world/use-world.ts'

const STREAMS = process.env.FAULTS_FULL ? 2_000 : 100
const body = {
  model: 'scripted-paid',
  stream: true,
  max_tokens: 500,
  messages: [{ role: 'user', content: '慢慢说' }],
}

const app = useAppProcess({ SIGNUP_COINS: '10000' })
/** Keys of two accounts: one may not have all the calls of a process. */
let authorizations: string[]
beforeAll(async () => {
  authorizations = await Promise.all(
    ['streams@example.com', 'more@example.com'].map(async (email) => {
      const client = await app.user(email)
      return `Bearer ${(await client.call('POST /api/api_keys', { body: { name: '长流' } })).raw_value}`
    }),
  )
})

type ReadStream = { text: string; last: string }

/** Reads one stream to its end; calls `onText` with its first text. */
async function readStream(authorization: string, onText: () => void): Promise<ReadStream> {
  const headers = { authorization, 'content-type': 'application/json' }
  const url = `${app.url}/api/v1/chat/completions`
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  const received: ReadStream = { text: '', last: '' }
  const events = response
    .body!.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
  for await (const { data } of events) {
    received.last = data
    const text = (JSON.parse(data) as { choices?: { delta: { content?: string } }[] }).choices?.[0]?.delta
      .content
    if (text && !received.text) onText()
    received.text += text ?? ''
  }
  return received
}

test(
  `asked to stop with ${STREAMS} slow streams open, each reader gets the reason, and pays for what it received`,
  { timeout: 600_000 },
  async () => {
    app.upstream.script('scripted-paid', {
      text: '一句话。'.repeat(400),
      chars: 4,
      every_ms: 1_000,
      usage: null,
    })
    let speaking = 0
    const spoken = Promise.withResolvers<void>()
    const onText = (): void => {
      speaking += 1
      if (speaking === STREAMS) spoken.resolve()
    }
    const streams = Array.from({ length: STREAMS }, (_, nth) => readStream(authorizations[nth % 2]!, onText))
    // A failing stream ends this wait, too, and its error shows.
    await Promise.race([spoken.promise, Promise.all(streams)])
    const stopped = app.terminate()
    const received = await Promise.all(streams)
    expect(await stopped).toBe(0)
    for (const { text, last } of received) {
      expect(text).not.toBe('')
      expect(JSON.parse(last)).toMatchObject({ error: { code: 'interrupted' } })
    }

    const database = await openDatabase({
      data_dir: app.data_dir,
      database_url: app.env.DATABASE_URL ?? null,
      log: createLog('silent'),
    })
    try {
      const { rows } = await database.db.execute(sql`
        SELECT state, count(*)::int AS runs, count(usage_source)::int AS bills
        FROM runs WHERE kind = 'gateway' GROUP BY state`)
      expect(rows).toEqual([{ state: 'interrupted', runs: STREAMS, bills: STREAMS }])
      await expectLedgerInvariants(database.db)
    } finally {
      await database.close()
    }
  },
)
