import { uiText } from '#web/text/ui.ts'
import { toast } from '../toast.ts'

/** Runs what needs code that may not be loaded yet; reports where it cannot be loaded, and gives up. */
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
