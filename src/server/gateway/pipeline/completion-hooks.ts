import type { Db } from '#server/core/database/database.ts'
import type {
  CompletionHook as BatchHook,
  CompletionHooks as HooksByKind,
  SettledRun,
} from '#server/runs/runs.ts'

/** What the end of a run does, in the transaction that settles it. */
export type CompletionHook = (tx: Db, settled: SettledRun) => Promise<void>

export type CompletionHooks = ReturnType<typeof createCompletionHooks>

/**
 * Hooks for the end of runs of kind `gateway`, registered by the call that opened the run. They are lost with their
 * process: a run whose process died has no result that could be kept.
 */
export function createCompletionHooks() {
  const hooks = new Map<string, CompletionHook[]>()

  const onSettled: BatchHook = async (tx, settled_runs) => {
    for (const settled of settled_runs) {
      for (const hook of hooks.get(settled.run_id) ?? []) await hook(tx, settled)
    }
  }
  const kind: HooksByKind['gateway'] = (run_id) => (hooks.has(run_id) ? onSettled : null)

  return {
    kind,
    /** Before the run is started. */
    register: (run_id: string, run_hooks: CompletionHook[]): void => void hooks.set(run_id, run_hooks),
    /** After the run has ended. */
    unregister: (run_id: string): void => void hooks.delete(run_id),
  }
}
