import type { Log } from '#server/core/log.ts'
import type { LiveRun } from './live-run.ts'
import type { Chunk, RunText } from './result.ts'

/** Milliseconds between two writes. All runs share one statement, so a thousand streams cost as many transactions as one. */
const WRITE_INTERVAL_MS = 50
/**
 * Average milliseconds between two writes of one run: a fast one costs ten rows a second, and readers get as many pieces. A run
 * that has written less before is not delayed.
 */
const RUN_INTERVAL_MS = 100
const RETRY_MS = 500

/** After so many chunks of a run, one repeats them and is read in their place. */
const REPEATED_CHUNKS = 64

// The timer of `node:timers/promises` would ignore a test's clock.
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

type LogEntry = Pick<Chunk, 'text' | 'replace' | 'reasoning'>
/**
 * State of a run's log. The tails wait for the second half of a surrogate pair. Each write takes an interval of the run's time,
 * up to `taken_until`, which may be one interval ahead. `unrepeated`: the chunks since the last that repeats.
 */
type ChunkCursor = {
  next: number
  taken_until: number
  text_tail: string
  reasoning_tail: string
  unrepeated: LogEntry
  unrepeated_chunks: number
}

const EMPTY_ENTRY: LogEntry = { text: '', replace: false, reasoning: '' }
const INITIAL_CURSOR: ChunkCursor = {
  next: 0,
  taken_until: 0,
  text_tail: '',
  reasoning_tail: '',
  unrepeated: EMPTY_ENTRY,
  unrepeated_chunks: 0,
}

export type StreamLog = {
  /** Adds text of a run. Readers see it once it is stored. */
  appendText(run: LiveRun, text: string, replace: boolean): void
  /** Adds reasoning of a run, likewise. */
  appendReasoning(run: LiveRun, reasoning: string): void
  /** Returns the whole output, and the part not yet stored, for the settling transaction. Nothing may be added later. */
  close(run: LiveRun): Promise<ClosedLog>
}

type ClosedLog = RunText & { unsaved_chunk?: Chunk }

type Options = {
  write: (chunks: Chunk[]) => Promise<void>
  read: (runId: string) => Promise<RunText>
  log: Log
}

/** Gathers the output of running runs and stores it in batches; readers see only stored output. */
export function createStreamLog({ write, read, log }: Options): StreamLog {
  const cursors = new Map<LiveRun, ChunkCursor>()
  const pending = new Map<LiveRun, LogEntry>()
  let writing = new Map<LiveRun, LogEntry>()
  let currentWrite = Promise.resolve()
  let isWriting = false
  let lastWrite = -Infinity

  const writeAll = async (): Promise<void> => {
    while (pending.size) {
      const wait = lastWrite + WRITE_INTERVAL_MS - performance.now()
      if (wait > 0) await sleep(wait)
      lastWrite = performance.now()
      const chunks = takeChunks(lastWrite)
      if (!chunks.length) continue
      currentWrite = writeChunks(chunks)
      await currentWrite
      writing = new Map()
    }
    isWriting = false
  }

  /** Takes the chunks to write at this moment. */
  const takeChunks = (now: number): Chunk[] => {
    const chunks: Chunk[] = []
    for (const [run, entry] of pending) {
      const cursor = cursors.get(run) ?? INITIAL_CURSOR
      if (cursor.taken_until > now + RUN_INTERVAL_MS) continue
      const takenUntil = Math.max(cursor.taken_until, now) + RUN_INTERVAL_MS
      cursors.set(run, { ...pushChunks(chunks, run.run_id, cursor, entry), taken_until: takenUntil })
      writing.set(run, entry)
      pending.delete(run)
    }
    return chunks
  }

  const writeChunks = async (chunks: Chunk[]): Promise<void> => {
    await retry(() => write(chunks))
    for (const [run, { text, replace, reasoning }] of writing) run.publish(text, replace, reasoning)
  }

  /** Retries until it succeeds: output must be stored before it is shown, and an unread part would be lost. */
  const retry = async <T>(attempt: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await attempt()
      } catch (err) {
        log.error({ err }, 'stream log: failed, trying again')
        await sleep(RETRY_MS)
      }
    }
  }

  const enqueue = (run: LiveRun, added: LogEntry): void => {
    pending.set(run, joinEntries(pending.get(run) ?? EMPTY_ENTRY, added))
    if (isWriting) return
    isWriting = true
    void writeAll()
  }

  return {
    appendText(run, added, replace) {
      const cursor = cursors.get(run) ?? INITIAL_CURSOR
      const { text, half: textTail } = splitSurrogatePair(replace ? added : cursor.text_tail + added)
      if (textTail !== cursor.text_tail) cursors.set(run, { ...cursor, text_tail: textTail })
      if (text || replace) enqueue(run, { text, replace, reasoning: '' })
    },
    appendReasoning(run, added) {
      const cursor = cursors.get(run) ?? INITIAL_CURSOR
      const { text: reasoning, half } = splitSurrogatePair(cursor.reasoning_tail + added)
      if (half !== cursor.reasoning_tail) cursors.set(run, { ...cursor, reasoning_tail: half })
      if (reasoning) enqueue(run, { text: '', replace: false, reasoning })
    },
    async close(run) {
      while (writing.has(run)) await currentWrite.then(() => sleep(0))
      const unsaved = pending.get(run)
      const seq = cursors.get(run)?.next ?? 0
      pending.delete(run)
      cursors.delete(run)
      const storedText = run.whole ?? (await retry(() => read(run.run_id)))
      run.restore(storedText)
      if (!unsaved) return storedText
      const { text, reasoning } = joinEntries({ ...storedText, replace: false }, unsaved)
      return { text, reasoning, unsaved_chunk: { run_id: run.run_id, seq, ...unsaved, repeats: false } }
    },
  }
}

/** Adds a run's entry to the chunks to write; first, after REPEATED_CHUNKS of them, one chunk that repeats those before. */
function pushChunks(chunks: Chunk[], runId: string, cursor: ChunkCursor, entry: LogEntry): ChunkCursor {
  let { next, unrepeated, unrepeated_chunks } = cursor
  if (unrepeated_chunks === REPEATED_CHUNKS) {
    chunks.push({ run_id: runId, seq: next++, ...unrepeated, repeats: true })
    ;[unrepeated, unrepeated_chunks] = [EMPTY_ENTRY, 0]
  }
  chunks.push({ run_id: runId, seq: next++, ...entry, repeats: false })
  return {
    ...cursor,
    next,
    unrepeated: joinEntries(unrepeated, entry),
    unrepeated_chunks: unrepeated_chunks + 1,
  }
}

const joinEntries = (before: LogEntry, added: LogEntry): LogEntry => ({
  ...(added.replace ? added : { text: before.text + added.text, replace: before.replace }),
  reasoning: before.reasoning + added.reasoning,
})

/** Removes text that PostgreSQL cannot store: U+0000 and half surrogate pairs. A half at the end waits for its second half. */
function splitSurrogatePair(text: string): { text: string; half: string } {
  const clean = text.replaceAll('\0', '')
  const half = /[\uD800-\uDBFF]$/.exec(clean)?.[0] ?? ''
  return { text: clean.slice(0, clean.length - half.length).toWellFormed(), half }
}
