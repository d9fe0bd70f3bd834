import { AppError } from '../core/app-error.ts'
import type { Db } from '../core/database.ts'
import type { Idempotency } from '../core/idempotency.ts'
import type { Ended } from '../runs/finish.ts'
import type { Outcome } from '../runs/live-run.ts'
import { claim, fulfil, keepAnswer, keptAnswer } from '../runs/requests.ts'
import type { OpenedRun, Runs } from '../runs/runs.ts'
import { runEnd } from '../runs/store.ts'
import type { Then } from './endings.ts'
import { packed, unpacked } from './kept.ts'

// Answers of calls that came with an Idempotency-Key, kept with the key (for a day) in the transaction that settles
// them. Of a call that gave its reader nothing nothing is kept: the same key then tries anew.

/** Who called under which Idempotency-Key. */
export type Keyed = { user_id: string; idempotency: Idempotency }

/** The run that `open` opens, once for the key; else the id of the one that an earlier call under the key made. */
export async function openOnce(
  tx: Db,
  { user_id, idempotency }: Keyed,
  open: () => Promise<OpenedRun>,
): Promise<OpenedRun | { earlier: string }> {
  const key = nameOf(idempotency)
  const earlier = await claim(tx, user_id, { ...idempotency, key })
  if (earlier && !(await isForgotten(tx, earlier, { user_id, key }))) return { earlier }
  const opened = await open()
  await fulfil(tx, user_id, key, opened.run_id)
  return opened
}

/** Keeps the answer for the same key. */
export const keepForKey =
  ({ user_id, idempotency }: Keyed): Then =>
  async (tx, ended) => {
    if (ended.produced) await keepAnswer(tx, user_id, nameOf(idempotency), packed(ended))
  }

type Asked = Keyed & { db: Db; runs: Runs; run_id: string; gone: AbortSignal }

/** The answer of an earlier run: waits until it has ended. Throws AppError when it came to nothing. */
export async function replayed({ db, runs, user_id, idempotency, run_id, gone }: Asked): Promise<Ended> {
  const { code, retry_after } = (await endOf(runs, run_id, gone)) ?? {}
  const kept = await keptAnswer(db, user_id, nameOf(idempotency))
  if (kept === null) throw new AppError(code ?? 'interrupted', retry_after ? { retry_after } : {})
  return unpacked(kept)
}

/** Keys of other doors are not in its way. */
const nameOf = ({ key }: Idempotency): string => `gateway ${key}`

async function isForgotten(
  tx: Db,
  run_id: string,
  { user_id, key }: { user_id: string; key: string },
): Promise<boolean> {
  const isRunning = (await runEnd(tx, run_id)) === null
  return !isRunning && (await keptAnswer(tx, user_id, key)) === null
}

/** Waits for the end of a run; null when the client left before. */
async function endOf(runs: Runs, run_id: string, gone: AbortSignal): Promise<Outcome | null> {
  for await (const event of runs.attach(run_id, 0, gone)) {
    if (event.type === 'end') return event.outcome
  }
  return null
}
