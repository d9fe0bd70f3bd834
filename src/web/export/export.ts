import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { lazyModule } from '#web/core/lazyModule.ts'

export type { ExportFormat } from './transcript.ts'

/** Saves a conversation as a file of a format that is chosen. Until it is there, none can be. */
export const ExportFiles = lazyComponent(() => import('./ExportFiles.tsx'), {
  silent: true,
  fallback: ({ render }) => render([]),
})
/** Saves a conversation or one answer. */
export const getExportModule = lazyModule(() => import('./exportFile.ts'))
/** For a file of another room's own. */
export { toFileName } from './fileName.ts'
