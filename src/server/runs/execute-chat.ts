import type { Log } from '#server/core/log.ts'
import type { Prices } from '#server/core/coins.ts'
import { UpstreamError, estimateInput } from '#server/llm/llm.ts'
import type { StreamPart, ChatRequest, Llm, Offer, Attempt } from '#server/llm/llm.ts'
import { ResponseAccumulator } from './response-accumulator.ts'
import type { ResponseDetails, OutputPart } from './response-accumulator.ts'
import type { LiveRun, RunOutcome } from './live-run.ts'
import type { OperationOutput, OnBytes } from './operation-output.ts'
import { meterRun } from './meter.ts'
import type { MeteredUsage } from './meter.ts'
import { resolvePrices } from './create-run.ts'
import type { HeldChatRun, HeldOperationRun } from './create-run.ts'
import type { Chunk, StreamLog } from './stream-log.ts'

/** What a run came to: how it ended, who answered at which prices, and what the upstream said of its usage. */
export type RunResult = {
  outcome: RunOutcome
  said: ResponseDetails
  /** It gave its reader something, so it is charged for. */
  produced: boolean
  /** The end of the text, which the stream log does not have yet. */
  unsaved: Chunk | null
  platform: string
  prices: Prices
  metered: MeteredUsage
  /** What a work came to. */
  made?: OperationOutput
  /** The upstream reported usage that cannot be true. */
  flagged: string | null
  attempts: Attempt[]
}

/**
 * Where an answer goes. `log`: into the stream log, for readers that attach. `hear`: straight to the one who opened the
 * run, part by part; nothing more is read from the upstream until the promise that it returns is fulfilled. `whole`: to
 * the one who opened it, and only when it is whole. `pipe`: the bytes of a work, as `hear`; with `keep` bytes they are
 * also gathered, up to so many.
 */
export type RunOutput =
  | { to: 'log'; streamLog: StreamLog }
  | { to: 'stream'; onPart: (part: OutputPart) => Promise<void> | void }
  | { to: 'buffer' }
  | { to: 'bytes'; onBytes: OnBytes; max_bytes: number }

export type RunRoute = Pick<RunResult, 'platform' | 'prices' | 'attempts'>
export type ExecuteOptions<Held = HeldChatRun> = {
  run: LiveRun
  held: Held
  llm: Llm
  output: RunOutput
  log: Log
  /** Another platform than the planned one is about to answer: kept, so that a bill made after a crash is right. */
  onPlatformSwitch: (platform: string, prices: Prices) => Promise<void>
}

/** Asks the planned platforms and hands what they say to the sink. Always ends with an outcome, never throws. */
export async function executeChatRun({
  run,
  held,
  llm,
  output,
  log,
  onPlatformSwitch,
}: ExecuteOptions): Promise<RunResult> {
  const { row, plan } = held
  const { platform, prices } = row
  const route: RunRoute = { platform, prices, attempts: [] }
  const accumulator = new ResponseAccumulator()
  let end_state: Omit<RunOutcome, 'text'> = { state: 'done', code: null }
  let { input_tokens } = row
  try {
    const request = await preparePrompt(held, run)
    if (request !== held.prompt) input_tokens = estimateInput(request, row.model)
    await llm.streamChat({
      plan,
      request,
      signal: run.abort.signal,
      onAttempt: (attempt) => route.attempts.push(attempt),
      onPart: (part) => {
        if (part.type === 'offer') return switchOffer(part.offer, held, route, onPlatformSwitch)
        accumulator.add(part)
        const delivered = emitPart(part, run, output)
        if (delivered) return waitUnlessAborted(delivered, run.abort.signal)
      },
    })
  } catch (error) {
    end_state = toErrorOutcome(error, run, log.child({ run_id: run.run_id, platform: route.platform }))
  }
  const { usage, flagged } = accumulator
  const { text, reasoning, unsaved: rest } = await getLoggedText(run, output, accumulator)
  const said = { ...accumulator.details, reasoning }
  const calls = said.tool_calls.map((call) => call.name + call.arguments).join('')
  const answered = text !== '' || (output.to !== 'log' && calls !== '')
  if (end_state.state === 'done' && !answered) end_state = { state: 'failed', code: 'upstream_empty' }
  const outcome = { ...end_state, text }
  const metered = await meterRun(
    { model: row.model, input_tokens },
    { usage, text: text + calls, reasoning: said.reasoning },
  )
  return {
    outcome,
    said,
    produced: isBillable(output, outcome, answered, said),
    unsaved: rest,
    metered,
    flagged,
    ...route,
  }
}

/** What to ask with, after the feature has done what it does before. */
async function preparePrompt({ request, prompt }: HeldChatRun, run: LiveRun): Promise<ChatRequest> {
  if (!request.prepare) return prompt
  const { run_id, abort } = run
  const messages = await request.prepare.buildMessages({
    run_id,
    signal: abort.signal,
    setNote: (note) => run.setNote(note),
  })
  abort.signal.throwIfAborted()
  return { ...prompt, messages }
}

/** Another platform answers than was planned. */
export function switchOffer(
  offer: Offer,
  { row, request }: Pick<HeldChatRun | HeldOperationRun, 'row' | 'request'>,
  route: RunRoute,
  onPlatformSwitch: ExecuteOptions['onPlatformSwitch'],
): Promise<void> | void {
  route.platform = offer.platform
  route.prices = resolvePrices(request, offer)
  if (offer.platform !== row.platform) return onPlatformSwitch(route.platform, route.prices)
}

function emitPart(part: StreamPart, run: LiveRun, output: RunOutput): Promise<void> | void {
  if (!('text' in part) && part.type !== 'tool_call' && part.type !== 'signature') return
  if (part.type === 'reasoning') run.markReasoning()
  if (output.to !== 'log' || part.type !== 'reasoning') run.markFirstOutput()
  if (output.to === 'stream') return output.onPart(part)
  if (output.to !== 'log' || !('text' in part)) return
  if (part.type === 'reasoning') output.streamLog.appendReasoning(run, part.text)
  else output.streamLog.appendText(run, part.text, part.type === 'replace')
}

/** A reader that is slow must not hold up the end of a run that is stopped. */
export async function waitUnlessAborted(delivered: Promise<void>, signal: AbortSignal): Promise<void> {
  const stopped = Promise.withResolvers<void>()
  const onAbort = (): void => stopped.resolve()
  signal.addEventListener('abort', onAbort, { once: true })
  if (!signal.aborted) await Promise.race([delivered, stopped.promise])
  signal.removeEventListener('abort', onAbort)
  signal.throwIfAborted()
}

type LoggedText = { text: string; reasoning: string; unsaved: Chunk | null }

/** What a logged run said is what its stream log made of it: what is stored and what was seen are the same. */
async function getLoggedText(
  run: LiveRun,
  output: RunOutput,
  accumulator: ResponseAccumulator,
): Promise<LoggedText> {
  if (output.to !== 'log')
    return { text: accumulator.text.text, reasoning: accumulator.details.reasoning, unsaved: null }
  const unsaved = await output.streamLog.close(run)
  if (!unsaved) return { text: run.text, reasoning: run.reasoning, unsaved }
  const text = unsaved.replace ? unsaved.text : run.text + unsaved.text
  return { text, reasoning: run.reasoning + unsaved.reasoning, unsaved }
}

/** Whoever waits for a whole answer gets nothing of one that broke. */
function isBillable(
  output: RunOutput,
  { state }: RunOutcome,
  answered: boolean,
  { reasoning }: ResponseDetails,
): boolean {
  if (output.to === 'log') return answered
  const broken = state === 'failed' || state === 'interrupted'
  if (output.to === 'buffer' && broken) return false
  return answered || reasoning !== ''
}

/** What an error makes of a run. */
export function toErrorOutcome(error: unknown, run: LiveRun, log: Log): Omit<RunOutcome, 'text'> {
  if (run.abort.signal.aborted) {
    return run.cancelled ? { state: 'cancelled', code: null } : { state: 'interrupted', code: 'interrupted' }
  }
  if (error instanceof UpstreamError) {
    const { code, detail, retry_after } = error
    log.warn({ code, detail }, 'upstream failed')
    return { state: 'failed', code, ...(retry_after === null ? {} : { retry_after }) }
  }
  log.error({ err: error }, 'run failed')
  return { state: 'failed', code: 'internal' }
}
