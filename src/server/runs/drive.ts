import type { Log } from '../core/log.ts'
import type { Prices } from '../core/coins.ts'
import { UpstreamError } from '../llm/chat.ts'
import type { ChatPart, ChatRequest } from '../llm/chat.ts'
import { estimateInput } from '../llm/estimate.ts'
import type { Llm } from '../llm/llm.ts'
import type { Offer } from '../llm/offers.ts'
import type { Attempt } from '../llm/routing/plan.ts'
import { Heard } from './heard.ts'
import type { Said, Spoken } from './heard.ts'
import type { LiveRun, Outcome } from './live-run.ts'
import type { Made, TakeBytes } from './made.ts'
import { meter } from './meter.ts'
import type { Metered } from './meter.ts'
import { pricesFor } from './open.ts'
import type { HeldChat, HeldWork } from './open.ts'
import type { Chunk, StreamLog } from './stream-log.ts'

/** What a run came to: how it ended, who answered at which prices, and what the upstream said of its usage. */
export type Driven = {
  outcome: Outcome
  said: Said
  /** It gave its reader something, so it is charged for. */
  produced: boolean
  /** The end of the text, which the stream log does not have yet. */
  rest: Chunk | null
  platform: string
  prices: Prices
  metered: Metered
  /** What a work came to. */
  made?: Made
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
export type Sink =
  | { to: 'log'; streamLog: StreamLog }
  | { to: 'hear'; hear: (part: Spoken) => Promise<void> | void }
  | { to: 'whole' }
  | { to: 'pipe'; take: TakeBytes; keep: number }

export type Route = Pick<Driven, 'platform' | 'prices' | 'attempts'>
export type Drive<Held = HeldChat> = {
  run: LiveRun
  held: Held
  llm: Llm
  sink: Sink
  log: Log
  /** Another platform than the planned one is about to answer: kept, so that a bill made after a crash is right. */
  onSwitch: (platform: string, prices: Prices) => Promise<void>
}

/** Asks the planned platforms and hands what they say to the sink. Always ends with an outcome, never throws. */
export async function drive({ run, held, llm, sink, log, onSwitch }: Drive): Promise<Driven> {
  const { row, plan } = held
  const { platform, prices } = row
  const route: Route = { platform, prices, attempts: [] }
  const heard = new Heard()
  let ending: Omit<Outcome, 'text'> = { state: 'done', code: null }
  let { input_tokens } = row
  try {
    const request = await prepared(held, run)
    if (request !== held.prompt) input_tokens = estimateInput(request, row.model)
    await llm.answer({
      plan,
      request,
      signal: run.abort.signal,
      onAttempt: (attempt) => route.attempts.push(attempt),
      take: (part) => {
        if (part.type === 'offer') return switchTo(part.offer, held, route, onSwitch)
        heard.take(part)
        const taken = give(part, run, sink)
        if (taken) return unlessAborted(taken, run.abort.signal)
      },
    })
  } catch (error) {
    ending = endingOf(error, run, log.child({ run_id: run.run_id, platform: route.platform }))
  }
  const { usage, flagged } = heard
  const { text, reasoning, rest } = await storedOf(run, sink, heard)
  const said = { ...heard.said, reasoning }
  const calls = said.tool_calls.map((call) => call.name + call.arguments).join('')
  const answered = text !== '' || (sink.to !== 'log' && calls !== '')
  if (ending.state === 'done' && !answered) ending = { state: 'failed', code: 'upstream_empty' }
  const outcome = { ...ending, text }
  const metered = await meter(
    { model: row.model, input_tokens },
    { usage, text: text + calls, reasoning: said.reasoning },
  )
  return {
    outcome,
    said,
    produced: producedBy(sink, outcome, answered, said),
    rest,
    metered,
    flagged,
    ...route,
  }
}

/** What to ask with, after the feature has done what it does before. */
async function prepared({ request, prompt }: HeldChat, run: LiveRun): Promise<ChatRequest> {
  if (!request.prepare) return prompt
  const { run_id, abort } = run
  const messages = await request.prepare.messages({
    run_id,
    signal: abort.signal,
    tell: (note) => run.tell(note),
  })
  abort.signal.throwIfAborted()
  return { ...prompt, messages }
}

/** Another platform answers than was planned. */
export function switchTo(
  offer: Offer,
  { row, request }: Pick<HeldChat | HeldWork, 'row' | 'request'>,
  route: Route,
  onSwitch: Drive['onSwitch'],
): Promise<void> | void {
  route.platform = offer.platform
  route.prices = pricesFor(request, offer)
  if (offer.platform !== row.platform) return onSwitch(route.platform, route.prices)
}

function give(part: ChatPart, run: LiveRun, sink: Sink): Promise<void> | void {
  if (!('text' in part) && part.type !== 'tool_call' && part.type !== 'signature') return
  if (part.type === 'reasoning') run.thought()
  if (sink.to !== 'log' || part.type !== 'reasoning') run.spoke()
  if (sink.to === 'hear') return sink.hear(part)
  if (sink.to !== 'log' || !('text' in part)) return
  if (part.type === 'reasoning') sink.streamLog.think(run, part.text)
  else sink.streamLog.add(run, part.text, part.type === 'replace')
}

/** A reader that is slow must not hold up the end of a run that is stopped. */
export async function unlessAborted(taken: Promise<void>, signal: AbortSignal): Promise<void> {
  const stopped = Promise.withResolvers<void>()
  const stop = (): void => stopped.resolve()
  signal.addEventListener('abort', stop, { once: true })
  if (!signal.aborted) await Promise.race([taken, stopped.promise])
  signal.removeEventListener('abort', stop)
  signal.throwIfAborted()
}

type Stored = { text: string; reasoning: string; rest: Chunk | null }

/** What a logged run said is what its stream log made of it: what is stored and what was seen are the same. */
async function storedOf(run: LiveRun, sink: Sink, heard: Heard): Promise<Stored> {
  if (sink.to !== 'log') return { text: heard.text.text, reasoning: heard.said.reasoning, rest: null }
  const rest = await sink.streamLog.close(run)
  if (!rest) return { text: run.text, reasoning: run.reasoning, rest }
  const text = rest.replace ? rest.text : run.text + rest.text
  return { text, reasoning: run.reasoning + rest.reasoning, rest }
}

/** Whoever waits for a whole answer gets nothing of one that broke. */
function producedBy(sink: Sink, { state }: Outcome, answered: boolean, { reasoning }: Said): boolean {
  if (sink.to === 'log') return answered
  const broken = state === 'failed' || state === 'interrupted'
  if (sink.to === 'whole' && broken) return false
  return answered || reasoning !== ''
}

/** What an error makes of a run. */
export function endingOf(error: unknown, run: LiveRun, log: Log): Omit<Outcome, 'text'> {
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
