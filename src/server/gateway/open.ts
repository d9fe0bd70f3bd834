import type { Db } from '../core/database.ts'
import type { Idempotency } from '../core/idempotency.ts'
import type { GatewayKey } from '../keys/keys.ts'
import type { ModelEntry } from '../llm/catalogue-schema.ts'
import type { RunRequest } from '../runs/open.ts'
import type { OpenedRun } from '../runs/runs.ts'
import { keepForLater } from './background/background.ts'
import { insertCompletion } from './background/store.ts'
import type { Then } from './endings.ts'
import { begin, enter, remember } from './memory/memory.ts'
import type { Entered } from './memory/memory.ts'
import { keepForKey, openOnce, replayed } from './replays.ts'
import type { Parts as AllParts } from './request.ts'
import type { Source } from './source.ts'

type Parts = Pick<AllParts, 'db' | 'runs' | 'endings' | 'rates'>
type Call = {
  key: GatewayKey
  request: RunRequest
  /** Tokens of the input that count for the key's rate. */
  tokens: (request: RunRequest) => number
  idempotency: Idempotency | null
  gone: AbortSignal
  /** The conversation that it goes on with. */
  memory?: { sess_id: string; model: ModelEntry } | null
  /** It is answered at once, and fetched later. */
  background?: boolean
}

/**
 * Opens the run of a call, or finds the one that an earlier call under its Idempotency-Key made. What goes with it, the
 * key, the conversation, the place where its answer is kept, becomes true in the same transaction. Throws AppError.
 */
export async function openSource(parts: Parts, call: Call): Promise<Source> {
  const { db, runs, endings } = parts
  const { key, request, idempotency, gone, memory, background = false } = call
  if (!idempotency && !memory && !background) {
    await countInput(parts, call, request)
    const opened = await runs.openGrouped(request)
    return { run_id: opened.run_id, opened, keyed: false }
  }
  const then: Then[] = []
  const begun = (opened: OpenedRun, keyed: boolean): Source => {
    endings.when(opened.run_id, then)
    return { run_id: opened.run_id, opened, keyed }
  }
  if (!idempotency) {
    const opened = await db.transaction((tx) => openWith(tx, parts, call, then))
    return begun(opened, background)
  }
  const keyed = { user_id: key.user_id, idempotency }
  const once = await db.transaction((tx) => openOnce(tx, keyed, () => openWith(tx, parts, call, then)))
  if ('earlier' in once) {
    const run_id = once.earlier
    return { run_id, kept: () => replayed({ db, runs, ...keyed, run_id, gone }) }
  }
  then.push(keepForKey(keyed))
  return begun(once, true)
}

/** Opens the run with its conversation and its place; `then` is given what its end has to do for them. */
async function openWith(tx: Db, parts: Parts, call: Call, then: Then[]): Promise<OpenedRun> {
  const { user_id } = call.key
  const { request, entered } = await remembered(tx, call)
  await countInput(parts, call, request)
  const opened = await parts.runs.open(tx, request)
  const { run_id } = opened
  if (entered) {
    await begin(tx, entered, run_id)
    then.push(remember(entered))
  }
  if (call.background) {
    await insertCompletion(tx, { run_id, user_id, model: request.model })
    then.push(keepForLater)
  }
  return opened
}

/** The request with what is remembered of its conversation. */
async function remembered(
  tx: Db,
  { key, request, memory }: Call,
): Promise<{ request: RunRequest; entered: Entered | null }> {
  if (!memory || 'work' in request) return { request, entered: null }
  const { prompt } = request
  const entered = await enter(tx, { key, ...memory, messages: prompt.messages })
  return { request: { ...request, prompt: { ...prompt, messages: entered.prompt } }, entered }
}

const countInput = ({ rates }: Parts, { key, tokens }: Call, request: RunRequest): Promise<void> =>
  rates.input(key, () => tokens(request))
