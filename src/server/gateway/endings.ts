import type { Db } from '../core/database.ts'
import type { Ended, Kind, OnEnd } from '../runs/finish.ts'

/** What the end of a run is to do, in the transaction that settles it. */
export type Then = (tx: Db, ended: Ended) => Promise<void>

export type Endings = ReturnType<typeof openEndings>

/**
 * What is to be done when runs of kind `gateway` end, said by the call that opened them. A run whose process died does
 * none of it: there is no answer of it.
 */
export function openEndings() {
  const endings = new Map<string, Then[]>()

  const onEnd: OnEnd = async (tx, ended) => {
    for (const one of ended) {
      for (const then of endings.get(one.run_id) ?? []) await then(tx, one)
    }
  }
  const kind: Kind = (run_id) => (endings.has(run_id) ? onEnd : null)

  return {
    kind,
    /** Before the run is started. */
    when: (run_id: string, then: Then[]): void => void endings.set(run_id, then),
    /** The run has ended. */
    forget: (run_id: string): void => void endings.delete(run_id),
  }
}
