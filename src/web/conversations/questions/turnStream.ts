import { createParser } from 'eventsource-parser'
import { ApiError, requestRaw } from '#web/core/api.ts'
import { applyTurnEvent, initialTurn, toLastEventId, type AnswerEnd, type TurnState } from './turnState.ts'

const MIN_RETRY_MS = 500
const MAX_RETRY_MS = 8_000
const MAX_ATTEMPTS = 10
/** A connection without data for this long may be dead without having been closed. */
const IDLE_TIMEOUT_MS = 60_000
/** Shortest interval between renderings, so that a faster stream costs no more. */
const RENDER_INTERVAL_MS = 80

type TurnQuery = { chat_id: string; chatbot?: string; model?: string; target_lang?: string }

/**
 * Reads the answers of a turn from `from` (their first characters when absent) to their end, reconnecting when the network is
 * cut. `show` gets the state read so far, at intervals and at the end. `failure` says why the end could not be read. Rejects
 * only when `signal` aborts.
 */
export async function readTurn(
  query: TurnQuery,
  show: (turn: TurnState) => void,
  signal: AbortSignal,
  from = initialTurn,
): Promise<{ turn: TurnState; failure: AnswerEnd | null }> {
  let turn = from
  let timer: ReturnType<typeof setTimeout> | undefined
  const showLatest = () => {
    timer = undefined
    if (!signal.aborted) show(turn)
  }
  const onEvent: OnEvent = (event) => {
    const before = turn
    turn = applyTurnEvent(before, event)
    if (turn !== before) timer ??= setTimeout(showLatest, RENDER_INTERVAL_MS)
    return turn.isOver
  }
  const readToEnd = async (): Promise<AnswerEnd | null> => {
    for (let failures = 0; failures < MAX_ATTEMPTS; failures++) {
      if (failures) await waitForRetry(Math.min(MIN_RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS), signal)
      const before = turn
      try {
        await readConnection(query, toLastEventId(turn), onEvent, signal)
      } catch (error) {
        signal.throwIfAborted()
        const isRejected =
          error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
        if (isRejected)
          return error.status === 404 ? { state: 'gone' } : { state: 'failed', message: error.message }
      }
      if (turn.isOver) return null
      if (turn !== before) failures = 0
    }
    return { state: 'lost' }
  }
  try {
    const failure = await readToEnd()
    signal.throwIfAborted()
    show(turn)
    return { turn, failure }
  } finally {
    clearTimeout(timer)
  }
}

/** Takes an event and tells whether it was the last one. */
type OnEvent = (event: { id?: string | undefined; data: string }) => boolean

async function readConnection(
  query: TurnQuery,
  lastEventId: string | null,
  onEvent: OnEvent,
  signal: AbortSignal,
): Promise<void> {
  let isOver = false
  const parser = createParser({
    onEvent: (event) => {
      isOver = onEvent(event)
    },
  })
  const idleAbort = new AbortController()
  let lastDataAt = Date.now()
  const idleTimer = setInterval(
    () => Date.now() - lastDataAt > IDLE_TIMEOUT_MS && idleAbort.abort(),
    IDLE_TIMEOUT_MS / 6,
  )
  try {
    const response = await requestRaw(
      'GET /api/chat/completions',
      { query },
      {
        signal: AbortSignal.any([signal, idleAbort.signal]),
        headers: lastEventId ? { 'Last-Event-ID': lastEventId } : {},
      },
    )
    if (!response.body) return
    const decoder = new TextDecoder()
    const reader = response.body.getReader()
    while (!isOver) {
      const { done, value } = await reader.read()
      if (done) return
      lastDataAt = Date.now()
      parser.feed(decoder.decode(value, { stream: true }))
    }
    void reader.cancel()
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
