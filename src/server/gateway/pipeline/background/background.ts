import type { BackgroundCompletion } from '#contract/gateway/chat-completions.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { SettledRun } from '#server/runs/settle.ts'
import type { Runs } from '#server/runs/runs.ts'
import { formatCompletion, createCompletionHeader } from '../../protocols/openai-chat/response.ts'
import type { CompletionHeader } from '../../protocols/openai-chat/response.ts'
import type { CompletionHook } from '../completion-hooks.ts'
import { sendJson } from '../../http/exchange.ts'
import type { Exchange } from '../../http/exchange.ts'
import { serializeResult, deserializeResult } from '../serialize-result.ts'
import { createOpenAiErrorBody } from '../../protocols/openai-error.ts'
import type { RunSource } from '../run-source.ts'
import * as store from './store.ts'

// Completions that are answered at once and fetched later, for 7 days: the run goes on when its caller has left, its
// answer is kept in the transaction that settles it.

/** Keeps the answer for whoever asks for it. One that was stopped was paid for, so what it said is kept too. */
export const storeCompletionHook: CompletionHook = async (tx, ended) => {
  if (ended.produced) await store.updateCompletionAnswer(tx, ended.run_id, serializeResult(ended))
}

type BackgroundContext = { db: Db; user_id: string; model: string; source: RunSource; exchange: Exchange }

/** Answers how the completion stands now. Resolves when it has ended, with how; null when an earlier call made it. */
export async function respondInBackground(context: BackgroundContext): Promise<SettledRun | null> {
  const { db, user_id, model, source, exchange } = context
  if ('loadCachedResult' in source) {
    sendJson(exchange.response, 200, await getCompletionStatus(db, user_id, source.run_id))
    return null
  }
  const ended = source.opened.executeTo({ to: 'buffer' })
  sendJson(exchange.response, 200, createPendingCompletion(createCompletionHeader(source.run_id, model)))
  return ended
}

/** How a completion of this owner stands. Throws AppError not_found. */
export async function getCompletionStatus(
  db: Db,
  user_id: string,
  id: string,
): Promise<BackgroundCompletion> {
  const run_id = parseRunId(id)
  const found = await store.findCompletion(db, user_id, run_id)
  if (!found) throw new AppError('not_found')
  const { model, answer, state, code } = found
  const head = createCompletionHeader(run_id, model)
  const status = STATUS_BY_STATE[state]
  if (answer !== null) return { ...formatCompletion(head, deserializeResult(answer)), status }
  return { ...createPendingCompletion(head), status, ...(code ? createOpenAiErrorBody(code) : {}) }
}

/** Stops a completion of this owner, and tells how it stands then. Throws AppError not_found. */
export async function cancelCompletion(
  db: Db,
  runs: Runs,
  user_id: string,
  id: string,
): Promise<BackgroundCompletion> {
  const { status } = await getCompletionStatus(db, user_id, id)
  if (status === 'pending') await runs.cancel(parseRunId(id))
  return getCompletionStatus(db, user_id, id)
}

const STATUS_BY_STATE = {
  running: 'pending',
  done: 'completed',
  cancelled: 'cancelled',
  failed: 'failed',
  interrupted: 'interrupted',
} as const

function createPendingCompletion({ id, created, model }: CompletionHeader): BackgroundCompletion {
  return { id, object: 'chat.completion', status: 'pending', created, model, choices: [] }
}

function parseRunId(id: string): string {
  const run_id = /^(?:chatcmpl-)?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(id)?.[1]
  if (run_id === undefined) throw new AppError('not_found')
  return run_id
}
