import type { CallResponse } from '#contract/call.ts'
import type { chatCalls } from '#contract/chat.ts'
import { ApiError, request, requestNow } from '#web/core/api.ts'
import {
  updateConversation,
  getConversation,
  noPage,
  reloadMessages,
  type Conversation,
} from './conversationStore.ts'
import { appendNewerPage, prependOlderPage, toMessage, type Message } from './messages.ts'

type Page = CallResponse<(typeof chatCalls)['GET /api/chat/messages']>
type PageQuery = { before: string } | { after: string } | { around: string; size: number }

/** Number of messages around the target of a jump: a screen in both directions. */
const AROUND_SIZE = 20

/** Reads the page before the oldest message. After a failure the next scroll tries again. */
export async function loadOlderMessages(sessId: string): Promise<void> {
  const now = getConversation(sessId)
  const oldest = now?.messages.find((message) => !message.local)
  if (!now?.has_more || now.loading || !oldest) return
  await loadPage(sessId, 'older', { before: oldest.id }, ({ messages }, page) => ({
    messages: prependOlderPage(messages, page.messages),
    has_more: page.has_more,
    prepended: true,
  }))
}

/** Reads the page after the newest message, while a part further up is shown. */
export async function loadNewerMessages(sessId: string): Promise<void> {
  const now = getConversation(sessId)
  const newest = now?.messages.findLast((message) => !message.local)
  if (!now?.has_newer || now.loading || !newest) return
  await loadPage(sessId, 'newer', { after: newest.id }, ({ messages }, page) => ({
    messages: appendNewerPage(messages, page.messages),
    has_newer: page.has_newer,
  }))
}

/**
 * Shows a message: scrolls to it if it is loaded, else replaces the shown messages by those around it. The jump is the person's
 * latest wish, so a page on its way is dropped.
 */
export async function jumpToMessage(sessId: string, targetMessageId: string): Promise<void> {
  const now = getConversation(sessId)
  if (now?.messages.some(({ id }) => id === targetMessageId))
    return updateConversation(sessId, { targetMessageId, ...noPage })
  if (now?.sending) return
  const hasFailed = await loadPage(
    sessId,
    'first',
    { around: targetMessageId, size: AROUND_SIZE },
    (before, page) => ({
      messages: page.messages.map((message) => toMessage(message)),
      has_more: page.has_more,
      has_newer: page.has_newer,
      targetMessageId,
      model: before.model ?? page.session?.model ?? null,
      loadError: null,
    }),
  )
  // The message was deleted or answered again after the search found it.
  if (hasFailed) await reloadMessages(sessId)
}

/** The server's maximum. */
const WHOLE_PAGE_SIZE = 100

/** Reads all messages of a conversation, synchronously; `isWhole` is false when some could not be read. */
export function readAllMessages(sessId: string): { messages: readonly Message[]; isWhole: boolean } {
  const now = getConversation(sessId)
  let messages: readonly Message[] = now?.messages ?? []
  const readPage = (position: { before?: string | undefined; after?: string | undefined }) =>
    requestNow('GET /api/chat/messages', {
      query: { sess_id: sessId, chatbot: now?.chatbot, size: WHOLE_PAGE_SIZE, ...position },
    })
  try {
    for (let hasMore = now?.has_more; hasMore;) {
      const page = readPage({ before: messages.find(({ local }) => !local)?.id })
      messages = prependOlderPage(messages, page.messages)
      hasMore = page.has_more && page.messages.length > 0
    }
    for (let hasNewer = now?.has_newer; hasNewer;) {
      const page = readPage({ after: messages.findLast(({ local }) => !local)?.id })
      messages = appendNewerPage(messages, page.messages)
      hasNewer = page.has_newer && page.messages.length > 0
    }
    return { messages, isWhole: true }
  } catch {
    return { messages, isWhole: false }
  }
}

/** Replaces a part further up by the newest messages. */
export async function jumpToNewest(sessId: string): Promise<void> {
  const nothing = { messages: [], has_more: false, has_newer: false, targetMessageId: null }
  updateConversation(sessId, { ...nothing, ...noPage })
  await reloadMessages(sessId)
}

/** Shows a page if it is still awaited when it arrives. Returns whether the awaited page could not be read. */
async function loadPage(
  sessId: string,
  loading: NonNullable<Conversation['loading']>,
  position: PageQuery,
  toPatch: (now: Conversation, page: Page) => Partial<Conversation>,
): Promise<boolean> {
  const awaitedPage = Symbol(loading)
  updateConversation(sessId, { loading, awaitedPage })
  const isAwaited = () => getConversation(sessId)?.awaitedPage === awaitedPage
  const chatbot = getConversation(sessId)?.chatbot
  try {
    const page = await request('GET /api/chat/messages', { query: { sess_id: sessId, chatbot, ...position } })
    if (isAwaited()) updateConversation(sessId, (now) => ({ ...toPatch(now, page), ...noPage }))
    return false
  } catch (error) {
    const hasFailed = isAwaited()
    if (hasFailed) updateConversation(sessId, noPage)
    if (!(error instanceof ApiError)) throw error
    return hasFailed
  }
}
