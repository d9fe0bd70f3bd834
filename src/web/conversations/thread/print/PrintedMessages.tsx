import { readAllMessages } from '#web/conversations/conversations.ts'
import { PrintSheet } from './PrintSheet.tsx'
import { PrintedAnswer } from './PrintedAnswer.tsx'
import { PrintedQuestion } from './PrintedQuestion.tsx'

/** Prints all messages of a conversation, also those that the screen has not loaded. */
export function PrintedMessages({ id }: { id: string }) {
  return (
    <PrintSheet read={() => readAllMessages(id)}>
      {({ messages }) =>
        messages.map((message) =>
          message.role === 'human' ? (
            <PrintedQuestion key={message.key} message={message} />
          ) : (
            <PrintedAnswer key={message.key} message={message} />
          ),
        )
      }
    </PrintSheet>
  )
}
