import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { ChatStreamEvent } from '#contract/chat.ts'
import type { ServerEvent } from '#server/core/sse.ts'
import type { RunEvent, RunResult, Runs, StreamPosition } from '#server/runs/runs.ts'
import type { AnswerNote } from './assistant.ts'
import type { AnswerRow } from './turns/store.ts'

const serializeEvent = (data: ChatStreamEvent): string => JSON.stringify(data)

/**
 * What GET /chat/completions sends for an answer to a reader with this Last-Event-ID: reasoning, text, how it ended if not
 * well, `[DONE]`. After an error there is no `[DONE]`. An event's id is the position from which a reader that comes back
 * goes on: `{run}:{characters}`, and with reasoning `{run}:{characters}.{characters of reasoning}`.
 */
export async function* streamAnswer(
  { runs, answer, last_event_id, request_id }: AnswerReader,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const { run_id, status } = answer
  let position = parseLastEventId(run_id, last_event_id)
  const events =
    status === 'typing'
      ? resumeAnswerStream(answer, position, (from) => runs.watch(run_id, from, signal))
      : replayAnswer({ ...answer, status }, position)
  const id = () => `${run_id}:${position.text}${position.reasoning ? `.${position.reasoning}` : ''}`
  for await (const runEvent of events) {
    if (runEvent.type === 'end') yield* toEndEvents(runEvent, request_id)
    else if (runEvent.type === 'note') yield { data: JSON.stringify(runEvent.note) }
    else if (runEvent.type === 'reasoning') {
      position = { ...position, reasoning: runEvent.position }
      yield { id: id(), data: serializeEvent({ delta_reasoning: runEvent.text, reasoning_ms: runEvent.ms }) }
    } else {
      position = { ...position, text: runEvent.position }
      const data = serializeEvent({
        delta_content: runEvent.text,
        ...(runEvent.replace ? { replace: true } : {}),
      })
      yield { id: id(), data }
    }
  }
}

type AnswerReader = { runs: Runs; answer: AnswerRow; last_event_id: string | null; request_id: string }

function* toEndEvents(
  { state, code }: Pick<RunResult, 'state' | 'code'>,
  request_id: string,
): Generator<ServerEvent> {
  if (state === 'failed' || state === 'interrupted') {
    const reason = code ?? 'internal'
    const error = { message: errors[reason].message, code: reason, request_id }
    yield { event: 'error', data: serializeEvent({ error }) }
    return
  }
  if (state === 'cancelled') yield { data: serializeEvent({ state: 'cancelled' }) }
  yield { data: '[DONE]' }
}

type StoredAnswer = { text: string; reasoning: string; reasoning_ms: number | null }

/** An answer that has ended, in the events that its run would have sent to a reader at a position. */
async function* replayAnswer(
  message: StoredAnswer & AnswerNote & { status: RunResult['state']; error_code: string | null },
  after: StreamPosition,
): AsyncGenerator<RunEvent> {
  const { text, status: state, error_code, search } = message
  if (search) yield { type: 'note', note: { search } }
  yield* reasoningAfter(message, after.reasoning <= message.reasoning.length ? after.reasoning : 0)
  const isWithin = after.text <= text.length
  if (text && (after.text < text.length || !isWithin)) {
    yield {
      type: 'text',
      text: isWithin ? text.slice(after.text) : text,
      replace: !isWithin,
      position: text.length,
    }
  }
  yield { type: 'end', state, code: error_code as ErrorCode | null, text }
}

/** An answer that a running run adds to: positions count the whole text, also what earlier runs wrote. */
async function* resumeAnswerStream(
  stored: StoredAnswer,
  after: StreamPosition,
  watch: (from: StreamPosition) => AsyncIterable<RunEvent>,
): AsyncGenerator<RunEvent> {
  const { text, reasoning, reasoning_ms } = stored
  yield* reasoningAfter(stored, after.reasoning)
  if (after.text < text.length) {
    yield { type: 'text', text: text.slice(after.text), replace: false, position: text.length }
  }
  const remaining = (position: number, length: number) => Math.max(0, position - length)
  const from = {
    text: remaining(after.text, text.length),
    reasoning: remaining(after.reasoning, reasoning.length),
  }
  for await (const runEvent of watch(from)) {
    if (runEvent.type === 'end') yield { ...runEvent, text: text + runEvent.text }
    else if (runEvent.type === 'note') yield runEvent
    else if (runEvent.type === 'reasoning') {
      const ms = runEvent.ms === null ? null : (reasoning_ms ?? 0) + runEvent.ms
      yield { ...runEvent, ms, position: reasoning.length + runEvent.position }
    } else {
      const text_after = runEvent.replace ? text + runEvent.text : runEvent.text
      yield { ...runEvent, text: text_after, position: text.length + runEvent.position }
    }
  }
}

function* reasoningAfter(
  { reasoning, reasoning_ms: ms }: StoredAnswer,
  position: number,
): Generator<RunEvent> {
  if (position >= reasoning.length) return
  yield { type: 'reasoning', text: reasoning.slice(position), ms, position: reasoning.length }
}

/** How far the reader of a Last-Event-ID got in this run; nowhere when it names another run or nothing. */
function parseLastEventId(run_id: string, last_event_id: string | null): StreamPosition {
  const [run, position = ''] = (last_event_id ?? '').split(':')
  const [, text = 0, reasoning = 0] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(position) ?? []
  return run === run_id ? { text: Number(text), reasoning: Number(reasoning) } : { text: 0, reasoning: 0 }
}
