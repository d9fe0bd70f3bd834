import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

const loadList = () => import('./SessionList.tsx')

/** The conversations in the sidebar. They come after the page itself: the first paint does not wait for them. */
export const SessionList = lazyComponent(loadList)

/** The conversations with one chatbot. */
export const SessionGroups = lazyComponent(async () => ({ default: (await loadList()).SessionGroups }))
