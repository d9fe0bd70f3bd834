import { createParser } from 'eventsource-parser'
import { ApiError, requestRaw } from '#web/core/api.ts'
import {
  toLastEventId,
  applyStreamEvent,
  type StreamState,
  type StreamEnd,
  initialStreamState,
} from './streamState.ts'

const MIN_RETRY_MS = 500
const MAX_RETRY_MS = 8_000
const MAX_ATTEMPTS = 10
/** A connection without data for this long may be dead without having been closed. */
const IDLE_TIMEOUT_MS = 60_000

/** Accumulates the events of a turn's stream into a state. */
export type EventReader<State> = {
  query: { chat_id: string; chatbot?: string; model?: string; target_lang?: string }
  initial: State
  apply: (state: State, event: { id?: string | undefined; data: string }) => State
  /** The value of Last-Event-ID for continuing after the events read; null at the start. */
  toLastEventId: (state: State) => string | null
  hasEnded: (state: State) => boolean
}

/**
 * Reads the answer of a turn from its first character to its end, reconnecting when the network is cut. `onProgress` gets the
 * whole state read so far. Rejects only when `signal` aborts.
 */
export async function readAnswerStream(
  chatId: string,
  onProgress: (reading: StreamState) => void,
  signal: AbortSignal,
): Promise<StreamEnd> {
  const { state, failure } = await readEvents(
    {
      query: { chat_id: chatId },
      initial: initialStreamState,
      apply: applyStreamEvent,
      toLastEventId,
      hasEnded: ({ end }) => end !== null,
    },
    onProgress,
    signal,
  )
  return failure ?? state.end ?? { state: 'lost' }
}

/**
 * Reads the events of a turn to their end, reconnecting when the network is cut. `failure` says why the end could not be read.
 * Rejects only when `signal` aborts.
 */
export async function readEvents<State>(
  events: EventReader<State>,
  onProgress: (state: State) => void,
  signal: AbortSignal,
): Promise<{ state: State; failure: StreamEnd | null }> {
  let state = events.initial
  for (let failures = 0; failures < MAX_ATTEMPTS; failures++) {
    if (failures) await waitForRetry(Math.min(MIN_RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS), signal)
    const before = state
    try {
      state = await readConnection(events, state, onProgress, signal)
    } catch (error) {
      signal.throwIfAborted()
      const isRejected =
        error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
      if (isRejected) {
        const isGone = error.status === 404
        return { state, failure: isGone ? { state: 'gone' } : { state: 'failed', message: error.message } }
      }
      if (error instanceof StreamInterrupted) state = error.state as State
    }
    if (events.hasEnded(state)) return { state, failure: null }
    if (state !== before) failures = 0
  }
  return { state, failure: { state: 'lost' } }
}

/** The stream broke off; `state` is what was read of it. */
class StreamInterrupted extends Error {
  readonly state: unknown
  constructor(state: unknown) {
    super('cut')
    this.state = state
  }
}

async function readConnection<State>(
  { query, apply, toLastEventId: toResumeId, hasEnded }: EventReader<State>,
  initial: State,
  onProgress: (state: State) => void,
  signal: AbortSignal,
): Promise<State> {
  let state = initial
  const parser = createParser({
    onEvent: (event) => {
      state = apply(state, event)
    },
  })
  const idleAbort = new AbortController()
  let lastDataAt = Date.now()
  const idleTimer = setInterval(
    () => Date.now() - lastDataAt > IDLE_TIMEOUT_MS && idleAbort.abort(),
    IDLE_TIMEOUT_MS / 6,
  )
  const resumeId = toResumeId(initial)
  try {
    const response = await requestRaw(
      'GET /api/chat/completions',
      { query },
      {
        signal: AbortSignal.any([signal, idleAbort.signal]),
        headers: resumeId ? { 'Last-Event-ID': resumeId } : {},
      },
    )
    if (!response.body) return state
    const decoder = new TextDecoder()
    const reader = response.body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return state
      lastDataAt = Date.now()
      const before = state
      parser.feed(decoder.decode(value, { stream: true }))
      if (state !== before) onProgress(state)
      if (hasEnded(state)) {
        void reader.cancel()
        return state
      }
    }
  } catch (cause) {
    if (state === initial) throw cause
    throw new StreamInterrupted(state)
  } finally {
    clearInterval(idleTimer)
  }
}

/** Waits for `ms`, or until the network is back if that is earlier. */
function waitForRetry(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cleanup = new AbortController()
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      cleanup.abort()
      settle()
    }
    const timer = setTimeout(() => finish(resolve), ms)
    addEventListener('online', () => finish(resolve), { signal: cleanup.signal })
    signal.addEventListener('abort', () => finish(() => reject(signal.reason as Error)), {
      signal: cleanup.signal,
    })
  })
}
