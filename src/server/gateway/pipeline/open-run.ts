import type { Db } from '#server/core/database/database.ts'
import type { IdempotencyKey } from '#server/core/idempotency.ts'
import type { GatewayKey } from '#server/keys/keys.ts'
import type { ModelEntry } from '#server/llm/llm.ts'
import type { RunRequest } from '#server/runs/create-run.ts'
import type { RunHandle } from '#server/runs/runs.ts'
import { storeCompletionHook } from './background/background.ts'
import { insertCompletion } from './background/store.ts'
import type { CompletionHook } from './completion-hooks.ts'
import { setConversationRun, continueConversation, createMemoryHook } from './memory/memory.ts'
import type { ContinuedConversation } from './memory/memory.ts'
import { createCacheHook, openRunOnce, waitForCachedResult } from './idempotency.ts'
import type { GatewayDeps as AllParts } from './run-request.ts'
import type { RunSource } from './run-source.ts'

type OpenRunDeps = Pick<AllParts, 'db' | 'runs' | 'completion_hooks' | 'rate_limits'>
type OpenRunOptions = {
  key: GatewayKey
  request: RunRequest
  /** Tokens of the input that count for the key's rate. */
  estimateInputTokens: (request: RunRequest) => number
  idempotency: IdempotencyKey | null
  disconnect_signal: AbortSignal
  /** The conversation that it goes on with. */
  memory?: { sess_id: string; model: ModelEntry } | null
  /** It is answered at once, and fetched later. */
  background?: boolean
}

/**
 * Opens the run of a call, or finds the one that an earlier call under its Idempotency-Key made. What goes with it, the
 * key, the conversation, the place where its answer is kept, becomes true in the same transaction. Throws AppError.
 */
export async function openRunSource(deps: OpenRunDeps, options: OpenRunOptions): Promise<RunSource> {
  const { db, runs, completion_hooks } = deps
  const { key, request, idempotency, disconnect_signal, memory, background = false } = options
  if (!idempotency && !memory && !background) {
    await countAgainstRateLimit(deps, options, request)
    const opened = await runs.createBatched(request)
    return { run_id: opened.run_id, opened, has_idempotency_key: false }
  }
  const hooks: CompletionHook[] = []
  const startSource = (opened: RunHandle, has_idempotency_key: boolean): RunSource => {
    completion_hooks.register(opened.run_id, hooks)
    return { run_id: opened.run_id, opened, has_idempotency_key }
  }
  if (!idempotency) {
    const opened = await db.transaction((tx) => openRunWith(tx, deps, options, hooks))
    return startSource(opened, background)
  }
  const keyed = { user_id: key.user_id, idempotency }
  const claimed = await db.transaction((tx) =>
    openRunOnce(tx, keyed, () => openRunWith(tx, deps, options, hooks)),
  )
  if ('earlier' in claimed) {
    const run_id = claimed.earlier
    return {
      run_id,
      loadCachedResult: () => waitForCachedResult({ db, runs, ...keyed, run_id, disconnect_signal }),
    }
  }
  hooks.push(createCacheHook(keyed))
  return startSource(claimed, true)
}

/** Opens the run with its conversation and its place; `then` is given what its end has to do for them. */
async function openRunWith(
  tx: Db,
  deps: OpenRunDeps,
  options: OpenRunOptions,
  hooks: CompletionHook[],
): Promise<RunHandle> {
  const { user_id } = options.key
  const { request, entered } = await loadMemory(tx, options)
  await countAgainstRateLimit(deps, options, request)
  const opened = await deps.runs.create(tx, request)
  const { run_id } = opened
  if (entered) {
    await setConversationRun(tx, entered, run_id)
    hooks.push(createMemoryHook(entered))
  }
  if (options.background) {
    await insertCompletion(tx, { run_id, user_id, model: request.model })
    hooks.push(storeCompletionHook)
  }
  return opened
}

/** The request with what is remembered of its conversation. */
async function loadMemory(
  tx: Db,
  { key, request, memory }: OpenRunOptions,
): Promise<{ request: RunRequest; entered: ContinuedConversation | null }> {
  if (!memory || 'operation' in request) return { request, entered: null }
  const { prompt } = request
  const entered = await continueConversation(tx, { key, ...memory, messages: prompt.messages })
  return { request: { ...request, prompt: { ...prompt, messages: entered.prompt } }, entered }
}

const countAgainstRateLimit = (
  { rate_limits }: OpenRunDeps,
  { key, estimateInputTokens }: OpenRunOptions,
  request: RunRequest,
): Promise<void> => rate_limits.countInputTokens(key, () => estimateInputTokens(request))
