import type { JsonObject } from '#server/core/json.ts'
import type { Prices } from '#server/core/prices.ts'
import { toOperationTokens } from '#server/ledger/ledger.ts'
import type { OnPart, OperationPart, OperationUsage, RoutedPart } from '#server/llm/llm.ts'
import type { HeldOperationRun } from './create-run.ts'
import { createRoute, switchOffer, toErrorState, waitUnlessAborted } from './execution.ts'
import type { ExecuteOptions, OnBytes } from './execution.ts'
import type { MeteredUsage, OperationOutput, RunResult } from './result.ts'

/**
 * Requests an operation from the planned platforms and emits its output. Always returns a result, never throws. Sound is ordered
 * as a whole: a client that leaves in the middle pays for all of it, and nobody pays when it breaks off.
 */
export async function executeOperationRun(options: ExecuteOptions<HeldOperationRun>): Promise<RunResult> {
  const { run, held_run, llm, output, log } = options
  const { row, plan, operation } = held_run
  const route = createRoute(held_run)
  const collector =
    output.type === 'bytes'
      ? new OutputCollector(output.getMaxBytes, output.onBytes)
      : new OutputCollector(
          () => Infinity,
          () => {},
        )
  let usage: OperationUsage = { used: operation.counted, usage_source: 'counted' }
  let flagged: string | null = null
  let end: Pick<RunResult, 'state' | 'code' | 'retry_after' | 'rejection'> = { state: 'done', code: null }
  const { signal } = run.abort
  try {
    const onPart: OnPart<RoutedPart<OperationPart>> = (part) => {
      if (part.type === 'offer') return switchOffer(part.offer, route, options)
      if (part.type === 'operation_usage') usage = part
      else if (part.type === 'usage_flagged') flagged = part.detail
      else if (part.type !== 'finish') {
        run.markFirstOutput()
        return waitUnlessAborted(collector.add(part), signal)
      }
    }
    await llm.executeOperation({
      plan,
      request: operation,
      signal,
      onAttempt: (attempt) => route.attempts.push(attempt),
      onPart,
    })
  } catch (error) {
    end = toErrorState(error, options, route)
  }
  if (flagged) log.warn({ platform: route.platform, model: row.model, flagged }, 'upstream usage refused')
  return {
    ...end,
    text: '',
    response: { reasoning: '', tool_calls: [], finish: null },
    operation_output: collector.output,
    billable: end.state === 'done' || (end.state === 'cancelled' && collector.hasOutput),
    metered: toMeteredUsage(usage, route.prices),
    flagged,
    ...route,
  }
}

/** Picture tokens count where a platform prices tokens; elsewhere pictures are paid one by one. */
function toMeteredUsage({ used, usage_source }: OperationUsage, { output }: Prices): MeteredUsage {
  const { tokens, picture_tokens, ...counted } = used
  if (picture_tokens && output === 0n)
    return { tokens: toOperationTokens(0), ...counted, usage_source: 'counted' }
  return { tokens: toOperationTokens(tokens, picture_tokens), ...counted, usage_source }
}

type OutputPiece = Extract<OperationPart, { type: 'json' | 'bytes' }>

/** Emits the output of an operation, and keeps up to `getMaxBytes()` of it. */
class OutputCollector {
  readonly #getMaxBytes: () => number
  readonly #onBytes: OnBytes
  #answer: JsonObject | null = null
  #media_type = ''
  #bytes: Buffer[] | null = []
  #size = 0

  constructor(getMaxBytes: () => number, onBytes: OnBytes) {
    this.#getMaxBytes = getMaxBytes
    this.#onBytes = onBytes
  }

  get hasOutput(): boolean {
    return this.#answer !== null || this.#size > 0
  }

  get output(): OperationOutput | undefined {
    if (this.#answer) return { type: 'json', answer: this.#answer }
    if (!this.#size) return undefined
    const bytes = this.#bytes && Buffer.concat(this.#bytes)
    return { type: 'bytes', media_type: this.#media_type, bytes }
  }

  async add(piece: OutputPiece): Promise<void> {
    if (piece.type === 'json') {
      this.#answer = piece.answer
      return
    }
    const { bytes, media_type } = piece
    this.#media_type = media_type
    this.#size += bytes.length
    if (this.#bytes && this.#size > this.#getMaxBytes()) this.#bytes = null
    this.#bytes?.push(bytes)
    await this.#onBytes(bytes, media_type)
  }
}
