import type { ChatStreamEvent } from '#contract/chat.ts'
import type { MessageSearch } from '#contract/search.ts'

export type RunEnd =
  | { state: 'done' | 'cancelled' }
  | { state: 'failed'; message: string }
  /** The server cannot be reached any more; the run itself goes on without this reader. */
  | { state: 'lost' }
  /** The server knows no such run. */
  | { state: 'gone' }

/** How far one reader of a run has come. `run` and `n` are the two parts of the last event's id. */
export type Reading = {
  text: string
  run: string
  n: number
  end: RunEnd | null
  /** What is known of the web search before the text. */
  search: MessageSearch | null
}

export const unread: Reading = { text: '', run: '', n: -1, end: null, search: null }

/** The value of Last-Event-ID for going on behind what was read; null from the start. */
export const lastEventId = ({ run, n }: Reading): string | null => (run ? `${run}:${n}` : null)

/**
 * Reads one event of GET /api/chat/completions. An event that was read before changes nothing, so that a replay never
 * doubles text; the events of another run (the turn was answered anew) start the text again.
 */
export function read(
  reading: Reading,
  { id = '', data }: { id?: string | undefined; data: string },
): Reading {
  if (reading.end) return reading
  if (data === '[DONE]') return { ...reading, end: { state: 'done' } }
  const colon = id.lastIndexOf(':')
  const [run, n] = [id.slice(0, Math.max(colon, 0)), Number(id.slice(colon + 1))]
  const event = JSON.parse(data) as ChatStreamEvent
  if ('search' in event) return { ...reading, search: event.search }
  // A text that replaces the one before may be shorter, so its position says nothing about having been read.
  const replaces = 'delta_content' in event && event.replace
  if (run && run === reading.run && n <= reading.n && !replaces) return reading
  const text = run && reading.run && run !== reading.run ? '' : reading.text
  const { search } = reading
  const at = run ? { run, n, search } : { run: reading.run, n: reading.n, search }
  if ('error' in event) return { ...at, text, end: { state: 'failed', message: event.error.message } }
  if ('state' in event) return { ...at, text, end: { state: event.state } }
  return { ...at, text: event.replace ? event.delta_content : text + event.delta_content, end: null }
}
