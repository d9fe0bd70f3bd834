import { AppError } from '../core/app-error.ts'
import type { Ended } from '../runs/finish.ts'
import type { Runs } from '../runs/runs.ts'
import { openEvents } from './events.ts'
import { sendJson } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import { openIncrements, partsOf } from './increments.ts'
import type { Shape, Writer } from './shape.ts'
import { relay } from './source.ts'
import type { Source } from './source.ts'

type Answering = { runs: Runs; source: Source; shape: Shape; exchange: Exchange }

/** Answers with the whole answer. Throws AppError when there is none. */
export async function answerWhole({ runs, source, shape, exchange }: Answering): Promise<Ended> {
  const ended =
    'kept' in source ? await source.kept() : await relay(runs, source, { to: 'whole' }, exchange.gone)
  throwIfBroken(ended)
  sendJson(exchange.response, 200, shape.whole(ended))
  return ended
}

/**
 * Answers with a stream. Its end is sent when the run is settled. Throws AppError for what fails before anything was
 * sent; after that an error is the last event, in place of an end.
 */
export async function answerInStream({ runs, source, shape, exchange }: Answering): Promise<Ended> {
  const writer = shape.stream()
  const events = openEvents(exchange.response, { keep_alive: shape.keep_alive })
  try {
    if ('kept' in source) {
      const ended = await source.kept()
      const parts = partsOf(ended).map((part) => writer.part(part))
      events.end(parts.join('') + endOf(writer, ended, true))
      return ended
    }
    const increments = openIncrements()
    const hear = (part: Parameters<typeof increments.of>[0]): Promise<void> | void => {
      const increment = increments.of(part)
      const text = increment && writer.part(increment)
      if (text) return events.write(text)
    }
    const ended = await relay(runs, source, { to: 'hear', hear }, exchange.gone)
    if (!events.begun) throwIfBroken(ended)
    events.end(endOf(writer, ended, increments.holds(ended.outcome.text)))
    return ended
  } catch (error) {
    if (!events.begun) throw error
    events.end(writer.error(error instanceof AppError ? error.code : 'internal'))
    throw error
  } finally {
    events.stop()
  }
}

/** `true_so_far`: nothing was sent that the answer does not say. */
function endOf(writer: Writer, ended: Ended, true_so_far: boolean): string {
  const { state, code } = ended.outcome
  if (state !== 'done') return writer.error(code ?? 'internal')
  return true_so_far ? writer.end(ended) : writer.error('upstream_malformed')
}

/** Throws AppError for an answer that did not come whole. */
export function throwIfBroken({ outcome: { state, code, retry_after } }: Ended): void {
  if (state !== 'done') throw new AppError(code ?? 'interrupted', retry_after ? { retry_after } : {})
}
