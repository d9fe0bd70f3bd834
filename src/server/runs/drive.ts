import type { Log } from '../core/log.ts'
import type { Prices } from '../core/coins.ts'
import { UpstreamError } from '../llm/chat.ts'
import type { ChatPart, Usage } from '../llm/chat.ts'
import type { Llm } from '../llm/llm.ts'
import type { Offer } from '../llm/offers.ts'
import type { Attempt } from '../llm/routing/plan.ts'
import type { LiveRun, Outcome } from './live-run.ts'
import { meter } from './meter.ts'
import type { Metered } from './meter.ts'
import { pricesFor } from './open.ts'
import type { Held } from './open.ts'
import type { Chunk, StreamLog } from './stream-log.ts'

/** What a run came to: how it ended, who answered at which prices, and what the upstream said of its usage. */
export type Driven = {
  outcome: Outcome
  /** The end of the text, which the stream log does not have yet. */
  rest: Chunk | null
  platform: string
  prices: Prices
  metered: Metered
  /** The upstream reported usage that cannot be true. */
  flagged: string | null
  attempts: Attempt[]
}

type Heard = Omit<Driven, 'outcome' | 'rest' | 'metered'> & {
  usage: Omit<Usage, 'source'> | null
  /** Not part of the text, but produced and counted. */
  reasoning: string
}
export type Drive = {
  run: LiveRun
  held: Held
  llm: Llm
  streamLog: StreamLog
  log: Log
  /** Another platform than the planned one is about to answer: kept, so that a bill made after a crash is right. */
  onSwitch: (platform: string, prices: Prices) => Promise<void>
}

/** Asks the planned platforms and puts what they say into the stream log. Always ends with an outcome, never throws. */
export async function drive({ run, held, llm, streamLog, log, onSwitch }: Drive): Promise<Driven> {
  const { row, plan, prompt } = held
  const { platform, prices } = row
  const heard: Heard = { platform, prices, usage: null, flagged: null, reasoning: '', attempts: [] }
  let ending: Pick<Outcome, 'state' | 'code'> = { state: 'done', code: null }
  try {
    const parts = llm.answer({
      plan,
      request: prompt,
      signal: run.abort.signal,
      onAttempt: (attempt) => heard.attempts.push(attempt),
    })
    for await (const part of parts) {
      if (part.type === 'offer') await switchTo(part.offer, held, heard, onSwitch)
      else take(part, run, streamLog, heard)
    }
  } catch (error) {
    ending = endingOf(error, run, log.child({ run_id: run.run_id, platform: heard.platform }))
  }
  const rest = await streamLog.close(run)
  const text = rest ? (rest.replace ? rest.text : run.text + rest.text) : run.text
  if (ending.state === 'done' && !text) ending = { state: 'failed', code: 'upstream_empty' }
  const { usage, reasoning, ...kept } = heard
  const metered = await meter(row, { usage, text, reasoning })
  return { outcome: { ...ending, text }, rest, metered, ...kept }
}

async function switchTo(
  offer: Offer,
  { row, request }: Held,
  heard: Heard,
  onSwitch: Drive['onSwitch'],
): Promise<void> {
  heard.platform = offer.platform
  heard.prices = pricesFor(request, offer)
  if (offer.platform !== row.platform) await onSwitch(heard.platform, heard.prices)
}

function take(part: ChatPart, run: LiveRun, streamLog: StreamLog, heard: Heard): void {
  if (part.type === 'delta') streamLog.add(run, part.text, false)
  else if (part.type === 'replace') streamLog.add(run, part.text, true)
  else if (part.type === 'reasoning') heard.reasoning += part.text
  else if (part.type === 'usage') heard.usage = part.usage
  else if (part.type === 'usage_flagged') heard.flagged = part.detail
}

function endingOf(error: unknown, run: LiveRun, log: Log): Pick<Outcome, 'state' | 'code'> {
  if (run.abort.signal.aborted) {
    return run.cancelled ? { state: 'cancelled', code: null } : { state: 'interrupted', code: 'interrupted' }
  }
  if (error instanceof UpstreamError) {
    log.warn({ code: error.code, detail: error.detail }, 'upstream failed')
    return { state: 'failed', code: error.code }
  }
  log.error({ err: error }, 'run failed')
  return { state: 'failed', code: 'internal' }
}
