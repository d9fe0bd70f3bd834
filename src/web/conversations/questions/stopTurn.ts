import type { ChatMessage } from '#contract/chat.ts'
import { ApiError, request } from '#web/core/api.ts'
import { messagesText } from '#web/text/messages.ts'
import { toast } from '#web/ui/toast.ts'

/** Keys of questions that were stopped before the server had given their turn an id. */
const stoppedKeys = new Set<string>()

/** Stops the answers to a question as soon as it is sent. */
export const stopWhenSent = (key: string): void => void stoppedKeys.add(key)

/** Tells, once, whether a question was stopped before it was sent. */
export const takeEarlyStop = (key: string): boolean => stoppedKeys.delete(key)

/** Stops the answers to a turn, or one of them; text written so far stays. Reports a failure and resolves with null. */
export async function cancelTurn(chatId: string, model?: string): Promise<ChatMessage | null> {
  try {
    const { chat_message } = await request('POST /api/chat/cancel', { body: { chat_id: chatId, model } })
    return chat_message
  } catch (error) {
    toast.error(error instanceof ApiError ? error.message : messagesText.noChatMessage)
    return null
  }
}
