import type { ChatMessage } from '#contract/chat.ts'
import { ApiError, request } from '#web/core/api.ts'
import { isUnlisted } from '#web/core/page.ts'
import { messagesText } from '#web/text/messages.ts'
import { notifySessionChange } from './tabSync.ts'
import { updateConversation, getConversation, reloadMessages } from './conversationStore.ts'
import { PLACEHOLDER } from './limits.ts'
import { setLiveAnswer, type LiveAnswer } from './liveAnswers.ts'
import type { StreamState, StreamEnd } from './streamState.ts'
import { requestTitle } from './sessions.ts'
import { readAnswerStream } from './answerStream.ts'
import { updateMessage, applyServerMessage, type Message } from './messages.ts'

/** Shortest interval between renderings of text, so that a faster stream costs no more. */
const RENDER_INTERVAL_MS = 80

/** The answers that this tab follows, by message id. */
const activeReaders = new Map<string, AbortController>()

/** Tells whether this tab follows an answer that is being written. */
export const isAnswerGrowing = (): boolean => activeReaders.size > 0

/** Follows the answer at the end of a session if it is being written and this tab does not follow it yet. */
export function attachToLastAnswer(sessId: string): void {
  const last = getConversation(sessId)?.messages.at(-1)
  for (const [id, controller] of activeReaders) {
    // Another tab or device has seen the end of this answer, and the server's text is complete.
    const current = getConversation(sessId)?.messages.find((message) => message.id === id)
    if (current && current.status !== 'typing') {
      controller.abort()
      setLiveAnswer(id, null)
    }
  }
  if (last?.status === 'typing' && !last.local && !activeReaders.has(last.id)) void followAnswer(sessId, last)
}

async function followAnswer(sessId: string, message: Message): Promise<void> {
  const controller = new AbortController()
  activeReaders.set(message.id, controller)
  try {
    if (message.stream) await streamAnswer(sessId, message, controller.signal)
    else await fetchWholeAnswer(sessId, message, controller.signal)
    notifySessionChange(sessId)
    const { messages = [], has_more } = getConversation(sessId) ?? {}
    const isFirstAnswer = !has_more && messages.filter(({ role }) => role === 'human').length === 1
    // Unlisted conversations show no title, and the operator pays for each one.
    if (isFirstAnswer && messages.at(-1)?.status === 'done' && !isUnlisted()) requestTitle(sessId)
  } catch (error) {
    if (!controller.signal.aborted) throw error
  } finally {
    activeReaders.delete(message.id)
    setLiveAnswer(message.id, null)
  }
}

/** Waits for the end of an answer that is not shown. Rejects only when `signal` aborts. */
export const waitForAnswer = (chatId: string, signal: AbortSignal): Promise<StreamEnd> =>
  readAnswerStream(chatId, () => {}, signal)

/** Completes an answer on the screen with the server's message. */
export function completeAnswer(sessId: string, receivedMessage: ChatMessage): void {
  activeReaders.get(receivedMessage.id)?.abort()
  updateConversation(sessId, ({ messages }) => ({
    messages: messages.map((message) =>
      message.id === receivedMessage.id ? applyServerMessage(message, receivedMessage) : message,
    ),
  }))
  setLiveAnswer(receivedMessage.id, null)
}

async function streamAnswer(sessId: string, message: Message, signal: AbortSignal): Promise<void> {
  const storedAnswer = { ...message, text: message.text === PLACEHOLDER ? '' : message.text }
  let live: LiveAnswer = { text: '', reasoning: '', reasoning_ms: null }
  let timer: ReturnType<typeof setTimeout> | null = null
  const flush = () => {
    timer = null
    // The replay starts at the first character: until it has caught up, the loaded text stays.
    setLiveAnswer(message.id, pickLonger(live, storedAnswer))
  }
  let search: StreamState['search'] = null
  const updateSearch = (nextSearch: StreamState['search']) =>
    updateConversation(sessId, ({ messages }) => ({
      messages: updateMessage(messages, message.key, (current) => ({ ...current, search: nextSearch })),
    }))
  let end: StreamEnd
  try {
    end = await readAnswerStream(
      message.chat_id,
      (state) => {
        if (state.search && state.search !== search) updateSearch(state.search)
        search = state.search
        live = state
        timer ??= setTimeout(flush, RENDER_INTERVAL_MS)
      },
      signal,
    )
  } finally {
    if (timer) clearTimeout(timer)
  }
  // The whole text must be shown before the answer counts as ended, and stays until the server has been asked.
  flush()
  if (end.state === 'gone') await reloadMessages(sessId)
  updateConversation(sessId, ({ messages }) => ({
    messages: updateMessage(messages, message.key, (current) => toEndedMessage(current, live, end)),
  }))
  // Only the server knows the cost, and if the answer can be continued.
  if (end.state !== 'gone' && end.state !== 'lost') await reloadMessages(sessId)
}

/** The longer text and the longer reasoning of the streamed and the loaded answer. */
export const pickLonger = (live: LiveAnswer, storedAnswer: LiveAnswer): LiveAnswer => ({
  text: live.text.length >= storedAnswer.text.length ? live.text : storedAnswer.text,
  ...(live.reasoning.length >= storedAnswer.reasoning.length
    ? { reasoning: live.reasoning, reasoning_ms: live.reasoning_ms }
    : { reasoning: storedAnswer.reasoning, reasoning_ms: storedAnswer.reasoning_ms }),
})

/** The answer after its stream has ended. The received text is kept in every case. */
export function toEndedMessage(
  message: Message,
  { text, reasoning, reasoning_ms }: LiveAnswer,
  end: StreamEnd,
): Message {
  if (message.status !== 'typing') return message
  const receivedMessage = {
    ...message,
    text: text || (message.text === PLACEHOLDER ? '' : message.text),
    ...(reasoning ? { reasoning, reasoning_ms } : {}),
  }
  if (end.state === 'failed') return { ...receivedMessage, status: 'failed', error: end.message }
  if (end.state === 'done' || end.state === 'cancelled') return { ...receivedMessage, status: end.state }
  return { ...receivedMessage, status: 'interrupted', error: messagesText.lost }
}

/** Fetches an answer without streaming by one call, which waits for it. */
async function fetchWholeAnswer(sessId: string, message: Message, signal: AbortSignal): Promise<void> {
  try {
    const query = { chat_id: message.chat_id, model: message.model }
    const { chat_message } = await request('POST /api/chat/completions', { query }, { signal })
    completeAnswer(sessId, chat_message)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const end: StreamEnd = { state: 'failed', message: error.message }
    updateConversation(sessId, ({ messages }) => ({
      messages: updateMessage(messages, message.key, (current) =>
        toEndedMessage(current, { ...current, text: '' }, end),
      ),
    }))
  }
}
