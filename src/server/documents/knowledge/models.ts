import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import { createId } from '#server/core/ids.ts'
import { filterObjects, getField } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import {
  canUseModel,
  createEmbeddingsOperation,
  createRerankOperation,
  DEFAULT_PREFERENCE,
} from '#server/llm/llm.ts'
import type { Catalogue, Operation } from '#server/llm/llm.ts'
import type { CompletionHook, Payer, RunHandle, Runs, SettledRun } from '#server/runs/runs.ts'
import * as store from './store.ts'
import { packVectors, toVector } from './vectors.ts'
import type { Vector } from './vectors.ts'

export type ModelDeps = {
  runs: Runs
  catalogue: Catalogue
  /** `auto` for the first of the models file that can be used, `off` for none, or a model's id. */
  embedding_model: string
  rerank_model: string
}

/** Longest wait for a step that only makes the result better, ms. */
const EMBEDDING_DEADLINE_MS = 3_000
const RERANK_DEADLINE_MS = 2_000

/** Finds the model that makes vectors, or reranks; null where there is none. */
export function findModel(deps: ModelDeps, type: 'embedding' | 'rerank'): string | null {
  const configuredModel = type === 'embedding' ? deps.embedding_model : deps.rerank_model
  const { catalogue } = deps
  const models = catalogue.listModels().filter(({ id }) => canUseModel(catalogue, id, { type }))
  return (
    (configuredModel === 'auto' ? models[0] : models.find(({ id }) => id === configuredModel))?.id ?? null
  )
}

type Batch = { document_id: string; model: string; texts: string[]; hashes: Uint8Array }

/**
 * Has the vectors of texts made by a run of its own. They are stored when it is settled (`saveEmbeddings`), so that a process
 * that dies neither loses them nor pays twice. `charged` is in micro-coins. Throws AppError: not affordable, or the run's
 * failure; throws the reason of the signal.
 */
export async function embedBatch(
  { db, runs }: Pick<ModelDeps, 'runs'> & { db: Db },
  payer: Payer,
  { document_id, model, texts, hashes }: Batch,
  signal: AbortSignal,
): Promise<{ vectors: Vector[]; charged: bigint }> {
  const id = createId()
  const run = await db.transaction(async (tx) => {
    await store.insertBatch(tx, { id, document_id, model, hashes })
    return runs.create(tx, {
      ...toRun(payer, model),
      kind: 'indexing',
      subject_id: id,
      operation: createEmbeddingsOperation(model, { input: texts }),
    })
  })
  const { result, charged } = await execute(run, signal)
  if (result.code) throw new AppError(result.code)
  const vectors = readVectors(result.operation_output, texts.length)
  if (!vectors) throw new AppError('upstream_malformed')
  return { vectors, charged }
}

/** Stores the vectors that runs made, in the transaction that charges for them. */
export const saveEmbeddings: CompletionHook = async (tx, settled) => {
  for (const { subject_id, result } of settled) {
    const vectors = readVectors(result.operation_output)
    if (vectors) await store.saveBatch(tx, subject_id, packVectors(vectors))
  }
}

/** Returns the vector of a question. Throws AppError, or the reason of the signal. */
export async function embedQuestion(
  { runs }: Pick<ModelDeps, 'runs'>,
  payer: Payer,
  { model, question }: { model: string; question: string },
  signal: AbortSignal,
): Promise<Vector> {
  const operation = createEmbeddingsOperation(model, { input: [question] })
  const answer = await ask(runs, payer, { model, operation, deadline_ms: EMBEDDING_DEADLINE_MS }, signal)
  const [vector] = readVectors({ type: 'json', answer }, 1) ?? []
  if (!vector) throw new AppError('upstream_malformed')
  return vector
}

/** Ranks texts by their relevance to a question; returns their indexes. Throws AppError, or the reason of the signal. */
export async function rerank(
  { runs }: Pick<ModelDeps, 'runs'>,
  payer: Payer,
  { model, question, texts }: { model: string; question: string; texts: string[] },
  signal: AbortSignal,
): Promise<number[]> {
  const operation = createRerankOperation(model, { query: question, documents: texts, top_n: texts.length })
  const answer = await ask(runs, payer, { model, operation, deadline_ms: RERANK_DEADLINE_MS }, signal)
  const results = filterObjects(answer.results).map((one) => ({
    at: Number(one.index),
    score: Number(one.relevance_score),
  }))
  const valid = results.filter(
    ({ at, score }) => Number.isInteger(at) && at in texts && Number.isFinite(score),
  )
  if (!valid.length) throw new AppError('upstream_malformed')
  return [...new Set(valid.sort((a, b) => b.score - a.score).map(({ at }) => at))]
}

const toRun = ({ user_id, account_id, budgets }: Payer, model: string) => ({
  user_id,
  account_id,
  budgets,
  model,
  preference: DEFAULT_PREFERENCE,
  free: false,
})

async function ask(
  runs: Runs,
  payer: Payer,
  { model, operation, deadline_ms }: { model: string; operation: Operation; deadline_ms: number },
  signal: AbortSignal,
): Promise<JsonObject> {
  const deadline = AbortSignal.timeout(deadline_ms)
  const run = await runs.createBatched({
    ...toRun(payer, model),
    kind: 'retrieval',
    subject_id: createId(),
    operation,
  })
  const { result } = await execute(run, AbortSignal.any([signal, deadline]))
  const output = result.operation_output
  if (result.code || output?.type !== 'json') throw new AppError(result.code ?? 'upstream_empty')
  return output.answer
}

/** Executes a run to its end; where the signal aborts it, throws its reason. */
async function execute(run: RunHandle, signal: AbortSignal): Promise<SettledRun> {
  const settled = await run.executeTo({ type: 'buffer' }, signal)
  signal.throwIfAborted()
  return settled
}

/** Reads the vectors of an answer in the order of the texts; null where not every text has one, or they differ in length. */
function readVectors(
  output: { type: string; answer?: JsonObject } | undefined,
  count?: number,
): Vector[] | null {
  const data = filterObjects(getField(output?.answer, 'data'))
  const ordered = data.toSorted((a, b) => Number(a.index) - Number(b.index))
  const vectors = ordered.map(({ embedding }) => toVector(embedding))
  const [first] = vectors
  const isWhole = (vector: Vector | null): vector is Vector => vector?.values.length === first?.values.length
  if (!first || (count !== undefined && vectors.length !== count)) return null
  return vectors.every(isWhole) ? vectors : null
}
