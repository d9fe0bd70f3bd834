import { toInputTokens } from '#server/ledger/prices.ts'
import type { OnPart, RoutedPart, OperationUsage, OperationPart } from '#server/llm/llm.ts'
import { toErrorOutcome, switchOffer, waitUnlessAborted } from './execute-chat.ts'
import type { ExecuteOptions, RunResult, RunRoute } from './execute-chat.ts'
import type { RunOutcome } from './live-run.ts'
import { OutputCollector } from './operation-output.ts'
import type { MeteredUsage } from './meter.ts'
import type { HeldOperationRun } from './create-run.ts'

/**
 * Asks the planned platforms for a work and hands what they make to the sink. Always ends with an outcome, never throws.
 * Sound is ordered as a whole: whoever leaves in the middle of it pays for it, whoever is left in the middle does not.
 */
export async function executeOperationRun({
  run,
  held,
  llm,
  output,
  log,
  onPlatformSwitch,
}: ExecuteOptions<HeldOperationRun>): Promise<RunResult> {
  const { row, plan, operation } = held
  const { platform, prices } = row
  const route: RunRoute = { platform, prices, attempts: [] }
  const collector =
    output.to === 'bytes'
      ? new OutputCollector(output.max_bytes, output.onBytes)
      : new OutputCollector(Infinity, () => {})
  let usage: OperationUsage = { used: operation.counted, usage_source: 'counted' }
  let flagged: string | null = null
  let end_state: Omit<RunOutcome, 'text'> = { state: 'done', code: null }
  const { signal } = run.abort
  try {
    const onAttempt = (attempt: RunRoute['attempts'][number]): unknown => route.attempts.push(attempt)
    const onPart: OnPart<RoutedPart<OperationPart>> = (part) => {
      if (part.type === 'offer') return switchOffer(part.offer, held, route, onPlatformSwitch)
      if (part.type === 'operation_usage') usage = part
      else if (part.type === 'usage_flagged') flagged = part.detail
      else if (part.type !== 'finish') {
        run.first_text_at ??= new Date()
        return waitUnlessAborted(collector.add(part), signal)
      }
    }
    await llm.executeOperation({ plan, request: operation, signal, onAttempt, onPart })
  } catch (error) {
    end_state = toErrorOutcome(error, run, log.child({ run_id: run.run_id, platform: route.platform }))
  }
  if (flagged) log.warn({ platform: route.platform, model: row.model, flagged }, 'upstream usage refused')
  return {
    outcome: { ...end_state, text: '' },
    said: { reasoning: '', tool_calls: [], finish: null },
    produced: end_state.state === 'done' || (end_state.state === 'cancelled' && collector.hasOutput),
    unsaved: null,
    metered: toMeteredUsage(usage),
    made: collector.output,
    flagged,
    ...route,
  }
}

function toMeteredUsage({ used: { tokens, units, times }, usage_source }: OperationUsage): MeteredUsage {
  return { tokens: toInputTokens(tokens), units, times, usage_source }
}
