import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { lazyModule } from '#web/core/lazyModule.ts'

export type { ExportFormat } from './transcript.ts'

/** Saves a conversation as a file. The menu has no formats until the code is loaded. */
export const ExportFiles = lazyComponent(() => import('./ExportFiles.tsx'), {
  silent: true,
  fallback: ({ render }) => render([]),
})
/** Loads the code that saves a conversation or one answer. */
export const getExportModule = lazyModule(() => import('./exportFile.ts'))
/** For files that other folders export. */
export { toFileName } from './fileName.ts'
