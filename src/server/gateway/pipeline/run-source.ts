import type { SettledRun } from '#server/runs/settle.ts'
import type { RunHandle, Runs } from '#server/runs/runs.ts'

/** Where the answer to a call comes from: from a run that begins now, or from one that an earlier call under its key made. */
export type RunSource =
  | {
      run_id: string
      opened: RunHandle
      /** The client may come back for it under its Idempotency-Key, so it is finished without the client too. */
      has_idempotency_key: boolean
    }
  | { run_id: string; loadCachedResult: () => Promise<SettledRun> }

type OpenedSource = Extract<RunSource, { opened: RunHandle }>

/** Runs an answer into the sink. A client that leaves stops it, unless it may come back. Never rejects. */
export async function executeSource(
  runs: Runs,
  { run_id, opened, has_idempotency_key }: OpenedSource,
  sink: Parameters<RunHandle['executeTo']>[0],
  disconnect_signal: AbortSignal,
): Promise<SettledRun> {
  const ended = opened.executeTo(sink)
  const cancel = (): void => void runs.cancel(run_id)
  if (!has_idempotency_key && disconnect_signal.aborted) cancel()
  else if (!has_idempotency_key) disconnect_signal.addEventListener('abort', cancel, { once: true })
  return ended
}

/** When a run began, seconds since 1970: the first 48 bits of its id are milliseconds (UUIDv7, RFC 9562). */
export const getCreatedSeconds = (run_id: string): number =>
  Math.floor(parseInt(run_id.replaceAll('-', '').slice(0, 12), 16) / 1000)
