import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

export { setWebSearch, useWebSearch, WEB_SEARCH } from './useWebSearch.ts'

export const Sources = lazyComponent(() => import('./Sources.tsx'))
