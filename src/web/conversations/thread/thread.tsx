import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { ThreadSkeleton } from './ThreadSkeleton.tsx'

export { AnswerBody } from './message/AnswerBody.tsx'
export { FiguresButton } from './message/AnswerStats.tsx'
export type { MessageActions } from './message/messageActions.ts'
export { QuestionBubble, QuestionDocuments } from './message/QuestionBubble.tsx'
export { PrintSheet } from './print/PrintSheet.tsx'
export { PrintedAnswer } from './print/PrintedAnswer.tsx'
export { PrintedQuestion } from './print/PrintedQuestion.tsx'
export { ThreadSkeleton }

// Loaded at once, but the greeting and the composer do not wait for it.
const options = { eager: true, fallback: () => <ThreadSkeleton /> }

export const Thread = lazyComponent(() => import('./MessageList.tsx'), options)

/** Stands in place of messages that could not be loaded. Its code comes with that of the messages. */
export const ThreadError = lazyComponent(
  async () => ({ default: (await import('./MessageList.tsx')).ThreadError }),
  options,
)
