import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { ChatStreamEvent, TurnStreamEvent } from '#contract/chat.ts'
import type { MessageSearch } from '#contract/web-search.ts'
import type { ServerEvent } from '#server/core/event-stream/send-events.ts'
import type { RunEvent, RunResult, Runs, StreamPosition } from '#server/runs/runs.ts'
import type { AnswerEvent, AnswerNote } from './assistant.ts'
import type { AnswerRow } from './turns/store.ts'

/**
 * Yields the events of GET /chat/completions for an answer to a reader with this Last-Event-ID: reasoning, text, the end unless
 * it is a normal one, `[DONE]`. After an error there is no `[DONE]`. An event's id is the position from which a returning reader
 * continues: `{run}:{characters}`, and with reasoning `{run}:{characters}.{characters of reasoning}`.
 */
export const streamAnswer = (
  { request_id, ...reader }: AnswerReader,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> => streamEvents(readAnswer(reader, signal), request_id)

/** Formats the events of an answer for the wire. */
export async function* streamEvents(
  events: AsyncGenerator<AnswerEvent>,
  requestId: string,
): AsyncGenerator<ServerEvent> {
  for await (const event of events) {
    if (!('end' in event)) yield { ...event, data: JSON.stringify(event.data) }
    else {
      const last = toEndEvent(event.end, requestId)
      if (last) yield { ...('error' in last ? { event: 'error' } : {}), data: JSON.stringify(last) }
      if (!last || !('error' in last)) yield { data: '[DONE]' }
    }
  }
}

/**
 * Yields the events of a turn's answers side by side, as they come: the same events with each one's model, the end of each, and
 * `[DONE]` after all. The Last-Event-ID has an id for each answer, separated by commas.
 */
export async function* streamTurn(
  { answers, request_id, ...reader }: TurnReader,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const readLane = async function* (answer: AnswerRow): AsyncGenerator<ServerEvent> {
    const serialize = (data: ChatStreamEvent | { state: 'done' }): string =>
      JSON.stringify({ model: answer.lane, ...data } satisfies TurnStreamEvent)
    for await (const event of readAnswer({ answer, ...reader }, signal)) {
      if ('end' in event) yield { data: serialize(toEndEvent(event.end, request_id) ?? { state: 'done' }) }
      else yield { ...event, data: serialize(event.data) }
    }
  }
  yield* mergeGenerators(answers.map(readLane))
  if (!signal.aborted) yield { data: '[DONE]' }
}

/** A text is sent again when it has grown by this part of itself, so that a long one is sent some hundred times at most. */
const REPEATED_GROWTH = 0.02

/** Replaces the text of each event by the whole text so far. */
export async function* repeatText(events: AsyncGenerator<AnswerEvent>): AsyncGenerator<AnswerEvent> {
  let text = ''
  let pendingEvent: AnswerEvent | null = null
  let sentLength = 0
  for await (const event of events) {
    if ('end' in event || !('delta_content' in event.data)) {
      if (pendingEvent) yield pendingEvent
      pendingEvent = null
      yield event
      continue
    }
    const { delta_content, replace } = event.data
    text = replace ? delta_content : text + delta_content
    pendingEvent = { ...event, data: { delta_content: text, replace: true } }
    if (!replace && text.length < sentLength * (1 + REPEATED_GROWTH)) continue
    yield pendingEvent
    pendingEvent = null
    sentLength = text.length
  }
}

type AnswerReader = {
  runs: Runs
  answer: AnswerRow
  last_event_id: string | null
  request_id: string
  /** Tells whether each event of a model has the whole text so far. */
  repeatsText: (model: string) => boolean
}
type TurnReader = Omit<AnswerReader, 'answer'> & { answers: AnswerRow[] }

function readAnswer(
  { repeatsText, runs, answer, last_event_id }: Omit<AnswerReader, 'request_id'>,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> {
  const position = parseLastEventId(answer.run_id, last_event_id)
  if (!repeatsText(answer.model)) return readAnswerFrom(position, { runs, answer }, signal)
  return repeatText(readAnswerFrom({ ...position, text: 0 }, { runs, answer }, signal))
}

async function* readAnswerFrom(
  position: StreamPosition,
  { runs, answer }: Pick<AnswerReader, 'runs' | 'answer'>,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> {
  const { run_id, status } = answer
  const watch = (from: StreamPosition) => runs.watch(run_id, from, signal)
  const isBegun = answer.text !== '' || answer.reasoning !== '' || Boolean(answer.known_end)
  const events =
    status !== 'typing'
      ? replayAnswer({ ...answer, status }, position)
      : isBegun
        ? resumeAnswerStream(answer, position, watch)
        : watch(position)
  const id = () => `${run_id}:${position.text}${position.reasoning ? `.${position.reasoning}` : ''}`
  for await (const runEvent of events) {
    if (runEvent.type === 'end') yield { end: runEvent }
    else if (runEvent.type === 'note') yield { data: runEvent.note as { search: MessageSearch } }
    else if (runEvent.type === 'reasoning') {
      position = { ...position, reasoning: runEvent.position }
      yield { id: id(), data: { delta_reasoning: runEvent.text, reasoning_ms: runEvent.ms } }
    } else {
      position = { ...position, text: runEvent.position }
      const { text: deltaContent, replace } = runEvent
      yield { id: id(), data: { delta_content: deltaContent, ...(replace ? { replace } : {}) } }
    }
  }
}

/** Returns the event for an answer's end; null for a normal one. */
function toEndEvent(
  { state, code }: Pick<RunResult, 'state' | 'code'>,
  requestId: string,
): Extract<ChatStreamEvent, { state: string } | { error: object }> | null {
  if (state === 'failed' || state === 'interrupted') {
    const reason = code ?? 'internal'
    return { error: { message: errors[reason].message, code: reason, request_id: requestId } }
  }
  return state === 'cancelled' ? { state } : null
}

/** Merges several generators in order of arrival. At most one value of each waits for a slow reader. */
async function* mergeGenerators<T>(generators: AsyncGenerator<T>[]): AsyncGenerator<T> {
  const ready: { generator: AsyncGenerator<T>; next: IteratorResult<T> }[] = []
  let failure: { error: unknown } | null = null
  let wake = (): void => {}
  const pull = async (generator: AsyncGenerator<T>): Promise<void> => {
    try {
      ready.push({ generator, next: await generator.next() })
    } catch (error) {
      failure = { error }
    }
    wake()
  }
  for (const generator of generators) void pull(generator)
  for (let open = generators.length; open > 0;) {
    if (failure) throw (failure as { error: unknown }).error
    const first = ready.shift()
    if (!first) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    } else if (first.next.done) open--
    else {
      yield first.next.value
      void pull(first.generator)
    }
  }
}

type StoredAnswer = { text: string; reasoning: string; reasoning_ms: number | null }

/** Yields the events that the run of an ended answer would have sent to a reader at a position. */
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

/** Yields the events of an answer that a run continues: positions count the whole text, that of earlier runs included. */
async function* resumeAnswerStream(
  storedAnswer: StoredAnswer & { known_end: string | null },
  after: StreamPosition,
  watch: (from: StreamPosition) => AsyncIterable<RunEvent>,
): AsyncGenerator<RunEvent> {
  const { text, reasoning, reasoning_ms } = storedAnswer
  const knownEnd = storedAnswer.known_end ?? ''
  yield* reasoningAfter(storedAnswer, after.reasoning)
  if (after.text < text.length) {
    yield { type: 'text', text: text.slice(after.text), replace: false, position: text.length }
  }
  const remaining = (position: number, length: number) => Math.max(0, position - length)
  const from = {
    text: remaining(after.text, text.length),
    reasoning: remaining(after.reasoning, reasoning.length),
  }
  for await (const runEvent of watch(from)) {
    if (runEvent.type === 'end') {
      const whole = text + runEvent.text + (runEvent.state === 'done' ? knownEnd : '')
      // A returning reader may already have a part of the known end.
      const had = Math.max(after.text, text.length + runEvent.text.length)
      if (had < whole.length)
        yield { type: 'text', text: whole.slice(had), replace: false, position: whole.length }
      yield { ...runEvent, text: whole }
    } else if (runEvent.type === 'note') yield runEvent
    else if (runEvent.type === 'reasoning') {
      const ms = runEvent.ms === null ? null : (reasoning_ms ?? 0) + runEvent.ms
      yield { ...runEvent, ms, position: reasoning.length + runEvent.position }
    } else {
      const textAfter = runEvent.replace ? text + runEvent.text : runEvent.text
      yield { ...runEvent, text: textAfter, position: text.length + runEvent.position }
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

/** Returns a reader's position in this run by its Last-Event-ID, one id or several; the start if none is of this run. */
function parseLastEventId(runId: string, lastEventId: string | null): StreamPosition {
  const ids = (lastEventId ?? '').split(',').map((id) => id.trim().split(':'))
  const [, position = ''] = ids.find(([run]) => run === runId) ?? []
  const [, text = 0, reasoning = 0] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(position) ?? []
  return { text: Number(text), reasoning: Number(reasoning) }
}
