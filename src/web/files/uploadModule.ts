import { lazyModule } from '#web/core/lazyModule.ts'

/** What uploads files, with all that it needs: loaded when the first one is chosen. */
export const getUploadModule = lazyModule(() => import('./uploadQueue.ts'))
