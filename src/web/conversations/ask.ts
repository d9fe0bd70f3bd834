import { request } from '#web/core/api.ts'
import { emptyDraft, isEmptyDraft, joinDrafts } from '#web/core/draftStorage.ts'
import { messagesText } from '#web/text/messages.ts'
import { toast } from '#web/ui/toast.ts'
import {
  attachSession,
  updateConversation,
  getConversation,
  isLocalConversation,
  noPage,
  useConversations,
} from './conversationStore.ts'
import { saveUnsentQuestion, takeUnsentQuestion, toDraft } from './questionText.ts'
import { listDocuments } from './questionBlocks.ts'
import { createIdempotencyKey, withoutKey } from './questions/sendQuestion.ts'
import { markFailed, send } from './send.ts'
import { updateMessage, createLocalAnswer, createLocalQuestion, type Message } from './messages.ts'

export { attachToLastAnswer, stopAnswer, waitForAnswer } from './attach.ts'

/** A question is on its way. A page requested earlier would replace it, or leave a gap before it. */
const sendingNow = { sending: true, ...noPage } as const

type OnSession = (sessId: string) => void
type AskOptions = {
  onSession?: OnSession
  /** The ready-made action that asks. */
  quick_action?: string
  /** Tools, such as `web_search`. */
  tools?: string[]
  /** Ids of the documents, separated by commas; the first of a spoken question is its recording. */
  block?: string | null
  content_type?: Message['content_type']
  /** Given when the same question is sent again. */
  idempotency_key?: string
}

/**
 * Asks a question: it and the placeholder appear at once, then the server's messages replace them. A draft is given a session
 * first, and `onSession` is called with its id. The new question replaces one that was refused.
 */
export async function ask(
  requestedId: string,
  prompt: string,
  model: string,
  {
    onSession,
    quick_action,
    tools = [],
    block = null,
    content_type = 'text',
    idempotency_key = createIdempotencyKey(),
  }: AskOptions = {},
): Promise<void> {
  // A draft may have become a session while the question waited.
  const id = useConversations.getState().sessionByLocalId[requestedId] ?? requestedId
  const question = { ...createLocalQuestion(prompt, model, { tools, block, content_type }), idempotency_key }
  const answer = createLocalAnswer(model)
  // The question goes to the end, so a part shown further up is dropped, and the messages between are read again later.
  const unsentDraft = takeUnsentQuestion(id)
  const loadedMessages = getConversation(id)?.has_newer
    ? []
    : (getConversation(id)?.messages.filter((message) => !message.local) ?? [])
  const previousTurnId = loadedMessages.at(-1)?.chat_id
  updateConversation(id, ({ has_newer, isStale, loading }) => ({
    messages: [...loadedMessages, question, answer],
    ...sendingNow,
    loadError: null,
    has_newer: false,
    targetMessageId: null,
    isStale: isStale || has_newer || loading === 'first',
  }))
  // A question kept earlier is not lost, and one that is asked again is not kept twice.
  const draft =
    unsentDraft.text.endsWith(prompt) && prompt ? unsentDraft : joinDrafts([unsentDraft, toDraft(question)])
  await send(id, {
    body: {
      prompt,
      model,
      tools,
      content_type,
      ...(previousTurnId ? { chat_id: previousTurnId } : {}),
      ...(quick_action ? { quick_action } : {}),
      ...(block ? { block } : {}),
    },
    question,
    answer,
    draft,
    async ensureSession() {
      if (!isLocalConversation(id)) return id
      const sessId = await createSession(getConversation(id)?.chatbot)
      attachSession(id, sessId)
      onSession?.(sessId)
      return sessId
    },
    onFailed(sessId, failure) {
      if (failure.isRefused)
        updateConversation(sessId, ({ messages }) => ({
          messages: updateMessage(messages, question.key, withoutKey),
        }))
      // A draft consists of text, and that of a spoken question is not known here.
      const isKept = prompt !== ''
      markFailed(sessId, answer, failure, { isKept })
      if (isKept && failure.marks.unsent) keepUnsent(sessId, question, onSession)
      // A person who comes back after buying coins, with the page reloaded, finds the question as a draft.
      if (isKept && failure.marks.shortage) saveUnsentQuestion(sessId, draft)
    },
  })
}

/** Keeps an unsent question as a draft, which survives a reload, and sends it when the network is back. */
function keepUnsent(id: string, question: Message, onSession: OnSession | undefined): void {
  saveUnsentQuestion(id, toDraft(question))
  const resend = () => {
    const isWaiting = getConversation(id)?.messages.at(-2)?.key === question.key
    if (!isWaiting || isEmptyDraft(takeUnsentQuestion(id))) return
    void regenerate(id, question.model, onSession ? { onSession } : {})
  }
  addEventListener('online', resend, { once: true })
}

/**
 * Asks the question of an answer (the last one unless `chat_id` names another) again (specification section 4, Regeneration). The
 * old answer and the messages after it stay as a version.
 */
export async function regenerate(
  sessId: string,
  model: string,
  { chat_id: requestedTurnId, onSession }: { chat_id?: string; onSession?: OnSession } = {},
): Promise<void> {
  const messages = getConversation(sessId)?.messages ?? []
  const question = messages.findLast(
    (message) => message.role === 'human' && (!requestedTurnId || message.chat_id === requestedTurnId),
  )
  if (!question || (!question.text.trim() && question.content_type !== 'audio')) {
    toast.error(messagesText.emptyPrompt)
    return
  }
  if (question.edits) return editQuestion(sessId, question, question.text, model)
  if (question.local) {
    const { text, tools, block, content_type, idempotency_key } = question
    const options = { ...(onSession ? { onSession } : {}), tools, block, content_type }
    // The server may have received it: the same request, with the model of then, cannot ask it twice.
    return idempotency_key
      ? ask(sessId, text, question.model, { ...options, idempotency_key })
      : ask(sessId, text, model, options)
  }
  const answer = createLocalAnswer(model)
  const { text: prompt, chat_id, content_type } = question
  updateConversation(sessId, {
    messages: [...messages.slice(0, messages.indexOf(question) + 1), answer],
    ...sendingNow,
  })
  const body = { prompt, model, chat_id, content_type, regen: true } as const
  await send(sessId, { body, answer, draft: toDraft(question) })
}

/** Replaces a question by another one. The old one stays as a version, with all messages after it. */
export async function editQuestion(
  sessId: string,
  original: Message,
  prompt: string,
  model: string,
): Promise<void> {
  const chatId = original.edits ?? original.chat_id
  const block = listDocuments(original).join(',') || null
  const question = { ...createLocalQuestion(prompt, model, { block }), edits: chatId }
  const answer = createLocalAnswer(model)
  updateConversation(sessId, ({ messages }) => {
    const at = messages.findIndex(({ key }) => key === original.key)
    return { messages: [...messages.slice(0, Math.max(at, 0)), question, answer], ...sendingNow }
  })
  const body = { prompt, model, chat_id: chatId, edit: true, ...(block ? { block } : {}) } as const
  await send(sessId, { body, question, answer, draft: toDraft(question) })
}

/** Continues an incomplete answer, with the model that started it. */
export async function continueAnswer(sessId: string, answer: Message): Promise<void> {
  const { chat_id, model } = answer
  updateConversation(sessId, ({ messages }) => ({
    messages: updateMessage(messages, answer.key, (message) => ({
      ...message,
      status: 'typing',
      error: null,
    })),
    ...sendingNow,
  }))
  const body = { prompt: '', model, chat_id, continue: true } as const
  await send(sessId, { body, answer, draft: emptyDraft })
}

async function createSession(chatbot?: string): Promise<string> {
  const options = { failed: messagesText.newSessionFailed }
  const { session } = await request('POST /api/chat/session/new', { body: { chatbot } }, options)
  return session.id
}
