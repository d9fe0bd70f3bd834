import type { Message } from '#web/conversations/conversations.ts'
import { QuestionBubble, QuestionDocuments } from '../message/QuestionBubble.tsx'

/** Prints a question with its documents. */
export function PrintedQuestion({ message }: { message: Message }) {
  return (
    <div className="pt-5 pb-2">
      <QuestionDocuments message={message} />
      <div className="flex justify-end">
        <QuestionBubble message={message} className="border" />
      </div>
    </div>
  )
}
