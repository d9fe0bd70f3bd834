import type { ChatMessage } from '#contract/chat.ts'
import { ApiError, request } from '#web/core/api.ts'
import { isUnlisted } from '#web/core/page.ts'
import { notifySessionChange } from './tabSync.ts'
import { getConversation, reloadMessages, toDraftKey, updateConversation } from './conversationStore.ts'
import { setLiveAnswer } from './liveAnswers.ts'
import { updateMessage, applyServerMessage, type Message } from './messages.ts'
import { follow, followTurn, isFollowed, toEndedMessage, unfollow } from './questions/followTurn.ts'
import type { QuestionStore } from './questions/questionStore.ts'
import { cancelTurn, stopWhenSent } from './questions/stopTurn.ts'
import { initialAnswer, ONLY_LANE } from './questions/turnState.ts'
import { readTurn } from './questions/turnStream.ts'
import { requestTitle } from './sessions.ts'

/** Conversations, whose turns have one answer each. */
export const conversationQuestions: QuestionStore = {
  toDraftKey,
  listTyping: (id, chatId) =>
    (getConversation(id)?.messages ?? [])
      .filter((message) => message.chat_id === chatId && message.status === 'typing' && !message.local)
      .map((message) => [ONLY_LANE, message]),
  updateAnswer: (id, _lane, key, update) =>
    updateConversation(id, ({ messages }) => ({ messages: updateMessage(messages, key, update) })),
  reload: reloadMessages,
  isStale: (id) => getConversation(id)?.isStale ?? false,
  follow: attachToLastAnswer,
  stop: stopAnswer,
  onTurnEnd(id) {
    const { messages = [], has_more } = getConversation(id) ?? {}
    const isFirstAnswer = !has_more && messages.filter(({ role }) => role === 'human').length === 1
    // Unlisted conversations show no title, and the operator pays for each one.
    if (isFirstAnswer && messages.at(-1)?.status === 'done' && !isUnlisted()) requestTitle(id)
  },
}

/**
 * Follows the answer at the end of a session if it is being written and this tab does not follow it yet. The key of the following
 * is the answer, since a turn that is answered again may begin before the end of its last answer has been read.
 */
export function attachToLastAnswer(sessId: string): void {
  const messages = getConversation(sessId)?.messages ?? []
  for (const { id, status } of messages) {
    // Another tab or device has seen the end of this answer, and the server's text is complete.
    if (status !== 'typing' && isFollowed(id)) endFollowing(id)
  }
  const last = messages.at(-1)
  if (last?.status !== 'typing' || last.local || isFollowed(last.id)) return
  const { id: key, chat_id } = last
  void (last.stream
    ? followTurn(conversationQuestions, { key, id: sessId, query: { chat_id } })
    : fetchWholeAnswer(sessId, last))
}

function endFollowing(id: string): void {
  unfollow(id)
  setLiveAnswer(id, null)
}

/** Waits for the end of an answer that is not shown. Rejects only when `signal` aborts. */
export const waitForAnswer = (chatId: string, signal: AbortSignal): Promise<unknown> =>
  readTurn({ chat_id: chatId }, () => {}, signal)

/** Completes an answer on the screen with the server's message. */
function completeAnswer(sessId: string, receivedMessage: ChatMessage): void {
  updateConversation(sessId, ({ messages }) => ({
    messages: messages.map((message) =>
      message.id === receivedMessage.id ? applyServerMessage(message, receivedMessage) : message,
    ),
  }))
  endFollowing(receivedMessage.id)
}

/** Stops the answer at the end of a session; its text so far stays. */
export async function stopAnswer(sessId: string): Promise<void> {
  const last = getConversation(sessId)?.messages.at(-1)
  if (last?.status !== 'typing') return
  if (last.local || getConversation(sessId)?.sending) return stopWhenSent(last.key)
  const stoppedAnswer = await cancelTurn(last.chat_id)
  if (!stoppedAnswer) return
  completeAnswer(sessId, stoppedAnswer)
  notifySessionChange(sessId)
}

/** Fetches an answer without streaming by one call, which waits for it. */
const fetchWholeAnswer = (sessId: string, { id, key, chat_id, model }: Message): Promise<void> =>
  follow(id, async ({ controller }) => {
    try {
      const query = { chat_id, model }
      const { chat_message } = await request('POST /api/chat/completions', { query }, controller)
      completeAnswer(sessId, chat_message)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      conversationQuestions.updateAnswer(sessId, ONLY_LANE, key, (current) =>
        toEndedMessage(current, initialAnswer, { state: 'failed', message: error.message }),
      )
    }
    notifySessionChange(sessId)
    conversationQuestions.onTurnEnd(sessId, chat_id)
  })
