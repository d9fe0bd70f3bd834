import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { ThreadSkeleton } from './ThreadSkeleton.tsx'

export type { MessageActions } from './message/messageActions.ts'
export { ThreadError } from './ThreadError.tsx'
export { ThreadSkeleton }

/** The messages of a conversation. Loaded at once, but the greeting and the composer do not wait for it. */
export const Thread = lazyComponent(() => import('./MessageList.tsx'), {
  eager: true,
  fallback: () => <ThreadSkeleton />,
})
