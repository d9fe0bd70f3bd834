import type { Ended } from '../runs/finish.ts'
import type { OpenedRun, Runs } from '../runs/runs.ts'

/** Where the answer to a call comes from: from a run that begins now, or from one that an earlier call under its key made. */
export type Source =
  | {
      run_id: string
      opened: OpenedRun
      /** The client may come back for it under its Idempotency-Key, so it is finished without the client too. */
      keyed: boolean
    }
  | { run_id: string; kept: () => Promise<Ended> }

type Open = Extract<Source, { opened: OpenedRun }>

/** Runs an answer into the sink. A client that leaves stops it, unless it may come back. Never rejects. */
export async function relay(
  runs: Runs,
  { run_id, opened, keyed }: Open,
  sink: Parameters<OpenedRun['relay']>[0],
  gone: AbortSignal,
): Promise<Ended> {
  const ended = opened.relay(sink)
  const stop = (): void => void runs.cancel(run_id)
  if (!keyed && gone.aborted) stop()
  else if (!keyed) gone.addEventListener('abort', stop, { once: true })
  return ended
}

/** When a run began, seconds since 1970: the first 48 bits of its id are milliseconds (UUIDv7, RFC 9562). */
export const secondsOf = (run_id: string): number =>
  Math.floor(parseInt(run_id.replaceAll('-', '').slice(0, 12), 16) / 1000)
