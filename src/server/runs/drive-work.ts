import { inputOf } from '../ledger/prices.ts'
import type { Take } from '../llm/chat.ts'
import type { AnswerPart } from '../llm/routing/attempt.ts'
import type { Used, WorkPart } from '../llm/works/work.ts'
import { endingOf, switchTo, unlessAborted } from './drive.ts'
import type { Drive, Driven, Route } from './drive.ts'
import type { Outcome } from './live-run.ts'
import { Making } from './made.ts'
import type { Metered } from './meter.ts'
import type { HeldWork } from './open.ts'

/**
 * Asks the planned platforms for a work and hands what they make to the sink. Always ends with an outcome, never throws.
 * Sound is ordered as a whole: whoever leaves in the middle of it pays for it, whoever is left in the middle does not.
 */
export async function driveWork({ run, held, llm, sink, log, onSwitch }: Drive<HeldWork>): Promise<Driven> {
  const { row, plan, work } = held
  const { platform, prices } = row
  const route: Route = { platform, prices, attempts: [] }
  const made = sink.to === 'pipe' ? new Making(sink.keep, sink.take) : new Making(Infinity, () => {})
  let used: Used = { used: work.counted, usage_source: 'counted' }
  let flagged: string | null = null
  let ending: Omit<Outcome, 'text'> = { state: 'done', code: null }
  const { signal } = run.abort
  try {
    const onAttempt = (attempt: Route['attempts'][number]): unknown => route.attempts.push(attempt)
    const take: Take<AnswerPart<WorkPart>> = (part) => {
      if (part.type === 'offer') return switchTo(part.offer, held, route, onSwitch)
      if (part.type === 'used') used = part
      else if (part.type === 'used_flagged') flagged = part.detail
      else if (part.type !== 'finish') {
        run.first_text_at ??= new Date()
        return unlessAborted(made.add(part), signal)
      }
    }
    await llm.perform({ plan, request: work, signal, onAttempt, take })
  } catch (error) {
    ending = endingOf(error, run, log.child({ run_id: run.run_id, platform: route.platform }))
  }
  if (flagged) log.warn({ platform: route.platform, model: row.model, flagged }, 'upstream usage refused')
  return {
    outcome: { ...ending, text: '' },
    said: { reasoning: '', tool_calls: [], finish: null },
    produced: ending.state === 'done' || (ending.state === 'cancelled' && made.begun),
    rest: null,
    metered: meteredOf(used),
    made: made.whole,
    flagged,
    ...route,
  }
}

function meteredOf({ used: { tokens, units, times }, usage_source }: Used): Metered {
  return { tokens: inputOf(tokens), units, times, usage_source }
}
