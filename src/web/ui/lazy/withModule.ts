import { uiText } from '#web/text/ui.ts'
import { toast } from '../toast.ts'

/** Runs a function that needs code not loaded yet. If loading fails, reports that and gives up. */
export const withModule = <T>(
  loadModule: () => Promise<T>,
  run: (code: T) => unknown,
  onFailed?: () => void,
): Promise<void> =>
  loadModule().then(
    async (module) => void (await run(module)),
    () => {
      toast.error(uiText.loadFailed)
      onFailed?.()
    },
  )
