import type { ServerResponse } from 'node:http'
import type { OperationResponse } from '#contract/gateway/operations.ts'
import { AppError } from '#server/core/app-error.ts'
import { isJsonObject } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import type { Operation } from '#server/llm/llm.ts'
import type { SettledRun } from '#server/runs/settle.ts'
import type { Runs } from '#server/runs/runs.ts'
import { throwIfFailed } from '../pipeline/respond.ts'
import { waitForDrain } from '../http/event-stream.ts'
import { sendJson } from '../http/exchange.ts'
import type { Exchange } from '../http/exchange.ts'
import { executeSource } from '../pipeline/run-source.ts'
import type { RunSource } from '../pipeline/run-source.ts'
import { encodeEmbeddings } from './embedding-encoding.ts'

type OperationContext = {
  runs: Runs
  source: RunSource
  exchange: Exchange
  model: string
  /** Bytes of an answer that are kept for an Idempotency-Key. */
  keep: number
}

/** Answers with the platform's object; model, usage and id are ours. Throws AppError when there is none. */
export async function respondJson(
  { runs, source, exchange, model }: OperationContext,
  { path, body }: Operation,
): Promise<void> {
  const ended =
    'loadCachedResult' in source
      ? await source.loadCachedResult()
      : await executeSource(runs, source, { to: 'buffer' }, exchange.disconnect_signal)
  throwIfFailed(ended)
  const { made } = ended
  if (made?.type !== 'json') throw new AppError(made ? 'answer_not_kept' : 'internal')
  const encoding = 'json' in body ? body.json.encoding_format : undefined
  const answer = path === '/embeddings' ? encodeEmbeddings(encoding, made.answer) : made.answer
  const gateway_fields: OperationResponse = {
    id: source.run_id,
    model,
    usage: formatUsage(path, answer, ended),
  }
  exchange.response.setHeader('x-transaction-id', source.run_id)
  sendJson(exchange.response, 200, { ...answer, ...gateway_fields })
}

/**
 * Answers with bytes as they come; the last of them, which ends the answer, follows the settlement. What fails after the
 * first cannot be answered with a status any more: the connection is cut, so that no client takes a part for the whole.
 */
export async function respondBytes({
  runs,
  source,
  exchange,
  keep: max_bytes,
}: OperationContext): Promise<void> {
  const { response } = exchange
  response.setHeader('x-transaction-id', source.run_id)
  if ('loadCachedResult' in source) {
    const ended = await source.loadCachedResult()
    throwIfFailed(ended)
    const { made } = ended
    if (made?.type !== 'bytes' || !made.bytes) throw new AppError(made ? 'answer_not_kept' : 'internal')
    writeHead(response, made.media_type)
    response.end(made.bytes)
    return
  }
  const onBytes = (bytes: Buffer, media_type: string): Promise<void> | void => {
    if (response.destroyed) return
    writeHead(response, media_type)
    if (!response.write(bytes)) return waitForDrain(response)
  }
  const ended = await executeSource(
    runs,
    source,
    { to: 'bytes', onBytes, max_bytes },
    exchange.disconnect_signal,
  )
  if (ended.outcome.state === 'done') response.end()
  else if (response.headersSent) response.destroy()
  throwIfFailed(ended)
}

function writeHead(response: ServerResponse, media_type: string): void {
  if (response.headersSent) return
  response.writeHead(200, {
    'Content-Type': media_type,
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  })
}

/** OpenAI's usage of each call, with what was billed. */
function formatUsage(
  path: Operation['path'],
  { usage }: JsonObject,
  { metered }: SettledRun,
): OperationResponse['usage'] & JsonObject {
  const { tokens, units = 0, times = 1 } = metered
  const reported = isJsonObject(usage) ? usage : {}
  if (path === '/images/generations')
    return { total_tokens: 0, input_tokens: 0, output_tokens: 0, ...reported, billed_units: times }
  if (path === '/audio/transcriptions')
    return { type: 'duration', seconds: Math.ceil(units / 1000), billed_units: units }
  return { prompt_tokens: tokens.input, total_tokens: tokens.input, billed_units: tokens.input }
}
