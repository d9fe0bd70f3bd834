import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

const loadList = () => import('./SessionList.tsx')

/** The conversations in the sidebar, loaded after the first paint. */
export const SessionList = lazyComponent(loadList)

export const SessionGroups = lazyComponent(async () => ({ default: (await loadList()).SessionGroups }))
