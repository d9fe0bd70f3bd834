import { ApiError, request } from '#web/core/api.ts'
import { messagesText } from '#web/text/messages.ts'
import { toast } from '#web/ui/toast.ts'
import { notifySessionChange } from './tabSync.ts'
import { updateConversation, reloadMessages } from './conversationStore.ts'

/** Shows another version of a message and what follows it. */
export const selectVersion = (sess_id: string, id: string): Promise<void> =>
  applyChange(sess_id, messagesText.chooseFailed, () =>
    request('POST /api/chat/versions/choose', { body: { id } }, { failed: messagesText.chooseFailed }),
  )

/** Deletes a turn; what followed it stays. */
export const deleteTurn = (sess_id: string, chat_id: string): Promise<void> =>
  applyChange(sess_id, messagesText.removeFailed, async () => {
    await request(
      'DELETE /api/chat/turn/{chat_id}',
      { params: { chat_id } },
      { failed: messagesText.removeFailed },
    )
    // It may be on a page that is not read again.
    updateConversation(sess_id, ({ messages }) => ({
      messages: messages.filter((message) => message.chat_id !== chat_id),
      stay: true,
    }))
  })

async function applyChange(
  sess_id: string,
  failureText: string,
  call: () => Promise<unknown>,
): Promise<void> {
  try {
    await call()
  } catch (error) {
    toast.error(error instanceof ApiError ? error.message : failureText)
  }
  // What was refused may have been done elsewhere already: in both cases the server knows how it stands.
  await reloadMessages(sess_id, { stay: true })
  notifySessionChange(sess_id)
}
