import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { lazyModule } from '#web/core/lazyModule.ts'

export type { ExportFormat } from './transcript.ts'

/** The button that saves a conversation as a file. */
export const ExportMenu = lazyComponent(() => import('./ExportMenu.tsx'), { silent: true })
/** Saves a conversation or one answer. */
export const getExportModule = lazyModule(() => import('./exportFile.ts'))
/** For a file of another room's own. */
export { toFileName } from './fileName.ts'
