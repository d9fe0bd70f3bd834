import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../core/log.ts'
import type { LiveRun } from './live-run.ts'

/**
 * Milliseconds between two writes. All runs share one statement a write, so a thousand streams cost as many
 * transactions as one.
 */
const WRITE_EVERY_MS = 100
const RETRY_MS = 500

/** A piece of a run's text as it is stored; `seq` counts the pieces of the run. */
export type Chunk = { run_id: string; seq: number; text: string; replace: boolean }

type Entry = { text: string; replace: boolean }
type Numbering = { next: number; half: string }

export type StreamLog = {
  /** Adds what a run said. Readers see it once it is stored. */
  add(run: LiveRun, text: string, replace: boolean): void
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
      const numbers = numbering.get(run) ?? { next: 0, half: '' }
      numbering.set(run, { ...numbers, next: numbers.next + 1 })
      return { run_id: run.run_id, seq: numbers.next, ...entry }
    })
    while (!(await written(chunks))) await sleep(RETRY_MS)
    for (const [run, { text, replace }] of batch) run.publish(text, replace)
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

  return {
    add(run, said, replace) {
      const numbers = numbering.get(run) ?? { next: 0, half: '' }
      const { text, half } = splitPair(replace ? said : numbers.half + said)
      numbering.set(run, { ...numbers, half })
      if (!text) return
      const open = pending.get(run)
      pending.set(
        run,
        open && !replace ? { text: open.text + text, replace: open.replace } : { text, replace },
      )
      if (active) return
      active = true
      void writeAll()
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
