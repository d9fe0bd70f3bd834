import { AppError } from '../core/app-error.ts'
import type { Ended } from '../runs/finish.ts'
import type { Runs } from '../runs/runs.ts'
import { openChunks } from './chunks.ts'
import { completionOf } from './completion.ts'
import type { Head } from './completion.ts'
import { openEvents } from './events.ts'
import { sendJson } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import { relay } from './source.ts'
import type { Source } from './source.ts'

type Answering = { runs: Runs; source: Source; head: Head; exchange: Exchange }

/** Answers with the whole completion. Throws AppError when there is none. */
export async function answerWhole({ runs, source, head, exchange }: Answering): Promise<Ended> {
  const ended =
    'kept' in source ? await source.kept() : await relay(runs, source, { to: 'whole' }, exchange.gone)
  throwIfBroken(ended)
  sendJson(exchange.response, 200, completionOf(head, ended))
  return ended
}

/**
 * Answers with a stream of chunks. Its end is sent when the run is settled. Throws AppError for what fails before
 * anything was sent; after that an error is the last event, and no `[DONE]` follows.
 */
export async function answerInStream(
  { runs, source, head, exchange }: Answering,
  include_usage: boolean,
): Promise<Ended> {
  const chunks = openChunks(head, include_usage)
  const events = openEvents(exchange.response)
  try {
    if ('kept' in source) {
      const ended = await source.kept()
      events.end(chunks.all(ended) + chunks.end(ended))
      return ended
    }
    const hear = (part: Parameters<typeof chunks.part>[0]) => events.write(chunks.part(part))
    const ended = await relay(runs, source, { to: 'hear', hear }, exchange.gone)
    if (!events.begun) throwIfBroken(ended)
    events.end(chunks.end(ended))
    return ended
  } catch (error) {
    if (!events.begun) throw error
    events.end(chunks.error(error instanceof AppError ? error.code : 'internal'))
    throw error
  } finally {
    events.stop()
  }
}

function throwIfBroken({ outcome: { state, code } }: Ended): void {
  if (state !== 'done') throw new AppError(code ?? 'interrupted')
}
