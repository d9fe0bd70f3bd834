import { useLiveAnswer, type Message } from '#web/conversations/conversations.ts'
import { AnswerBody } from '../message/AnswerBody.tsx'

/** Prints an answer as far as it got, and why it is incomplete. */
export function PrintedAnswer({ message }: { message: Message }) {
  const live = useLiveAnswer(message)
  return (
    <AnswerBody message={message} live={live}>
      {message.error && <p className="mt-2 text-note text-danger">{message.error}</p>}
    </AnswerBody>
  )
}
