import { ApiError, request } from '#web/core/api.ts'
import { messagesText } from '#web/text/messages.ts'
import { toast } from '#web/ui/toast.ts'
import { completeAnswer } from './attach.ts'
import { notifySessionChange } from './tabSync.ts'
import { getConversation } from './conversationStore.ts'

/** Keys of answers stopped before the server had given their turn an id. */
const stoppedKeys = new Set<string>()

/** Tells, once, whether an answer whose turn has just been given its id was stopped before. */
export const takeEarlyStop = (key: string): boolean => stoppedKeys.delete(key)

/** Stops the answer at the end of a session; its text so far stays. */
export async function stopAnswer(sessId: string): Promise<void> {
  const last = getConversation(sessId)?.messages.at(-1)
  if (last?.status !== 'typing') return
  if (last.local || getConversation(sessId)?.sending) {
    stoppedKeys.add(last.key)
    return
  }
  try {
    const { chat_message } = await request('POST /api/chat/cancel', { body: { chat_id: last.chat_id } })
    completeAnswer(sessId, chat_message)
    notifySessionChange(sessId)
  } catch (error) {
    toast.error(error instanceof ApiError ? error.message : messagesText.noChatMessage)
  }
}
