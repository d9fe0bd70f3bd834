import { useLiveAnswer, type Message } from '#web/conversations/conversations.ts'
import { AnswerBody } from '../message/AnswerBody.tsx'

/** An answer on paper, as far as it has come, and why it is not all there. */
export function PrintedAnswer({ message }: { message: Message }) {
  const live = useLiveAnswer(message)
  return (
    <AnswerBody message={message} live={live}>
      {message.error && <p className="mt-2 text-note text-danger">{message.error}</p>}
    </AnswerBody>
  )
}
