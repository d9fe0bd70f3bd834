import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createLog } from '#server/core/log.ts'
import { expectLedgerInvariants } from '../ledger/invariants.ts'
import { useAppProcess } from '../world/use-world.ts'
import { createStreams } from './streams.ts'
import { ANSWER, prepareAnswer } from './killed/answers.ts'
import { prepareAsking } from './killed/asking.ts'
import { prepareFiles } from './killed/files.ts'
import { prepareIndexing } from './killed/indexing.ts'
import { preparePayment } from './killed/payments.ts'
import { prepareTranslation } from './killed/translations.ts'
import { IS_FULL, KILLS } from './killed/work.ts'

const STREAMS = IS_FULL ? 2_000 : 40

const app = useAppProcess({ SIGNUP_COINS: '100000', EMBEDDING_MODEL: 'scripted-embedding' })

test(
  `after ${KILLS} kills with work of every kind under way all of it comes to its end, whole, and is paid once`,
  { timeout: 1_800_000 },
  async () => {
    const startIndexing = await prepareIndexing(app)
    const startTranslation = await prepareTranslation(app)
    const startAsking = await prepareAsking(app)
    const startAnswer = await prepareAnswer(app)
    const startPayment = await preparePayment(app)
    const files = await prepareFiles(app)
    const times: number[] = []
    for (let round = 0; round < KILLS; round++) {
      const slow = await Promise.all([startIndexing(round), startTranslation(round)])
      for (const model of ['scripted-paid', 'twofold-cheap'])
        app.upstream.script(model, { text: ANSWER, chars: 9, every_ms: 1 + (round % 3) })
      const started = [
        ...slow,
        await startAsking(),
        ...(await Promise.all([files.startReading(round), files.startUpload(round), startAnswer(round)])),
      ]
      await sleep(Math.random() * 300)
      started.push(await startPayment())
      await sleep(Math.random() * 20)
      await app.kill({ in_real_time: IS_FULL })
      for (const { resume } of started) resume?.()
      const killed = performance.now()
      await app.start()
      await Promise.all(started.map(({ check }) => check()))
      times.push(performance.now() - killed)
    }
    expect(await files.listFiles('uploads')).toEqual([])
    // In each round a film and a book, another book that is indexed, and a document.
    expect(await files.listFiles('objects')).toHaveLength(4 * KILLS)
    times.sort((a, b) => a - b)
    const [median, slowest] = [times[times.length >> 1]!, times.at(-1)!].map((ms) => (ms / 1000).toFixed(1))
    console.log(`from kill to done: ${median} s in the middle, ${slowest} s at most`)
  },
)

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
    const client = await app.user('listener@example.com')
    const { chat_message } = await client.call('POST /api/chat/create', {
      body: { prompt: '停', model: 'scripted-paid' },
    })
    const events = client.events(chat_message.chat_id)
    await events.next()
    const streams = await createStreams(app, STREAMS)
    const stopped = app.terminate()
    let last = ''
    for await (const { data } of events) last = data
    expect(JSON.parse(last)).toMatchObject({ error: { code: 'interrupted' } })
    for (const { text, last } of await streams.received) {
      expect(text).not.toBe('')
      expect(JSON.parse(last)).toMatchObject({ error: { code: 'interrupted' } })
    }
    expect(await stopped).toBe(0)

    const { db, close } = await openDatabase({
      data_dir: app.data_dir,
      database_url: app.env.DATABASE_URL ?? null,
      log: createLog('silent'),
    })
    try {
      const gateway = await db.execute(sql`
        SELECT state, count(*)::int AS runs, count(usage_source)::int AS bills
        FROM runs WHERE kind = 'gateway' GROUP BY state`)
      expect(gateway.rows).toEqual([{ state: 'interrupted', runs: STREAMS, bills: STREAMS }])
      const answers = await db.execute(sql`
        SELECT status, text <> '' AS has_text FROM chat_messages
        WHERE chat_id = ${chat_message.chat_id} AND role = 'ai'`)
      expect(answers.rows).toEqual([{ status: 'interrupted', has_text: true }])
      // The sums are over all that was killed and stopped.
      await expectLedgerInvariants(db)
      const { rows } = await db.execute(sql`
        SELECT (SELECT count(*)::int FROM runs WHERE state = 'running') AS running,
          (SELECT sum(held)::int FROM ledger_accounts) AS held,
          (SELECT count(*)::int FROM chat_messages m WHERE status = 'typing') AS typing,
          (SELECT count(*)::int FROM chat_messages m JOIN runs r ON r.id = m.run_id
            WHERE (m.text <> '') <> (r.usage_source IS NOT NULL)) AS unbilled,
          (SELECT count(*)::int FROM chat_messages m JOIN runs r ON r.id = m.run_id
            WHERE m.amount <> r.amount) AS mispriced`)
      expect(rows[0]).toEqual({ running: 0, held: 0, typing: 0, unbilled: 0, mispriced: 0 })
    } finally {
      await close()
    }
  },
)
