import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../core/log.ts'
import type { LiveRun } from './live-run.ts'

/**
 * Milliseconds between two writes. All runs share one statement a write, so a thousand streams cost as many
 * transactions as one.
 */
const WRITE_EVERY_MS = 100
const RETRY_MS = 500

/** A piece of a run's text and of what was thought beside it, as stored; `seq` counts the pieces of the run. */
export type Chunk = { run_id: string; seq: number } & Entry

type Entry = { text: string; replace: boolean; reasoning: string }
/** `half` and `halfThought` wait for the second half of a character. */
type Numbering = { next: number; half: string; halfThought: string }

const NOTHING: Entry = { text: '', replace: false, reasoning: '' }
const FIRST: Numbering = { next: 0, half: '', halfThought: '' }

export type StreamLog = {
  /** Adds what a run said. Readers see it once it is stored. */
  add(run: LiveRun, text: string, replace: boolean): void
  /** Adds what a run thought, likewise. */
  think(run: LiveRun, reasoning: string): void
  /** The run says no more: returns what it said that is not stored yet, for the transaction that ends it. */
  close(run: LiveRun): Promise<Chunk | null>
}

/** Gathers what running runs say and stores it in batches: stored first, then shown. */
export function openStreamLog(write: (chunks: Chunk[]) => Promise<void>, log: Log): StreamLog {
  const numbering = new Map<LiveRun, Numbering>()
  let pending = new Map<LiveRun, Entry>()
  let writing = new Map<LiveRun, Entry>()
  let round = Promise.resolve()
  let active = false
  let last = -Infinity

  const writeAll = async (): Promise<void> => {
    while (pending.size) {
      const wait = last + WRITE_EVERY_MS - performance.now()
      if (wait > 0) await sleep(wait)
      last = performance.now()
      if (!pending.size) break
      writing = pending
      pending = new Map()
      round = writeBatch(writing)
      await round
      writing = new Map()
    }
    active = false
  }

  const writeBatch = async (batch: Map<LiveRun, Entry>): Promise<void> => {
    const chunks = [...batch].map(([run, entry]) => {
      const numbers = numbering.get(run) ?? FIRST
      numbering.set(run, { ...numbers, next: numbers.next + 1 })
      return { run_id: run.run_id, seq: numbers.next, ...entry }
    })
    while (!(await written(chunks))) await sleep(RETRY_MS)
    for (const [run, { text, replace, reasoning }] of batch) run.publish(text, replace, reasoning)
  }

  const written = async (chunks: Chunk[]): Promise<boolean> => {
    try {
      await write(chunks)
      return true
    } catch (err) {
      log.error({ err, chunks: chunks.length }, 'stream log: writing failed, trying again')
      return false
    }
  }

  const enter = (run: LiveRun, more: (open: Entry) => Entry): void => {
    pending.set(run, more(pending.get(run) ?? NOTHING))
    if (active) return
    active = true
    void writeAll()
  }

  return {
    add(run, said, replace) {
      const numbers = numbering.get(run) ?? FIRST
      const { text, half } = splitPair(replace ? said : numbers.half + said)
      numbering.set(run, { ...numbers, half })
      if (!text) return
      enter(run, (open) => (replace ? { ...open, text, replace } : { ...open, text: open.text + text }))
    },
    think(run, said) {
      const numbers = numbering.get(run) ?? FIRST
      const { text, half } = splitPair(numbers.halfThought + said)
      numbering.set(run, { ...numbers, halfThought: half })
      if (text) enter(run, (open) => ({ ...open, reasoning: open.reasoning + text }))
    },
    async close(run) {
      while (writing.has(run)) await round.then(() => sleep(0))
      const rest = pending.get(run)
      const seq = numbering.get(run)?.next ?? 0
      pending.delete(run)
      numbering.delete(run)
      return rest ? { run_id: run.run_id, seq, ...rest } : null
    },
  }
}

/**
 * What PostgreSQL's text can hold: no U+0000, no half of a surrogate pair. A pair that a platform cut in two waits
 * for its second half.
 */
function splitPair(said: string): { text: string; half: string } {
  const clean = said.replaceAll('\0', '')
  const half = /[\uD800-\uDBFF]$/.exec(clean)?.[0] ?? ''
  return { text: clean.slice(0, clean.length - half.length).toWellFormed(), half }
}
