import type { ChatPart, ChatRequest, Usage } from '../llm/chat.ts'
import { UpstreamError } from '../llm/chat.ts'
import type { Llm } from '../llm/llm.ts'
import type { Offer } from '../llm/offers.ts'
import type { Log } from '../core/log.ts'
import type { LiveRun, Outcome } from './live-run.ts'
import type { StreamLog } from './stream-log.ts'

/** What a run came to: how it ended, and what the upstream said of its usage. */
export type Driven = {
  outcome: Outcome
  usage: Omit<Usage, 'source'> | null
  flagged: string | null
  /** Reasoning is not part of the text, but it is produced and counted. */
  reasoning: string
}

export type Drive = {
  run: LiveRun
  offer: Offer
  request: ChatRequest
  llm: Llm
  streamLog: StreamLog
  log: Log
}

/** Asks the upstream and puts what it says into the stream log. Always ends with an outcome, never throws. */
export async function drive({ run, offer, request, llm, streamLog, log }: Drive): Promise<Driven> {
  const heard = { usage: null, flagged: null, reasoning: '' } as Omit<Driven, 'outcome'>
  let ending: Pick<Outcome, 'state' | 'code'> = { state: 'done', code: null }
  try {
    for await (const part of llm.stream(offer, request, run.abort.signal)) take(part, run, streamLog, heard)
  } catch (error) {
    ending = endingOf(error, run, log.child({ run_id: run.run_id, platform: offer.platform }))
  }
  await streamLog.close(run)
  if (ending.state === 'done' && !run.text) ending = { state: 'failed', code: 'upstream_empty' }
  return { outcome: { ...ending, text: run.text }, ...heard }
}

function take(part: ChatPart, run: LiveRun, streamLog: StreamLog, heard: Omit<Driven, 'outcome'>): void {
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
