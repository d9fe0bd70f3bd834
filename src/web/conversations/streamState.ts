import type { ChatStreamEvent } from '#contract/chat.ts'
import type { MessageSearch } from '#contract/web-search.ts'

export type StreamEnd =
  | { state: 'done' | 'cancelled' }
  | { state: 'failed'; message: string }
  /** The server cannot be reached; the run goes on without this reader. */
  | { state: 'lost' }
  /** The server does not know the run. */
  | { state: 'gone' }

/**
 * The part of a run that a reader has received: text, and the reasoning before it with its duration. `run`, `n` and `r` are the
 * parts of the last event's id.
 */
export type StreamState = {
  text: string
  reasoning: string
  reasoning_ms: number | null
  run: string
  n: number
  r: number
  end: StreamEnd | null
  /** State of the web search before the text. */
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

/** The value of Last-Event-ID for continuing after the events read; null at the start. */
export const toLastEventId = (state: StreamState): string | null => (state.run ? toEventId(state) : null)

/** Parses `{run}:{characters}`, with the characters of reasoning after a dot. */
function parseEventId(id: string): { run: string; n: number; r: number } {
  const colon = id.lastIndexOf(':')
  const [n = '', r = '0'] = id.slice(colon + 1).split('.')
  return { run: id.slice(0, Math.max(colon, 0)), n: Number(n), r: Number(r) }
}

/**
 * Applies one event of GET /api/chat/completions. A repeated event changes nothing, so that a replay never doubles text. Events
 * of another run, when the turn is answered again, start the text anew.
 */
export function applyStreamEvent(
  before: StreamState,
  { id = '', data }: { id?: string | undefined; data: string },
): StreamState {
  if (data === '[DONE]') return before.end ? before : { ...before, end: { state: 'done' } }
  return applyParsedEvent(before, id, JSON.parse(data) as ChatStreamEvent)
}

/** Applies one parsed event, like `applyStreamEvent`. */
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
  // A replacing text may be shorter, so its position does not tell that it was read before.
  if (run && run === state.run && n <= state.n && !event.replace) return before
  const position = run ? { run, n, r: Math.max(r, state.r) } : {}
  return {
    ...state,
    ...position,
    text: event.replace ? event.delta_content : state.text + event.delta_content,
  }
}
