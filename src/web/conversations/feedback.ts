import type { Feedback } from '#contract/chat.ts'
import { ApiError, request } from '#web/core/api.ts'
import { feedbackText } from '#web/text/messages.ts'
import { toast } from '#web/ui/toast.ts'
import { updateConversation } from './conversationStore.ts'
import { updateMessage, type Message } from './messages.ts'

/** Stores the reader's rating of an answer and shows it at once; null removes it. Reports a failure and resolves with false. */
export async function setFeedback(
  { sess_id, id, key, feedback: before }: Message,
  feedback: Feedback | null,
): Promise<boolean> {
  const show = (shownFeedback: Feedback | null) =>
    updateConversation(sess_id, ({ messages }) => ({
      messages: updateMessage(messages, key, (message) => ({ ...message, feedback: shownFeedback })),
      stay: true,
    }))
  show(feedback)
  const options = { failed: feedbackText.failed }
  try {
    if (feedback)
      await request('PUT /api/chat/message/{id}/feedback', { params: { id }, body: feedback }, options)
    else await request('DELETE /api/chat/message/{id}/feedback', { params: { id } }, options)
    return true
  } catch (error) {
    show(before)
    toast.error(error instanceof ApiError ? error.message : feedbackText.failed)
    return false
  }
}
