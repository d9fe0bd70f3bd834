import type { BackgroundCompletion } from '#contract/gateway.ts'
import { AppError } from '../../core/app-error.ts'
import type { Db } from '../../core/database.ts'
import type { Ended } from '../../runs/finish.ts'
import type { Runs } from '../../runs/runs.ts'
import { completionOf, headOf } from '../chat/completion.ts'
import type { Head } from '../chat/completion.ts'
import type { Then } from '../endings.ts'
import { sendJson } from '../exchange.ts'
import type { Exchange } from '../exchange.ts'
import { packed, unpacked } from '../kept.ts'
import { openaiError } from '../openai-error.ts'
import type { Source } from '../source.ts'
import * as store from './store.ts'

// Completions that are answered at once and fetched later, for 7 days: the run goes on when its caller has left, its
// answer is kept in the transaction that settles it.

/** Keeps the answer for whoever asks for it. One that was stopped was paid for, so what it said is kept too. */
export const keepForLater: Then = async (tx, ended) => {
  if (ended.produced) await store.keepCompletion(tx, ended.run_id, packed(ended))
}

type Answering = { db: Db; user_id: string; model: string; source: Source; exchange: Exchange }

/** Answers how the completion stands now. Resolves when it has ended, with how; null when an earlier call made it. */
export async function answerLater(answering: Answering): Promise<Ended | null> {
  const { db, user_id, model, source, exchange } = answering
  if ('kept' in source) {
    sendJson(exchange.response, 200, await standing(db, user_id, source.run_id))
    return null
  }
  const ended = source.opened.relay({ to: 'whole' })
  sendJson(exchange.response, 200, pendingOf(headOf(source.run_id, model)))
  return ended
}

/** How a completion of this owner stands. Throws AppError not_found. */
export async function standing(db: Db, user_id: string, id: string): Promise<BackgroundCompletion> {
  const run_id = runIdOf(id)
  const found = await store.completionById(db, user_id, run_id)
  if (!found) throw new AppError('not_found')
  const { model, answer, state, code } = found
  const head = headOf(run_id, model)
  const status = STATUS[state]
  if (answer !== null) return { ...completionOf(head, unpacked(answer)), status }
  return { ...pendingOf(head), status, ...(code ? openaiError(code) : {}) }
}

/** Stops a completion of this owner, and tells how it stands then. Throws AppError not_found. */
export async function stop(db: Db, runs: Runs, user_id: string, id: string): Promise<BackgroundCompletion> {
  const { status } = await standing(db, user_id, id)
  if (status === 'pending') await runs.cancel(runIdOf(id))
  return standing(db, user_id, id)
}

const STATUS = {
  running: 'pending',
  done: 'completed',
  cancelled: 'cancelled',
  failed: 'failed',
  interrupted: 'interrupted',
} as const

function pendingOf({ id, created, model }: Head): BackgroundCompletion {
  return { id, object: 'chat.completion', status: 'pending', created, model, choices: [] }
}

function runIdOf(id: string): string {
  const run_id = /^(?:chatcmpl-)?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(id)?.[1]
  if (run_id === undefined) throw new AppError('not_found')
  return run_id
}
