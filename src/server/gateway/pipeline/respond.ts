import { AppError } from '#server/core/app-error.ts'
import type { SettledRun } from '#server/runs/settle.ts'
import type { Runs } from '#server/runs/runs.ts'
import { createEventStream } from '../http/event-stream.ts'
import { sendJson } from '../http/exchange.ts'
import type { Exchange } from '../http/exchange.ts'
import { createIncrementReader, toIncrements } from '../protocols/increments.ts'
import type { ResponseFormatter, ResponseWriter } from '../protocols/response-formatter.ts'
import { executeSource } from './run-source.ts'
import type { RunSource } from './run-source.ts'

type ResponseContext = { runs: Runs; source: RunSource; formatter: ResponseFormatter; exchange: Exchange }

/** Answers with the whole answer. Throws AppError when there is none. */
export async function respondWhole({
  runs,
  source,
  formatter,
  exchange,
}: ResponseContext): Promise<SettledRun> {
  const ended =
    'loadCachedResult' in source
      ? await source.loadCachedResult()
      : await executeSource(runs, source, { to: 'buffer' }, exchange.disconnect_signal)
  throwIfFailed(ended)
  sendJson(exchange.response, 200, formatter.formatWhole(ended))
  return ended
}

/**
 * Answers with a stream. Its end is sent when the run is settled. Throws AppError for what fails before anything was
 * sent; after that an error is the last event, in place of an end.
 */
export async function respondStream({
  runs,
  source,
  formatter: shape,
  exchange,
}: ResponseContext): Promise<SettledRun> {
  const writer = shape.createWriter()
  const events = createEventStream(exchange.response, { keep_alive: shape.keep_alive })
  try {
    if ('loadCachedResult' in source) {
      const ended = await source.loadCachedResult()
      const parts = toIncrements(ended).map((part) => writer.writePart(part))
      events.end(parts.join('') + formatEnd(writer, ended, true))
      return ended
    }
    const increments = createIncrementReader()
    const onPart = (part: Parameters<typeof increments.toIncrement>[0]): Promise<void> | void => {
      const increment = increments.toIncrement(part)
      const text = increment && writer.writePart(increment)
      if (text) return events.write(text)
    }
    const ended = await executeSource(runs, source, { to: 'stream', onPart }, exchange.disconnect_signal)
    if (!events.hasStarted) throwIfFailed(ended)
    events.end(formatEnd(writer, ended, increments.isPrefixOf(ended.outcome.text)))
    return ended
  } catch (error) {
    if (!events.hasStarted) throw error
    events.end(writer.writeError(error instanceof AppError ? error.code : 'internal'))
    throw error
  } finally {
    events.stop()
  }
}

/** `true_so_far`: nothing was sent that the answer does not say. */
function formatEnd(writer: ResponseWriter, ended: SettledRun, is_consistent: boolean): string {
  const { state, code } = ended.outcome
  if (state !== 'done') return writer.writeError(code ?? 'internal')
  return is_consistent ? writer.writeEnd(ended) : writer.writeError('upstream_malformed')
}

/** Throws AppError for an answer that did not come whole. */
export function throwIfFailed({ outcome: { state, code, retry_after } }: SettledRun): void {
  if (state !== 'done') throw new AppError(code ?? 'interrupted', retry_after ? { retry_after } : {})
}
