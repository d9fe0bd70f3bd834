import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { ChatStreamEvent } from '#contract/chat.ts'
import type { MessageSearch } from '#contract/search.ts'
import type { ServerEvent } from '../core/sse.ts'
import type { Outcome, Position, ThoughtEvent } from '../runs/live-run.ts'

const event = (data: ChatStreamEvent): string => JSON.stringify(data)

/**
 * What GET /chat/completions sends for an answer to a reader who has come so far: what was thought, the text, how it ended
 * if not well, `[DONE]`. After an error there is no `[DONE]`. An event's id tells where a reader that comes back goes on:
 * `{run}:{characters}`, and where there is reasoning `{run}:{characters}.{characters of reasoning}`.
 */
export async function* completionEvents(
  { run_id, after, events }: Followed,
  signal: AbortSignal,
  request_id: string,
): AsyncGenerator<ServerEvent> {
  let at = after
  const id = () => `${run_id}:${at.text}${at.reasoning ? `.${at.reasoning}` : ''}`
  for await (const next of events(signal)) {
    if (next.type === 'end') yield* endEvents(next.outcome, request_id)
    else if (next.type === 'note') yield { data: JSON.stringify(next.note) }
    else if (next.type === 'reasoning') {
      at = { ...at, reasoning: next.position }
      yield { id: id(), data: event({ delta_reasoning: next.text, reasoning_ms: next.ms }) }
    } else {
      at = { ...at, text: next.position }
      const data = event({ delta_content: next.text, ...(next.replace ? { replace: true } : {}) })
      yield { id: id(), data }
    }
  }
}

/** A turn's answer and how far its reader has come. */
export type Followed = {
  run_id: string
  after: Position
  events: (signal: AbortSignal) => AsyncIterable<ThoughtEvent>
}

function* endEvents({ state, code }: Outcome, request_id: string): Generator<ServerEvent> {
  if (state === 'failed' || state === 'interrupted') {
    const reason = code ?? 'internal'
    const error = { message: errors[reason].message, code: reason, request_id }
    yield { event: 'error', data: event({ error }) }
    return
  }
  if (state === 'cancelled') yield { data: event({ state: 'cancelled' }) }
  yield { data: '[DONE]' }
}

type Begun = { text: string; reasoning: string; reasoning_ms: number | null }

/** An answer that ended a while ago, as its run would have told it to a reader at a position. */
export async function* replay(
  message: Begun & { status: Outcome['state']; error_code: string | null; search: MessageSearch | null },
  after: Position,
): AsyncGenerator<ThoughtEvent> {
  const { text, status: state, error_code, search } = message
  if (search) yield { type: 'note', note: { search } }
  yield* thoughtAfter(message, after.reasoning <= message.reasoning.length ? after.reasoning : 0)
  const known = after.text <= text.length
  if (text && (after.text < text.length || !known)) {
    yield {
      type: 'text',
      text: known ? text.slice(after.text) : text,
      replace: !known,
      position: text.length,
    }
  }
  yield { type: 'end', outcome: { state, code: error_code as ErrorCode | null, text } }
}

/** What a running run adds to what its answer had said before: positions count the whole of it. */
export async function* onward(
  begun: Begun,
  after: Position,
  watch: (from: Position) => AsyncIterable<ThoughtEvent>,
): AsyncGenerator<ThoughtEvent> {
  const { text, reasoning, reasoning_ms } = begun
  yield* thoughtAfter(begun, after.reasoning)
  if (after.text < text.length) {
    yield { type: 'text', text: text.slice(after.text), replace: false, position: text.length }
  }
  const left = (position: number, length: number) => Math.max(0, position - length)
  const from = { text: left(after.text, text.length), reasoning: left(after.reasoning, reasoning.length) }
  for await (const next of watch(from)) {
    if (next.type === 'end') yield { ...next, outcome: { ...next.outcome, text: text + next.outcome.text } }
    else if (next.type === 'note') yield next
    else if (next.type === 'reasoning') {
      const ms = next.ms === null ? null : (reasoning_ms ?? 0) + next.ms
      yield { ...next, ms, position: reasoning.length + next.position }
    } else {
      const whole = next.replace ? text + next.text : next.text
      yield { ...next, text: whole, position: text.length + next.position }
    }
  }
}

function* thoughtAfter({ reasoning, reasoning_ms: ms }: Begun, position: number): Generator<ThoughtEvent> {
  if (position >= reasoning.length) return
  yield { type: 'reasoning', text: reasoning.slice(position), ms, position: reasoning.length }
}

/** How far the reader of a Last-Event-ID got in this run; nowhere when it names another run or nothing. */
export function positionIn(run_id: string, last_event_id: string | null): Position {
  const [run, position = ''] = (last_event_id ?? '').split(':')
  const [, text = 0, reasoning = 0] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(position) ?? []
  return run === run_id ? { text: Number(text), reasoning: Number(reasoning) } : { text: 0, reasoning: 0 }
}
