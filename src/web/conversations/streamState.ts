import type { ChatStreamEvent } from '#contract/chat.ts'
import type { MessageSearch } from '#contract/web-search.ts'

export type StreamEnd =
  | { state: 'done' | 'cancelled' }
  | { state: 'failed'; message: string }
  /** The server cannot be reached any more; the run itself goes on without this reader. */
  | { state: 'lost' }
  /** The server knows no such run. */
  | { state: 'gone' }

/**
 * How far one reader of a run has come: what was said, what was thought before it and for how long. `run`, `n` and `r` are
 * the parts of the last event's id.
 */
export type StreamState = {
  text: string
  reasoning: string
  reasoning_ms: number | null
  run: string
  n: number
  r: number
  end: StreamEnd | null
  /** What is known of the web search before the text. */
  search: MessageSearch | null
}

export const initialStreamState: StreamState = {
  text: '',
  reasoning: '',
  reasoning_ms: null,
  run: '',
  n: -1,
  r: 0,
  end: null,
  search: null,
}

const toEventId = ({ run, n, r }: StreamState): string => `${run}:${n}${r ? `.${r}` : ''}`

/** The value of Last-Event-ID for going on behind what was read; null from the start. */
export const toLastEventId = (state: StreamState): string | null => (state.run ? toEventId(state) : null)

/** `{run}:{characters}`, and behind a dot the characters of reasoning. */
function parseEventId(id: string): { run: string; n: number; r: number } {
  const colon = id.lastIndexOf(':')
  const [n = '', r = '0'] = id.slice(colon + 1).split('.')
  return { run: id.slice(0, Math.max(colon, 0)), n: Number(n), r: Number(r) }
}

/**
 * Reads one event of GET /api/chat/completions. An event that was read before changes nothing, so that a replay never
 * doubles text; the events of another run (the turn was answered anew) start the text again.
 */
export function applyStreamEvent(
  before: StreamState,
  { id = '', data }: { id?: string | undefined; data: string },
): StreamState {
  if (data === '[DONE]') return before.end ? before : { ...before, end: { state: 'done' } }
  return applyParsedEvent(before, id, JSON.parse(data) as ChatStreamEvent)
}

/** The same of an event that has been parsed. */
export function applyParsedEvent(
  before: StreamState,
  id: string,
  event: ChatStreamEvent | { state: 'done' },
): StreamState {
  if (before.end) return before
  const { run, n, r } = parseEventId(id)
  const state =
    run && before.run && run !== before.run ? { ...initialStreamState, search: before.search } : before
  if ('search' in event) return { ...state, search: event.search }
  if ('error' in event) return { ...state, end: { state: 'failed', message: event.error.message } }
  if ('state' in event) return { ...state, end: { state: event.state } }
  if ('delta_reasoning' in event) {
    if (run && r <= state.r) return before
    const { delta_reasoning, reasoning_ms } = event
    const position = run ? { run, n: Math.max(n, state.n), r } : {}
    return { ...state, ...position, reasoning: state.reasoning + delta_reasoning, reasoning_ms }
  }
  // A text that replaces the one before may be shorter, so its position says nothing about having been read.
  if (run && run === state.run && n <= state.n && !event.replace) return before
  const position = run ? { run, n, r: Math.max(r, state.r) } : {}
  return {
    ...state,
    ...position,
    text: event.replace ? event.delta_content : state.text + event.delta_content,
  }
}
