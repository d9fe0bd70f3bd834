// Measures a search in all messages of one person: 50,000 of theirs beside as many of others. `node bench/search.ts [messages]`;
// on PostgreSQL with DATABASE_URL.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { findSessions, indexMessages } from '#server/conversations/search/store.ts'
import { parseWords } from '#server/conversations/search/terms.ts'
import { createId } from '#server/core/ids.ts'
import { migrate } from '#server/core/database/migrate.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createLog } from '#server/core/log.ts'
import { createPostgresDatabase } from '#test/world/postgres.ts'
import { createTextGenerator } from './search/texts.ts'

const MESSAGES = Number(process.argv[2] ?? 50_000)
const PER_SESSION = 50
const OTHERS = 20
const TIMES = 15
const RARE = '渊澄取映'
/** Number of messages with each word, roughly. */
const SEARCHES = { 'rare, four characters': RARE, 'rare, two': RARE.slice(0, 2), 'rare, one': RARE[0]! }

const dataDir = await mkdtemp(join(tmpdir(), 'wenqu-bench-'))
const own = await createPostgresDatabase(process.env.DATABASE_URL)
const database = await openDatabase({
  data_dir: dataDir,
  database_url: own?.url ?? null,
  log: createLog('error'),
})
const { db } = database
await migrate(db)
const { textOf, commonWord, commonCharacter } = createTextGenerator()

async function createUser(messages: number): Promise<{ id: string; ms: number }> {
  const id = createId()
  await db.execute(sql`INSERT INTO users (id, guest, name, invite_code) VALUES (${id}, true, 'x', ${id})`)
  let ms = 0
  for (let done = 0; done < messages; done += PER_SESSION) {
    const sessId = createId()
    await db.execute(
      sql`INSERT INTO chat_sessions (id, user_id, chatbot, title) VALUES (${sessId}, ${id}, 'dati', ${textOf(12)})`,
    )
    const ids = Array.from({ length: PER_SESSION }, createId)
    const rows = ids.map((id, index) => ({
      id,
      sess_id: sessId,
      // Each message follows the one before; the first lies below the session.
      parent_id: ids[index - 1] ?? sessId,
      text: textOf(index % 2 ? 600 : 40) + (done % 10_000 === 0 && index === 0 ? RARE : ''),
    }))
    await db.execute(sql`
      INSERT INTO chat_messages
        (id, sess_id, parent_id, chat_id, role, text, content_type, model, chat_model, stream, status, tools)
      SELECT id, sess_id, parent_id, id, 'ai', text, 'text', 'm', 'm', true, 'done', '[]'
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS e(id uuid, sess_id uuid, parent_id uuid, text text)`)
    const before = performance.now()
    await indexMessages(db, rows)
    ms += performance.now() - before
  }
  return { id, ms }
}

const quantile = (values: number[], q: number): number =>
  values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))]!

for (let n = 0; n < OTHERS; n++) await createUser(Math.round(MESSAGES / OTHERS))
const { id: userId, ms } = await createUser(MESSAGES)
await db.execute(sql`ANALYZE`)
const words = {
  ...SEARCHES,
  'common, two': commonWord,
  'common, one': commonCharacter,
  'two words': `${commonWord} ${RARE.slice(2)}`,
}
const results: Record<string, object> = {}
for (const [name, keywords] of Object.entries(words)) {
  const times: number[] = []
  let total = 0
  for (let n = 0; n < TIMES; n++) {
    const before = performance.now()
    total = (
      await findSessions(db, userId, { chatbot: 'dati', words: parseWords(keywords), size: 30, offset: 0 })
    ).total
    times.push(performance.now() - before)
  }
  results[`${name}: ${keywords}`] = {
    sessions: total,
    'p50 ms': quantile(times, 0.5).toFixed(1),
    'worst ms': Math.max(...times).toFixed(1),
  }
}
const { rows } = await db.execute<{ messages: string; terms: string; index: string }>(sql`
  SELECT pg_size_pretty(pg_total_relation_size('chat_messages')) AS messages,
    pg_size_pretty(pg_table_size('chat_terms')) AS terms, pg_size_pretty(pg_relation_size('chat_terms_terms')) AS index`)
console.log(`${database.kind}: ${MESSAGES} messages of one person, as many of ${OTHERS} others`)
console.table(results)
console.log(`indexing a message: ${(ms / MESSAGES).toFixed(2)} ms;`, rows[0])
await database.close()
await own?.drop()
await rm(dataDir, { recursive: true, force: true })
