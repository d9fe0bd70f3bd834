import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Place } from '#contract/readings.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createId } from '#server/core/ids.ts'
import { createJobQueue } from '#server/core/jobs.ts'
import { createLog } from '#server/core/log.ts'
import { createKnowledge } from '#server/knowledge/knowledge.ts'
import type { NumberedPiece, SearchRequest } from '#server/knowledge/knowledge.ts'
import { createTasks } from '#server/tasks/tasks.ts'
import { createTestDatabase } from '../world/template.ts'
import { useResource } from '../world/use-world.ts'

const log = createLog('silent')

/** What a test's document consists of: texts, or texts with their places. */
export type TestPiece = string | { text: string; place: Place }

/** Knowledge on a database of its own, with documents that are in memory. */
export function useKnowledge() {
  return useResource(
    async () => {
      const data_dir = await mkdtemp(join(tmpdir(), 'wenqu-knowledge-'))
      const own = await createTestDatabase(data_dir)
      const database = await openDatabase({ data_dir, database_url: own?.url ?? null, log })
      const { db } = database
      const jobs = await createJobQueue(database, log)
      const tasks = createTasks({ db, jobs, log, exclusive: true })
      await tasks.prepare()
      const knowledge = createKnowledge({ db, tasks })
      const sources = new Map<string, TestPiece[]>()
      knowledge.connect({
        readPieces: async (id, after, size) => number(sources.get(id) ?? []).slice(after, after + size),
      })
      await tasks.start()
      const owner = await createOwner()

      async function createOwner() {
        const user_id = createId()
        await db.execute(
          sql`INSERT INTO users (id, guest, name, invite_code) VALUES (${user_id}, true, 'x', ${user_id})`,
        )
        return { user_id, account_id: createId() }
      }
      const getState = async (id: string) => (await knowledge.listDocuments([id])).get(id)
      const waitUntilIndexed = async (id: string) => {
        await expect.poll(async () => (await getState(id))?.status, { timeout: 20_000 }).toBeGreaterThan(1)
        return (await getState(id))!
      }
      /** Has a document indexed; one that is there has other content then. */
      const index = async (title: string, pieces: TestPiece[], id = createId()): Promise<string> => {
        sources.set(id, pieces)
        await db.transaction((tx) => knowledge.index(tx, owner, { document_id: id, title }))
        knowledge.start()
        return id
      }
      return {
        db,
        knowledge,
        owner,
        createOwner,
        getState,
        waitUntilIndexed,
        index,
        /** The same, until it is done. */
        async add(title: string, pieces: TestPiece[], id?: string): Promise<string> {
          const document_id = await index(title, pieces, id)
          expect(await waitUntilIndexed(document_id)).toMatchObject({ status: 2, code: null, progress: null })
          return document_id
        },
        search: (documents: string[], question: string, more: Partial<SearchRequest> = {}) =>
          knowledge.search({
            ...owner,
            documents,
            question,
            max_chars: 10_000,
            signal: new AbortController().signal,
            ...more,
          }),
        async close() {
          await jobs.stop()
          await tasks.stop()
          await database.close()
          await own?.drop()
          await rm(data_dir, { recursive: true, force: true })
        },
      }
    },
    (opened) => opened.close(),
  )
}

const number = (pieces: TestPiece[]): NumberedPiece[] =>
  pieces.map((piece, at) => ({
    n: at + 1,
    ...(typeof piece === 'string' ? { text: piece, place: {} } : piece),
  }))
