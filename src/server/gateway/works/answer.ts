import type { ServerResponse } from 'node:http'
import type { WorkAnswer } from '#contract/works.ts'
import { AppError } from '../../core/app-error.ts'
import type { JsonObject } from '../../llm/chat.ts'
import { isJson } from '../../llm/dialects/event.ts'
import type { Work } from '../../llm/works/work.ts'
import type { Ended } from '../../runs/finish.ts'
import type { Runs } from '../../runs/runs.ts'
import { throwIfBroken } from '../answer.ts'
import { drained } from '../events.ts'
import { sendJson } from '../exchange.ts'
import type { Exchange } from '../exchange.ts'
import { relay } from '../source.ts'
import type { Source } from '../source.ts'
import { encodedAs } from './vectors.ts'

type Answering = {
  runs: Runs
  source: Source
  exchange: Exchange
  model: string
  /** Bytes of an answer that are kept for an Idempotency-Key. */
  keep: number
}

/** Answers with the platform's object; model, usage and id are ours. Throws AppError when there is none. */
export async function answerJson(
  { runs, source, exchange, model }: Answering,
  { path, body }: Work,
): Promise<void> {
  const ended =
    'kept' in source ? await source.kept() : await relay(runs, source, { to: 'whole' }, exchange.gone)
  throwIfBroken(ended)
  const { made } = ended
  if (made?.type !== 'json') throw new AppError(made ? 'answer_not_kept' : 'internal')
  const wanted = 'json' in body ? body.json.encoding_format : undefined
  const answer = path === '/embeddings' ? encodedAs(wanted, made.answer) : made.answer
  const ours: WorkAnswer = { id: source.run_id, model, usage: usageOf(path, answer, ended) }
  exchange.response.setHeader('x-transaction-id', source.run_id)
  sendJson(exchange.response, 200, { ...answer, ...ours })
}

/**
 * Answers with bytes as they come; the last of them, which ends the answer, follows the settlement. What fails after the
 * first cannot be answered with a status any more: the connection is cut, so that no client takes a part for the whole.
 */
export async function answerPiped({ runs, source, exchange, keep }: Answering): Promise<void> {
  const { response } = exchange
  response.setHeader('x-transaction-id', source.run_id)
  if ('kept' in source) {
    const ended = await source.kept()
    throwIfBroken(ended)
    const { made } = ended
    if (made?.type !== 'bytes' || !made.bytes) throw new AppError(made ? 'answer_not_kept' : 'internal')
    begin(response, made.media_type)
    response.end(made.bytes)
    return
  }
  const take = (bytes: Buffer, media_type: string): Promise<void> | void => {
    if (response.destroyed) return
    begin(response, media_type)
    if (!response.write(bytes)) return drained(response)
  }
  const ended = await relay(runs, source, { to: 'pipe', take, keep }, exchange.gone)
  if (ended.outcome.state === 'done') response.end()
  else if (response.headersSent) response.destroy()
  throwIfBroken(ended)
}

function begin(response: ServerResponse, media_type: string): void {
  if (response.headersSent) return
  response.writeHead(200, {
    'Content-Type': media_type,
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  })
}

/** OpenAI's usage of each call, with what was billed. */
function usageOf(
  path: Work['path'],
  { usage }: JsonObject,
  { metered }: Ended,
): WorkAnswer['usage'] & JsonObject {
  const { tokens, units = 0, times = 1 } = metered
  const reported = isJson(usage) ? usage : {}
  if (path === '/images/generations')
    return { total_tokens: 0, input_tokens: 0, output_tokens: 0, ...reported, billed_units: times }
  if (path === '/audio/transcriptions')
    return { type: 'duration', seconds: Math.ceil(units / 1000), billed_units: units }
  return { prompt_tokens: tokens.input, total_tokens: tokens.input, billed_units: tokens.input }
}
