import type { Db } from '#server/core/database/database.ts'
import type { IdempotencyKey } from '#server/core/idempotency.ts'
import type { Catalogue, ModelEntry } from '#server/llm/llm.ts'
import type { ChatRunRequest, RunHandle, RunRequest, RunResult } from '#server/runs/runs.ts'
import { AppError } from '#server/core/app-error.ts'
import { hashContent } from './abandoned-runs.ts'
import type { AbandonedRun } from './abandoned-runs.ts'
import { createStoreHook } from './background.ts'
import type { ResultStore } from './background.ts'
import type { CachedResult } from './cached-result.ts'
import type { CompletionHook } from './completion-hooks.ts'
import type { CallContext } from './context.ts'
import { createCacheHook, openRunOnce, waitForCachedResult } from './idempotency.ts'
import { continueConversation, createMemoryHook } from './memory.ts'
import type { ContinuedConversation } from './memory.ts'
import { createReasoningHook } from './reasoning.ts'
import { setConversationRun } from './store.ts'

/** The source of a response: a new run, or the run of an earlier call, whose result can be had again. */
export type RunSource = NewRun | { run_id: string; loadCachedResult: () => Promise<CachedResult> }

type NewRun = {
  run_id: string
  handle: RunHandle
  /** Hooks run at its end, and need its text. */
  has_hooks: boolean
  /** The client may come back for the result, so the run goes on without the client. */
  outlives_client: boolean
  /** Hashes the content that the same call has, if it may join the run later: see `createAbandonedRuns`. */
  getContentHash?: () => Promise<string>
}

type RunOptions = {
  request: RunRequest
  /** Input tokens that count for the key's rate. */
  estimateInputTokens: (request: RunRequest) => number
  idempotency: IdempotencyKey | null
  /** The content that the client sent. */
  getContent: () => unknown
  /** The conversation that it continues. */
  memory?: { sess_id: string; model: ModelEntry } | null
  /** It is answered at once, and fetched later. */
  background?: boolean
  /** Where its result is kept for later calls. */
  results?: ResultStore | undefined
}

/** Responds from the source of the run, and forgets the hooks of a new run afterwards. Throws AppError. */
export async function withRunSource(
  context: CallContext,
  options: RunOptions,
  respond: (source: RunSource) => Promise<void>,
): Promise<void> {
  const source = await openRunSource(context, options)
  try {
    await respond(source)
  } finally {
    if ('handle' in source) context.deps.completion_hooks.unregister(source.run_id)
  }
}

/**
 * Opens the run of a call, or finds the run that its client left or that an earlier call under its Idempotency-Key opened. The
 * key, the conversation and the place of the result are committed in the transaction that opens it. Throws AppError.
 */
async function openRunSource(context: CallContext, options: RunOptions): Promise<RunSource> {
  const { deps, key, exchange, endpoint } = context
  const { db, runs, completion_hooks, abandoned_runs } = deps
  const { request, idempotency, memory, background = false, results } = options
  const hooks: CompletionHook[] = results ? [createStoreHook(results)] : []
  if ('prompt' in request && mayThinkBeforeCalls(request, deps.catalogue))
    hooks.push(createReasoningHook(key))
  if (!idempotency && !memory && !background) {
    const getContentHash = (): Promise<string> => hashContent(endpoint, options.getContent)
    const abandoned = await abandoned_runs.join(key.id, getContentHash, exchange.disconnect_signal)
    if (abandoned) return { run_id: abandoned.run_id, loadCachedResult: () => waitForResult(abandoned) }
    await countAgainstRateLimit(context, options, request)
    const handle = await runs.createBatched(request)
    if (hooks.length) completion_hooks.register(handle.run_id, hooks)
    return {
      run_id: handle.run_id,
      handle,
      has_hooks: hooks.length > 0,
      outlives_client: false,
      getContentHash,
    }
  }
  const toNewRun = (handle: RunHandle, outlivesClient: boolean): RunSource => {
    completion_hooks.register(handle.run_id, hooks)
    return { run_id: handle.run_id, handle, has_hooks: true, outlives_client: outlivesClient }
  }
  if (!idempotency) {
    const handle = await db.transaction((tx) => openRun(tx, context, options, hooks))
    return toNewRun(handle, background)
  }
  const keyed = { key, idempotency }
  const claimed = await db.transaction((tx) =>
    openRunOnce(tx, keyed, () => openRun(tx, context, options, hooks)),
  )
  if ('existing_run_id' in claimed) {
    const runId = claimed.existing_run_id
    const { disconnect_signal } = exchange
    return {
      run_id: runId,
      loadCachedResult: () => waitForCachedResult({ db, runs, ...keyed, run_id: runId, disconnect_signal }),
    }
  }
  hooks.push(createCacheHook(keyed))
  return toNewRun(claimed, true)
}

const mayThinkBeforeCalls = ({ model, prompt }: ChatRunRequest, catalogue: Catalogue): boolean =>
  Boolean(prompt.tools?.length && catalogue.getModel(model)?.capabilities.includes('reasoning'))

/** Opens the run with its conversation and the place of its result, and adds the conversation's hook to `hooks`. */
async function openRun(
  tx: Db,
  context: CallContext,
  options: RunOptions,
  hooks: CompletionHook[],
): Promise<RunHandle> {
  const { deps } = context
  const { request, conversation } = await loadMemory(tx, context, options)
  await countAgainstRateLimit(context, options, request)
  const handle = await deps.runs.create(tx, request)
  const { run_id } = handle
  if (conversation) {
    await setConversationRun(tx, conversation.conversation_id, run_id)
    hooks.push(createMemoryHook(conversation))
  }
  await options.results?.begin?.(tx, run_id)
  return handle
}

/**
 * Throws AppError when a call could not pay for `request`, unless its Idempotency-Key has had its run. Holds and claims nothing.
 * For calls that cost work before there can be a hold.
 */
export async function requireAffordable(
  { deps, key }: CallContext,
  { request, idempotency }: Pick<RunOptions, 'request' | 'idempotency'>,
): Promise<void> {
  const rollback = new Error('it was only a question')
  try {
    await deps.db.transaction(async (tx) => {
      const open = (): Promise<RunHandle> => deps.runs.create(tx, request)
      await (idempotency ? openRunOnce(tx, { key, idempotency }, open) : open())
      throw rollback
    })
  } catch (error) {
    if (error !== rollback) throw error
  }
}

/** The request with the remembered turns of its conversation. */
async function loadMemory(
  tx: Db,
  { key }: CallContext,
  { request, memory }: RunOptions,
): Promise<{ request: RunRequest; conversation: ContinuedConversation | null }> {
  if (!memory || 'operation' in request) return { request, conversation: null }
  const { prompt } = request
  const conversation = await continueConversation(tx, { key, ...memory, messages: prompt.messages })
  return { request: { ...request, prompt: { ...prompt, messages: conversation.prompt } }, conversation }
}

const countAgainstRateLimit = (
  { deps, key, exchange }: CallContext,
  { estimateInputTokens }: RunOptions,
  request: RunRequest,
): Promise<void> => deps.rate_limits.countInputTokens(key, exchange, () => estimateInputTokens(request))

/** Throws AppError for a run that failed. */
async function waitForResult({ result }: Pick<AbandonedRun, 'result'>): Promise<CachedResult> {
  const cachedResult = await result
  throwIfFailed(cachedResult)
  return cachedResult
}

/**
 * Executes a new run into `output`. A client that disconnects stops it, unless the client may come back: a client to which
 * nothing was sent yet may, for a while. Never rejects.
 */
export async function executeRun(
  { deps, key, exchange }: CallContext,
  { run_id, handle, outlives_client, getContentHash }: NewRun,
  output: Parameters<RunHandle['executeTo']>[0],
): Promise<RunResult> {
  const stopped = new AbortController()
  const stop = (): void => stopped.abort()
  const result = handle.executeTo(output, stopped.signal).then((settled) => settled.result)
  const { disconnect_signal, response } = exchange
  const onLeave = async (): Promise<void> => {
    if (!getContentHash || response.headersSent) return stop()
    deps.abandoned_runs.add(key.id, { run_id, content_hash: await getContentHash(), result, stop })
  }
  if (!outlives_client && disconnect_signal.aborted) void onLeave()
  else if (!outlives_client) disconnect_signal.addEventListener('abort', () => void onLeave(), { once: true })
  return result
}

/** The whole result of a source. Throws AppError when it did not come whole. */
export async function loadWholeResult(context: CallContext, source: RunSource): Promise<CachedResult> {
  const result =
    'loadCachedResult' in source
      ? await source.loadCachedResult()
      : await executeRun(context, source, { type: 'buffer' })
  throwIfFailed(result)
  return result
}

/** Throws AppError for a run whose output did not come whole. */
export function throwIfFailed({ state, code, retry_after, rejection }: CachedResult): void {
  if (state !== 'done') throw new AppError(code ?? 'interrupted', { retry_after, rejection })
}
