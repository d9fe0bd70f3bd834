import type { ChatStreamEvent } from '#contract/chat.ts'
import type { MessageSearch } from '#contract/web-search.ts'

export type AnswerEnd =
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
export type AnswerState = {
  text: string
  reasoning: string
  reasoning_ms: number | null
  run: string
  n: number
  r: number
  end: AnswerEnd | null
  /** State of the web search before the text. */
  search: MessageSearch | null
}

export const initialAnswer: AnswerState = {
  text: '',
  reasoning: '',
  reasoning_ms: null,
  run: '',
  n: -1,
  r: 0,
  end: null,
  search: null,
}

/** The answers to a question that a reader has received, by lane: the model in a comparison. `isOver` when all have ended. */
export type TurnState = { lanes: Readonly<Record<string, AnswerState>>; isOver: boolean }

/** The lane of a question with one answer, whose events name none. */
export const ONLY_LANE = ''

export const initialTurn: TurnState = { lanes: {}, isOver: false }

/** The answer to a question that has only one. */
export const getOnlyAnswer = ({ lanes }: TurnState): AnswerState => lanes[ONLY_LANE] ?? initialAnswer

type TurnEvent = (ChatStreamEvent | { state: 'done' }) & { model?: string }

/**
 * Applies one event of GET /api/chat/completions to the lane that it names. A repeated event changes nothing, so that a replay
 * never doubles text. Events of another run, when the turn is answered again, start the text anew.
 */
export function applyTurnEvent(
  before: TurnState,
  { id = '', data }: { id?: string | undefined; data: string },
): TurnState {
  if (before.isOver) return before
  if (data === '[DONE]') {
    const { lanes } = before
    const ended = Object.entries(Object.keys(lanes).length ? lanes : { [ONLY_LANE]: initialAnswer }).map(
      ([lane, state]) => [lane, { ...state, end: state.end ?? { state: 'done' as const } }],
    )
    return { lanes: Object.fromEntries(ended) as TurnState['lanes'], isOver: true }
  }
  const event = JSON.parse(data) as TurnEvent
  const lane = event.model ?? ONLY_LANE
  const current = before.lanes[lane] ?? initialAnswer
  const next = applyEvent(current, id, event)
  if (next === current) return before
  // Several answers are over only at [DONE], which does not follow the error of a single one.
  return { lanes: { ...before.lanes, [lane]: next }, isOver: event.model === undefined && next.end !== null }
}

/** Parses `{run}:{characters}`, with the characters of reasoning after a dot. */
function parseEventId(id: string): { run: string; n: number; r: number } {
  const colon = id.lastIndexOf(':')
  const [n = '', r = '0'] = id.slice(colon + 1).split('.')
  return { run: id.slice(0, Math.max(colon, 0)), n: Number(n), r: Number(r) }
}

function applyEvent(before: AnswerState, id: string, event: TurnEvent): AnswerState {
  if (before.end) return before
  const { run, n, r } = parseEventId(id)
  const state = run && before.run && run !== before.run ? { ...initialAnswer, search: before.search } : before
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

/** The value of Last-Event-ID for continuing after the events read: the position of each answer; null at the start. */
export function toLastEventId({ lanes }: TurnState): string | null {
  const ids = Object.values(lanes).flatMap(({ run, n, r }) => (run ? `${run}:${n}${r ? `.${r}` : ''}` : []))
  return ids.join(',') || null
}

/** The turn without the answers of these lanes, which begin again. */
export function restartLanes({ lanes }: TurnState, restarted: readonly string[]): TurnState {
  const others = Object.entries(lanes).filter(([lane]) => !restarted.includes(lane))
  return { lanes: Object.fromEntries(others), isOver: false }
}
