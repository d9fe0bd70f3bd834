import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Visitor } from '#server/core/http.ts'
import { createId } from '#server/core/ids.ts'
import { canUseModel, DEFAULT_PREFERENCE, isLocalModel, requireModelAccess } from '#server/llm/llm.ts'
import type { Catalogue, ModelEntry } from '#server/llm/llm.ts'
import type { ChatRunRequest, Runs, SettledRun } from '#server/runs/runs.ts'

export type WritingDeps = { db: Db; runs: Runs; catalogue: Catalogue }
export type Owner = Pick<Visitor, 'user_id' | 'account_id' | 'budgets'>
/** `model` writes; the default one does where it cannot be used. */
type Order = { instruction: string; material: string; model: string | null | undefined; signal?: AbortSignal }

const MAX_TOKENS = 1_200

/** Returns the wanted model where it can be used, or the default one; null where there is none. */
export function findModel(
  catalogue: Catalogue,
  requestedModel: string | null | undefined,
): ModelEntry | null {
  const modelId =
    requestedModel && canUseModel(catalogue, requestedModel, { type: 'chat' })
      ? requestedModel
      : catalogue.getDefaultModel()
  return modelId ? requireModelAccess(catalogue, modelId, { type: 'chat' }) : null
}

/** Executes a run to its end, however it ends; `signal` stops it. Throws AppError as Runs.create, and the signal's reason. */
export async function executeRun(
  { db, runs }: Pick<WritingDeps, 'db' | 'runs'>,
  request: ChatRunRequest,
  signal?: AbortSignal,
): Promise<SettledRun> {
  signal?.throwIfAborted()
  const run = await db.transaction((tx) => runs.create(tx, request))
  const settled = await run.executeTo({ type: 'buffer' }, signal)
  signal?.throwIfAborted()
  return settled
}

/**
 * Has a model write by an instruction, and returns its text and the micro-coins that the owner paid; empty where only the
 * demonstration model is there. Throws AppError as Runs.create, or with the run's failure.
 */
export async function write(
  { catalogue, ...deps }: WritingDeps,
  { user_id, account_id, budgets }: Owner,
  { instruction, material, model: requestedModel, signal }: Order,
): Promise<{ text: string; charged: bigint }> {
  const model = findModel(catalogue, requestedModel)
  if (!model || isLocalModel(model, catalogue.listPlatforms())) return { text: '', charged: 0n }
  const request: ChatRunRequest = {
    user_id,
    account_id,
    budgets,
    kind: 'agent_prompts',
    subject_id: createId(),
    model: model.id,
    prompt: {
      messages: [
        { role: 'system', content: instruction },
        { role: 'user', content: material },
      ],
      max_tokens: MAX_TOKENS,
      reasoning_effort: 'none',
    },
    preference: DEFAULT_PREFERENCE,
    free: false,
  }
  const { result, charged } = await executeRun(deps, request, signal)
  if (result.state !== 'done') throw new AppError(result.code ?? 'internal')
  return { text: result.text, charged }
}
