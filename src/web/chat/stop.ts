import { ApiError, request } from '../core/api.ts'
import { chatText } from '../text/chat.ts'
import { toast } from '../ui/toast.ts'
import { finish } from './attach.ts'
import { announce } from './changes.ts'
import { conversation } from './conversation.ts'

/** Answers that were stopped before the server had named their turn, by key. */
const early = new Set<string>()

/** Whether an answer that has now been named was stopped before; asked once. */
export const stoppedEarly = (key: string): boolean => early.delete(key)

/** Stops the answer at the end of a session; what has been written of it stays. */
export async function stop(sess_id: string): Promise<void> {
  const last = conversation(sess_id)?.turns.at(-1)
  if (last?.status !== 'typing') return
  if (last.local || conversation(sess_id)?.sending) {
    early.add(last.key)
    return
  }
  try {
    const { chat_message } = await request('POST /api/chat/cancel', { body: { chat_id: last.chat_id } })
    finish(sess_id, chat_message)
    announce(sess_id)
  } catch (error) {
    toast.error(error instanceof ApiError ? error.message : chatText.noChatMessage)
  }
}
