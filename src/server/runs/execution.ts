import type { Prices } from '#server/core/prices.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Log } from '#server/core/log.ts'
import { UpstreamError } from '#server/llm/llm.ts'
import type { StreamPart, Llm, Offer } from '#server/llm/llm.ts'
import { resolvePrices } from './create-run.ts'
import type { HeldRun } from './create-run.ts'
import type { LiveRun } from './live-run.ts'
import type { RunResult } from './result.ts'
import type { StreamLog } from './stream-log.ts'

// The common part of executing chats and operations.

/** A part of a response that readers receive. */
export type OutputPart = Extract<
  StreamPart,
  {
    type: 'delta' | 'replace' | 'reasoning' | 'signature' | 'tool_call' | 'picture' | 'annotations' | 'choice'
  }
>

/** Receives the bytes of an operation as they come; no more are read until its promise is fulfilled. */
export type OnBytes = (bytes: Buffer, mediaType: string) => Promise<void> | void

/**
 * The destination of a response. `log`: the stream log, for readers that attach. `stream`: the run's creator, part by part; no
 * more is read from the upstream until the returned promise is fulfilled; the result has only the beginning of a long text,
 * unless more is needed. `buffer`: the run's creator, once it is whole. `bytes`: like `stream`, for the bytes of an operation; up
 * to `getMaxBytes()` of them are also kept.
 */
export type RunOutput =
  | { type: 'log'; streamLog: StreamLog }
  | { type: 'stream'; onPart: (part: OutputPart) => Promise<void> | void; isTextNeeded: () => boolean }
  | { type: 'buffer' }
  | { type: 'bytes'; onBytes: OnBytes; getMaxBytes: () => number }

export type ExecuteOptions<Held extends HeldRun> = {
  run: LiveRun
  held_run: Held
  llm: Llm
  output: RunOutput
  log: Log
  /** Called before another platform than the planned one answers: it is stored, so that a bill after a crash is right. */
  onPlatformSwitch: (platform: string, prices: Prices) => Promise<void>
}

/** The platform that answers, as far as it is known. */
export type RunRoute = Pick<RunResult, 'platform' | 'prices' | 'attempts'>

export const createRoute = ({ row: { platform, prices } }: HeldRun): RunRoute => ({
  platform,
  prices,
  attempts: [],
})

/** Records the platform that is about to answer. */
export function switchOffer(
  offer: Offer,
  route: RunRoute,
  { held_run: { request }, onPlatformSwitch }: Pick<ExecuteOptions<HeldRun>, 'held_run' | 'onPlatformSwitch'>,
): Promise<void> | void {
  const isSwitch = offer.platform !== route.platform
  route.platform = offer.platform
  route.prices = resolvePrices(request, offer)
  if (isSwitch) return onPlatformSwitch(route.platform, route.prices)
}

/** Waits for a reader, but not beyond the abort: a slow reader must not delay the end of a stopped run. */
export async function waitUnlessAborted(delivered: Promise<void>, signal: AbortSignal): Promise<void> {
  const stopped = Promise.withResolvers<void>()
  const onAbort = (): void => stopped.resolve()
  signal.addEventListener('abort', onAbort, { once: true })
  if (!signal.aborted) await Promise.race([delivered, stopped.promise])
  signal.removeEventListener('abort', onAbort)
  signal.throwIfAborted()
}

/** Returns the end of a run for an error. */
export function toErrorState(
  error: unknown,
  { run, log }: Pick<ExecuteOptions<HeldRun>, 'run' | 'log'>,
  { platform }: RunRoute,
): Pick<RunResult, 'state' | 'code' | 'retry_after' | 'rejection'> {
  if (run.abort.signal.aborted) {
    return run.cancelled ? { state: 'cancelled', code: null } : { state: 'interrupted', code: 'interrupted' }
  }
  const runLog = log.child({ run_id: run.run_id, platform })
  if (error instanceof UpstreamError) {
    const { code, detail, retry_after, rejection } = error
    runLog.warn({ code, detail }, 'upstream failed')
    return {
      state: 'failed',
      code,
      ...(retry_after === null ? {} : { retry_after }),
      ...(rejection ? { rejection } : {}),
    }
  }
  runLog.error({ err: error instanceof AppError ? (error.cause ?? error) : error }, 'run failed')
  return { state: 'failed', code: error instanceof AppError ? error.code : 'internal' }
}
