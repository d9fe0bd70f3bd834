import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Place } from '#contract/readings.ts'
import { migrate } from '#server/core/database/migrate.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createId } from '#server/core/ids.ts'
import { createJobQueue } from '#server/core/jobs.ts'
import { createLog } from '#server/core/log.ts'
import { createKnowledge, saveEmbeddings } from '#server/documents/knowledge/knowledge.ts'
import type { NumberedPiece, SearchRequest } from '#server/documents/knowledge/knowledge.ts'
import { createAccount, getFunds } from '#server/ledger/ledger.ts'
import { createLlm, loadCatalogue } from '#server/llm/llm.ts'
import { createRuns } from '#server/runs/runs.ts'
import { createTasks } from '#server/tasks/tasks.ts'
import { expectLedgerInvariants } from '../ledger/invariants.ts'
import { createTestDatabase } from '../world/template.ts'
import { startUpstream } from '../world/upstream/upstream.ts'
import { useResource } from '../world/use-world.ts'
import { NO_HOOKS, scriptedModels } from '../world/world.ts'

const log = createLog('silent')

/** The pieces of a test's document: texts, or texts with their places. */
export type TestPiece = string | { text: string; place: Place }

/** An embedding model beside `scripted-embedding`. */
export const SECOND_MODEL = 'second-embedding'
const COIN = 1_000_000n
const OWN_COINS = 50n * COIN

type Options = { embedding_model?: string; rerank_model?: string }

/** Starts knowledge on a database of its own, with documents in memory and models of a scripted upstream. */
export function useKnowledge(models: Options = {}) {
  return useResource(
    () => openKnowledge(models),
    (opened) => opened.close(),
  )
}

async function openKnowledge({ embedding_model = 'off', rerank_model = 'off' }: Options) {
  const dataDir = await mkdtemp(join(tmpdir(), 'wenqu-knowledge-'))
  const own = await createTestDatabase(dataDir)
  const upstream = await startUpstream()
  const file = join(dataDir, 'models.json')
  const { models, ...rest } = scriptedModels(upstream.url)
  const first = models.find(({ id }) => id === 'scripted-embedding')!
  await writeFile(file, JSON.stringify({ ...rest, models: [...models, { ...first, id: SECOND_MODEL }] }))
  const database = await openDatabase({ data_dir: dataDir, database_url: own?.url ?? null, log })
  await migrate(database.db)
  const { db } = database
  const env = { SCRIPTED_KEY: 'k', WENQU_OLLAMA: 'off' }
  const catalogue = loadCatalogue({ file, env, log })
  const completionHooks = { ...NO_HOOKS, indexing: () => saveEmbeddings }
  const runs = createRuns({
    max_given: 1_000_000_000n,
    alert: () => undefined,
    db,
    llm: createLlm({ catalogue, log }),
    log,
    completion_hooks: completionHooks,
    exclusive: true,
  })
  await runs.recover()
  const jobs = await createJobQueue(database, log)
  const tasks = createTasks({ db, jobs, log, exclusive: true })
  await tasks.prepare()
  const sources = new Map<string, TestPiece[]>()
  const readers = new Map<string, (after: number) => Promise<void>>()
  const create = (model: string) => {
    const created = createKnowledge({
      db,
      tasks,
      runs,
      catalogue,
      log,
      embedding_model: model,
      rerank_model,
    })
    created.connect({
      async readPieces(id, after, size) {
        await readers.get(id)?.(after)
        return numberPieces(sources.get(id) ?? []).slice(after, after + size)
      },
    })
    return created
  }
  let knowledge = create(embedding_model)
  await tasks.start()

  const createOwner = async (coins = OWN_COINS) => {
    const userId = createId()
    await db.execute(
      sql`INSERT INTO users (id, guest, name, invite_code) VALUES (${userId}, true, 'x', ${userId})`,
    )
    const accountId = await db.transaction((tx) => createAccount(tx, userId, coins))
    return { user_id: userId, account_id: accountId, budgets: [] }
  }
  const owner = await createOwner()
  const getState = async (id: string) => (await knowledge.listDocuments([id])).get(id)
  const waitUntilIndexed = async (id: string) => {
    await expect.poll(async () => (await getState(id))?.status).toBeGreaterThan(1)
    return (await getState(id))!
  }
  /** Has a document indexed; an existing document gets other content. */
  const index = async (
    title: string,
    pieces: TestPiece[],
    { id = createId(), payer = owner } = {},
  ): Promise<string> => {
    sources.set(id, pieces)
    await db.transaction((tx) => knowledge.index(tx, payer, { document_id: id, title }))
    knowledge.start()
    return id
  }
  return {
    db,
    upstream,
    get knowledge() {
      return knowledge
    },
    /** Changes the setting and starts anew, as an operator does. */
    setEmbeddingModel: (model: string) => void (knowledge = create(model)),
    owner,
    createOwner,
    getState,
    waitUntilIndexed,
    /** Calls `reader` before pieces of a document are read, and waits for it. */
    onRead: (id: string, reader: (after: number) => Promise<void>) => void readers.set(id, reader),
    /** Changes the pieces of a document without telling the indexing. */
    setPieces: (id: string, pieces: TestPiece[]) => void sources.set(id, pieces),
    index,
    getBalance: async ({ user_id }: { user_id: string } = owner) => (await getFunds(db, user_id)).balance,
    /** Lists the texts that an embedding model received so far, by call. */
    listEmbedded: (): string[][] =>
      upstream.requests
        .filter(({ path }) => path.endsWith('/embeddings'))
        .map(({ body }) => (body as { input: string[] }).input),
    /** Does the same, and waits until it is done. */
    async add(title: string, pieces: TestPiece[], id?: string): Promise<string> {
      const documentId = await index(title, pieces, id ? { id } : {})
      expect(await waitUntilIndexed(documentId)).toMatchObject({ status: 2, code: null, progress: null })
      return documentId
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
      await runs.stop()
      catalogue.close()
      await expectLedgerInvariants(db)
      await database.close()
      await upstream.close()
      await own?.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const numberPieces = (pieces: TestPiece[]): NumberedPiece[] =>
  pieces.map((piece, at) => ({
    n: at + 1,
    ...(typeof piece === 'string' ? { text: piece, place: {} } : piece),
  }))
