import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

/** The conversations in the sidebar. They come after the page itself: the first paint does not wait for them. */
export const SessionList = lazyComponent(() => import('./SessionList.tsx'))
