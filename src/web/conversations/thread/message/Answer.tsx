import type { MessageActions } from './messageActions.ts'
import { AnswerBody } from './AnswerBody.tsx'
import { AnswerStatus } from './AnswerStatus.tsx'
import { AnswerFooter } from './AnswerFooter.tsx'
import { useLiveAnswer, type Message } from '#web/conversations/conversations.ts'
import { RelatedPrompts } from './RelatedPrompts.tsx'

type Props = {
  message: Message
  isLast: boolean
  /** An answer is being written, so nothing in the conversation can be changed. */
  busy: boolean
  actions: MessageActions
}

/** Shows an answer, without a bubble: its reasoning, text, end state, and actions. */
export function Answer({ message, isLast, busy, actions }: Props) {
  const live = useLiveAnswer(message)
  const isTyping = message.status === 'typing'
  return (
    <div className="group py-3">
      <AnswerBody message={message} live={live}>
        {!isTyping && <AnswerStatus message={message} actions={isLast ? actions : null} />}
      </AnswerBody>
      {!isTyping && (
        <AnswerFooter message={message} text={live.text} isLast={isLast} busy={busy} actions={actions} />
      )}
      {isLast && !isTyping && <RelatedPrompts message={message} onAsk={actions.ask} />}
    </div>
  )
}
