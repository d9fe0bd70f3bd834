import { createParser } from 'eventsource-parser'
import { ApiError, open } from '../core/api.ts'
import { lastEventId, read, type Reading, type RunEnd, unread } from './reading.ts'

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8_000
const TRIES = 10
/** A connection that says nothing for so long may be dead without having been closed. */
const SILENCE_MS = 60_000

/**
 * Reads the answer of a turn from its first character to its end, through cuts of the network. `onRead` is given all
 * that came so far. Rejects only when `signal` aborts.
 */
export async function followRun(
  chat_id: string,
  onRead: (reading: Reading) => void,
  signal: AbortSignal,
): Promise<RunEnd> {
  let reading = unread
  for (let failures = 0; failures < TRIES; failures++) {
    if (failures) await pause(Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS), signal)
    const before = reading
    try {
      reading = await attach(chat_id, reading, onRead, signal)
    } catch (error) {
      signal.throwIfAborted()
      const refused =
        error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
      if (refused)
        return error.status === 404 ? { state: 'gone' } : { state: 'failed', message: error.message }
      if (error instanceof Cut) reading = error.reading
    }
    if (reading.end) return reading.end
    if (reading !== before) failures = 0
  }
  return { state: 'lost' }
}

/** The stream broke off; what it brought is kept. */
class Cut extends Error {
  readonly reading: Reading
  constructor(reading: Reading) {
    super('cut')
    this.reading = reading
  }
}

async function attach(
  chat_id: string,
  from: Reading,
  onRead: (reading: Reading) => void,
  signal: AbortSignal,
): Promise<Reading> {
  let reading = from
  const parser = createParser({
    onEvent: (event) => {
      reading = read(reading, event)
    },
  })
  const quiet = new AbortController()
  let heard = Date.now()
  const watch = setInterval(() => Date.now() - heard > SILENCE_MS && quiet.abort(), SILENCE_MS / 6)
  const last = lastEventId(from)
  try {
    const response = await open(
      'GET /api/chat/completions',
      { query: { chat_id } },
      { signal: AbortSignal.any([signal, quiet.signal]), headers: last ? { 'Last-Event-ID': last } : {} },
    )
    if (!response.body) return reading
    const decoder = new TextDecoder()
    const reader = response.body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return reading
      heard = Date.now()
      const before = reading
      parser.feed(decoder.decode(value, { stream: true }))
      if (reading !== before) onRead(reading)
      if (reading.end) {
        void reader.cancel()
        return reading
      }
    }
  } catch (cause) {
    if (reading === from) throw cause
    throw new Cut(reading)
  } finally {
    clearInterval(watch)
  }
}

/** Waits, but no longer than until the network is back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = new AbortController()
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      over.abort()
      settle()
    }
    const timer = setTimeout(() => finish(resolve), ms)
    addEventListener('online', () => finish(resolve), { signal: over.signal })
    signal.addEventListener('abort', () => finish(() => reject(signal.reason as Error)), {
      signal: over.signal,
    })
  })
}
