import { lazyModule } from '#web/core/lazyModule.ts'

/** Loads the code that uploads files, when the first one is chosen. */
export const getUploadModule = lazyModule(() => import('./uploadQueue.ts'))
