import { createHash } from 'node:crypto'
import type { OperationOutput, RunResult } from '#server/runs/runs.ts'
import { MAX_CACHED_BYTES } from './cached-result.ts'

/** Bytes of results, of all keys together, that wait for their clients. */
const MAX_KEPT_BYTES = 64_000_000

/** A run whose client left before it was sent anything. */
export type AbandonedRun = {
  run_id: string
  content_hash: string
  result: Promise<RunResult>
  /** Ends the run if it is still under way. */
  stop: () => void
  /** Bytes of its result; 0 while the run is under way. */
  kept_bytes: number
  /** A client has come back for it and waits. */
  isJoined: boolean
  timer: NodeJS.Timeout | null
}

export type AbandonedRuns = ReturnType<typeof createAbandonedRuns>

/**
 * Runs whose clients left before they were sent anything. The same call under the same key gets the answer of such a run, when it
 * comes again within `graceMs`: clients that time out retry by themselves, and few of them with an Idempotency-Key. A run that
 * nobody comes back for is then stopped. Kept in this process, as far as memory allows.
 */
export function createAbandonedRuns(graceMs: number) {
  const runsByKey = new Map<string, Set<AbandonedRun>>()
  let keptBytes = 0

  const remove = (keyId: string, run: AbandonedRun): void => {
    if (run.timer) clearTimeout(run.timer)
    const runs = runsByKey.get(keyId)
    if (!runs?.delete(run)) return
    keptBytes -= run.kept_bytes
    if (runs.size === 0) runsByKey.delete(keyId)
  }

  const wait = (keyId: string, run: AbandonedRun): void => {
    run.isJoined = false
    run.timer = setTimeout(() => {
      remove(keyId, run)
      run.stop()
    }, graceMs).unref()
  }

  /** Keeps a result that nobody waits for, when it is whole and there is room for it. */
  const keep = (keyId: string, run: AbandonedRun, result: RunResult): void => {
    if (run.isJoined || !runsByKey.get(keyId)?.has(run)) return
    const bytes = getSize(result)
    if (result.state !== 'done' || bytes > MAX_CACHED_BYTES || keptBytes + bytes > MAX_KEPT_BYTES)
      return remove(keyId, run)
    run.kept_bytes = bytes
    keptBytes += bytes
  }

  return {
    /** Notes that the client of a run has left. `result` never rejects. */
    add(keyId: string, abandonedRun: Pick<AbandonedRun, 'run_id' | 'content_hash' | 'result' | 'stop'>) {
      const run: AbandonedRun = { ...abandonedRun, kept_bytes: 0, isJoined: false, timer: null }
      const runs = runsByKey.get(keyId) ?? new Set()
      runsByKey.set(keyId, runs.add(run))
      wait(keyId, run)
      void run.result.then((result) => keep(keyId, run, result))
    },

    /**
     * Joins the run that a client of this key left, of a call whose content has this hash; null when there is none. When `signal`
     * aborts, the client that came back has left as well.
     */
    async join(
      keyId: string,
      getContentHash: () => Promise<string>,
      signal: AbortSignal,
    ): Promise<Pick<AbandonedRun, 'run_id' | 'result'> | null> {
      if (!runsByKey.has(keyId)) return null
      const contentHash = await getContentHash()
      const runs = [...(runsByKey.get(keyId) ?? [])]
      const run = runs.find((one) => one.content_hash === contentHash && !one.isJoined)
      if (!run) return null
      run.isJoined = true
      if (run.timer) clearTimeout(run.timer)
      const onLeave = (): void => wait(keyId, run)
      if (signal.aborted) onLeave()
      else signal.addEventListener('abort', onLeave, { once: true })
      void run.result.then(() => {
        signal.removeEventListener('abort', onLeave)
        if (run.isJoined) remove(keyId, run)
      })
      return run
    },
  }
}

const getSize = ({ text, response, operation_output: output }: RunResult): number =>
  text.length + response.reasoning.length + (output ? getOutputSize(output) : 0)

/** Sound that was too large to be kept counts as infinite, since nobody can come back for it. */
const getOutputSize = (output: OperationOutput): number =>
  output.type === 'json' ? JSON.stringify(output.answer).length : (output.bytes?.length ?? Infinity)

/** Hashes the endpoint and content by which calls of a key are the same. */
export async function hashContent(endpoint: string, getContent: () => unknown): Promise<string> {
  const content = JSON.stringify([endpoint, await getContent()])
  return createHash('sha256').update(content).digest('base64url')
}
