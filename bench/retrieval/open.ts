import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { migrate } from '#server/core/database/migrate.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createId } from '#server/core/ids.ts'
import { createJobQueue } from '#server/core/jobs.ts'
import { createLog } from '#server/core/log.ts'
import { createKnowledge, saveEmbeddings } from '#server/knowledge/knowledge.ts'
import type { NumberedPiece } from '#server/knowledge/knowledge.ts'
import { createAccount } from '#server/ledger/ledger.ts'
import { createLlm, loadCatalogue } from '#server/llm/llm.ts'
import { createRuns } from '#server/runs/runs.ts'
import { createTasks } from '#server/tasks/tasks.ts'
import { createPostgresDatabase } from '#test/world/postgres.ts'
import { NO_HOOKS, scriptedModels } from '#test/world/world.ts'

export type BenchKnowledge = Awaited<ReturnType<typeof openBench>>

/** Knowledge on a database of its own; with the address of an embedding model, with vectors. */
export async function openBench(embedding_url: string | null = null) {
  const data_dir = await mkdtemp(join(tmpdir(), 'wenqu-bench-'))
  const own = await createPostgresDatabase(process.env.DATABASE_URL)
  const log = createLog('error')
  const database = await openDatabase({ data_dir, database_url: own?.url ?? null, log })
  const { db } = database
  await migrate(db)
  const file = join(data_dir, 'models.json')
  await writeFile(file, JSON.stringify(scriptedModels(embedding_url ?? 'http://127.0.0.1:9')))
  const catalogue = loadCatalogue({ file, env: { SCRIPTED_KEY: 'k', WENQU_OLLAMA: 'off' }, log })
  const completion_hooks = { ...NO_HOOKS, indexing: () => saveEmbeddings }
  const runs = createRuns({ db, llm: createLlm({ catalogue, log }), log, completion_hooks, exclusive: true })
  await runs.recover()
  const jobs = await createJobQueue(database, log)
  const tasks = createTasks({ db, jobs, log, exclusive: true, limits: { max_running: 4, max_per_user: 4 } })
  await tasks.prepare()
  const embedding_model = embedding_url ? 'scripted-embedding' : 'off'
  const knowledge = createKnowledge({ db, tasks, runs, catalogue, log, embedding_model, rerank_model: 'off' })
  const sources = new Map<string, NumberedPiece[]>()
  knowledge.connect({
    readPieces: async (id, after, size) => sources.get(id)?.slice(after, after + size) ?? [],
  })
  await tasks.start()
  const user_id = createId()
  await db.execute(
    sql`INSERT INTO users (id, guest, name, invite_code) VALUES (${user_id}, true, 'x', ${user_id})`,
  )
  const account_id = await db.transaction((tx) => createAccount(tx, user_id, 1_000_000_000_000n))
  const owner = { user_id, account_id }

  return {
    knowledge,
    /** Indexes documents; resolves when all of them are. */
    async index(documents: { title: string; pieces: NumberedPiece[] }[]): Promise<string[]> {
      const ids = documents.map(({ pieces }) => {
        const id = createId()
        sources.set(id, pieces)
        return id
      })
      for (const [at, { title }] of documents.entries())
        await db.transaction((tx) => knowledge.index(tx, owner, { document_id: ids[at]!, title }))
      knowledge.start()
      for (;;) {
        const states = [...(await knowledge.listDocuments(ids)).values()]
        const failed = states.find(({ status }) => status === 3)
        if (failed) throw new Error(`indexing failed: ${failed.code}`)
        if (states.every(({ status }) => status === 2)) return ids
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    search: (documents: string[], question: string) =>
      knowledge.search({
        ...owner,
        documents,
        question,
        max_chars: 20_000,
        signal: new AbortController().signal,
      }),
    /** Bytes of the words and of the vectors of all documents. */
    async getSize(): Promise<{ words: number; vectors: number }> {
      const { rows } = await db.execute<{ words: number; vectors: number }>(sql`
        SELECT (SELECT coalesce(sum(octet_length(words)), 0)::int FROM document_segments) AS words,
          (SELECT coalesce(sum(octet_length(vectors)), 0)::int FROM document_vectors) AS vectors`)
      return rows[0]!
    },
    async close(): Promise<void> {
      await jobs.stop()
      await tasks.stop()
      await runs.stop()
      catalogue.close()
      await database.close()
      await own?.drop()
      await rm(data_dir, { recursive: true, force: true })
    },
  }
}
