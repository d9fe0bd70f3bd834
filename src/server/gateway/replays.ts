import type { ErrorCode } from '#contract/errors.ts'
import { AppError } from '../core/app-error.ts'
import type { Db } from '../core/database.ts'
import type { Idempotency } from '../core/idempotency.ts'
import type { Ended, OnEnd } from '../runs/finish.ts'
import type { RunRequest } from '../runs/open.ts'
import { claim, fulfil, keepAnswer, keptAnswer } from '../runs/requests.ts'
import { runEnd } from '../runs/store.ts'
import type { OpenedRun, Runs } from '../runs/runs.ts'
import { packed, unpacked } from './kept.ts'

export type Replays = ReturnType<typeof openReplays>

/** A call under an Idempotency-Key: the run that it opened, or the one that an earlier call under the key did. */
export type Keyed = { opened: OpenedRun } | { earlier: string }

type Asked = { user_id: string; run_id: string; idempotency: Idempotency; gone: AbortSignal }

/**
 * Answers of calls that came with an Idempotency-Key, kept with the key (for a day) in the transaction that settles
 * them. Of a call that gave its reader nothing nothing is kept: the same key then tries anew.
 */
export function openReplays(db: Db) {
  /** Run → the key that it answers to; of runs of this process. */
  const keys = new Map<string, { user_id: string; key: string }>()

  /** What the ends of runs of kind `gateway` make of the keys that they answer to. */
  const onEnd: OnEnd = async (tx, ended) => {
    for (const one of ended) {
      const under = keys.get(one.run_id)
      if (under && one.produced) await keepAnswer(tx, under.user_id, under.key, packed(one))
    }
  }

  return {
    onEnd,

    /** Opens the run of a call, once for its key. Throws AppError: as Runs.open, idempotency_mismatch. */
    async open(runs: Runs, request: RunRequest, idempotency: Idempotency): Promise<Keyed> {
      const { user_id } = request
      const key = `gateway ${idempotency.key}`
      return db.transaction(async (tx) => {
        const earlier = await claim(tx, user_id, { ...idempotency, key })
        if (earlier && !(await isForgotten(tx, earlier, { user_id, key }))) return { earlier }
        const opened = await runs.open(tx, request)
        await fulfil(tx, user_id, key, opened.run_id)
        keys.set(opened.run_id, { user_id, key })
        return { opened }
      })
    },

    /** The answer of an earlier run: waits until it has ended. Throws AppError when it came to nothing. */
    async answer(runs: Runs, { user_id, run_id, idempotency: { key }, gone }: Asked): Promise<Ended> {
      const code = await endOf(runs, run_id, gone)
      const kept = await keptAnswer(db, user_id, `gateway ${key}`)
      if (kept === null) throw new AppError(code ?? 'interrupted')
      return unpacked(kept)
    },

    /** The run has ended. */
    forget: (run_id: string): boolean => keys.delete(run_id),
  }
}

async function isForgotten(
  tx: Db,
  run_id: string,
  { user_id, key }: { user_id: string; key: string },
): Promise<boolean> {
  const isRunning = (await runEnd(tx, run_id)) === null
  return !isRunning && (await keptAnswer(tx, user_id, key)) === null
}

/** Waits for the end of a run; why it failed, if it did. */
async function endOf(runs: Runs, run_id: string, gone: AbortSignal): Promise<ErrorCode | null> {
  for await (const event of runs.attach(run_id, 0, gone)) {
    if (event.type === 'end') return event.outcome.code
  }
  return null
}
