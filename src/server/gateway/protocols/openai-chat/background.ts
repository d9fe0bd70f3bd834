import type { BackgroundCompletion } from '#contract/gateway/completion-answers.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import { sendJson } from '../../http/exchange.ts'
import { findBackgroundState } from '../../pipeline/background.ts'
import type { Handler } from '../../pipeline/context.ts'
import { createCompletionHeader, formatBackground } from './response.ts'

/** `GET /chat/{id}`: the state of a completion in the background. */
export const getBackgroundCompletion: Handler<undefined> = async ({ deps, key, exchange, params }) => {
  sendJson(exchange.response, 200, await findCompletion(deps.db, key.id, parseRunId(params.id)))
}

/** `POST /chat/{id}/cancel`: stops a completion, and sends its state afterwards. */
export const cancelBackgroundCompletion: Handler<undefined> = async ({ deps, key, exchange, params }) => {
  const runId = parseRunId(params.id)
  const { status } = await findCompletion(deps.db, key.id, runId)
  if (status === 'pending') await deps.runs.cancel(runId)
  sendJson(exchange.response, 200, await findCompletion(deps.db, key.id, runId))
}

/** Throws AppError not_found. */
async function findCompletion(db: Db, keyId: string, runId: string): Promise<BackgroundCompletion> {
  const completion = await findBackgroundState(db, keyId, runId)
  if (!completion) throw new AppError('not_found')
  return formatBackground(createCompletionHeader(runId, completion.model), completion)
}

function parseRunId(id = ''): string {
  const runId = /^(?:chatcmpl-)?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(id)?.[1]
  if (runId === undefined) throw new AppError('not_found')
  return runId
}
