import { ApiError, request } from '#web/core/api.ts'
import { messagesText } from '#web/text/messages.ts'
import { toast } from '#web/ui/toast.ts'
import { notifySessionChange } from './tabSync.ts'
import { updateConversation, reloadMessages } from './conversationStore.ts'

/** Shows another version of a message, with the messages after it. */
export const selectVersion = (sessId: string, id: string): Promise<void> =>
  applyChange(sessId, messagesText.chooseFailed, () =>
    request('POST /api/chat/versions/choose', { body: { id } }, { failed: messagesText.chooseFailed }),
  )

/** Deletes a turn; later turns stay. */
export const deleteTurn = (sessId: string, chatId: string): Promise<void> =>
  applyChange(sessId, messagesText.removeFailed, async () => {
    await request(
      'DELETE /api/chat/turn/{chat_id}',
      { params: { chat_id: chatId } },
      { failed: messagesText.removeFailed },
    )
    // The turn may be on a page that is not read again.
    updateConversation(sessId, ({ messages }) => ({
      messages: messages.filter((message) => message.chat_id !== chatId),
      stay: true,
    }))
  })

async function applyChange(sessId: string, failureText: string, call: () => Promise<unknown>): Promise<void> {
  try {
    await call()
  } catch (error) {
    toast.error(error instanceof ApiError ? error.message : failureText)
  }
  // A refused change may have been made elsewhere already, so the state is read in both cases.
  await reloadMessages(sessId, { stay: true })
  notifySessionChange(sessId)
}
