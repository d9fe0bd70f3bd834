import type { Db } from '#server/core/database/database.ts'
import type { SettledRun, RunKindHandler, SettledRunsHook } from '#server/runs/settle.ts'

/** What the end of a run is to do, in the transaction that settles it. */
export type CompletionHook = (tx: Db, ended: SettledRun) => Promise<void>

export type CompletionHooks = ReturnType<typeof createCompletionHooks>

/**
 * What is to be done when runs of kind `gateway` end, said by the call that opened them. A run whose process died does
 * none of it: there is no answer of it.
 */
export function createCompletionHooks() {
  const hooks = new Map<string, CompletionHook[]>()

  const onEnd: SettledRunsHook = async (tx, ended) => {
    for (const one of ended) {
      for (const then of hooks.get(one.run_id) ?? []) await then(tx, one)
    }
  }
  const kind: RunKindHandler = (run_id) => (hooks.has(run_id) ? onEnd : null)

  return {
    kind,
    /** Before the run is started. */
    register: (run_id: string, then: CompletionHook[]): void => void hooks.set(run_id, then),
    /** The run has ended. */
    unregister: (run_id: string): void => void hooks.delete(run_id),
  }
}
