import type { Db } from '#server/core/database/database.ts'
import type {
  CompletionHook as BatchHook,
  CompletionHooks as HooksByKind,
  SettledRun,
} from '#server/runs/runs.ts'

/** Called at the end of a run, in the transaction that settles it. */
export type CompletionHook = (tx: Db, settled: SettledRun) => Promise<void>

export type CompletionHooks = ReturnType<typeof createCompletionHooks>

/**
 * Hooks for the end of runs of kind `gateway`, registered by the call that opened the run. They are lost with their
 * process: a run whose process died has no result that could be kept.
 */
export function createCompletionHooks() {
  const hooks = new Map<string, CompletionHook[]>()

  const onSettled: BatchHook = async (tx, settledRuns) => {
    for (const settled of settledRuns) {
      for (const hook of hooks.get(settled.run_id) ?? []) await hook(tx, settled)
    }
  }
  const kind: HooksByKind['gateway'] = (runId) => (hooks.has(runId) ? onSettled : null)

  return {
    kind,
    /** Call it before the run is started. */
    register: (runId: string, runHooks: CompletionHook[]): void => void hooks.set(runId, runHooks),
    /** Call it after the run has ended. */
    unregister: (runId: string): void => void hooks.delete(runId),
  }
}
