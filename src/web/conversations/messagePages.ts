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

/** Messages around the one that is jumped to: a screen in both directions. */
const AROUND_SIZE = 20

/** Reads the page before the oldest message. A failure leaves things as they are: the next scroll tries again. */
export async function loadOlderMessages(sess_id: string): Promise<void> {
  const now = getConversation(sess_id)
  const oldest = now?.messages.find((message) => !message.local)
  if (!now?.has_more || now.loading || !oldest) return
  await loadPage(sess_id, 'older', { before: oldest.id }, ({ messages }, page) => ({
    messages: prependOlderPage(messages, page.messages),
    has_more: page.has_more,
    prepended: true,
  }))
}

/** Reads the page after the newest message, when a part further up is shown. */
export async function loadNewerMessages(sess_id: string): Promise<void> {
  const now = getConversation(sess_id)
  const newest = now?.messages.findLast((message) => !message.local)
  if (!now?.has_newer || now.loading || !newest) return
  await loadPage(sess_id, 'newer', { after: newest.id }, ({ messages }, page) => ({
    messages: appendNewerPage(messages, page.messages),
    has_newer: page.has_newer,
  }))
}

/**
 * Shows a message: where it is loaded it is gone to, else the part around it takes the place of what is shown. It is what the
 * person wants last: a page that is on its way is not waited for.
 */
export async function jumpToMessage(sess_id: string, targetMessageId: string): Promise<void> {
  const now = getConversation(sess_id)
  if (now?.messages.some(({ id }) => id === targetMessageId))
    return updateConversation(sess_id, { targetMessageId, ...noPage })
  if (now?.sending) return
  const hasFailed = await loadPage(
    sess_id,
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
  // Deleted, or answered anew since it was found.
  if (hasFailed) await reloadMessages(sess_id)
}

/** As many as the server gives at a time. */
const WHOLE_PAGE_SIZE = 100

/** All messages of a conversation, read while the page stands still; `isWhole`: none could not be read. */
export function readAllMessages(sess_id: string): { messages: readonly Message[]; isWhole: boolean } {
  const now = getConversation(sess_id)
  let messages: readonly Message[] = now?.messages ?? []
  const read = (position: { before?: string | undefined; after?: string | undefined }) =>
    requestNow('GET /api/chat/messages', {
      query: { sess_id, chatbot: now?.chatbot, size: WHOLE_PAGE_SIZE, ...position },
    })
  try {
    for (let hasMore = now?.has_more; hasMore;) {
      const page = read({ before: messages.find(({ local }) => !local)?.id })
      messages = prependOlderPage(messages, page.messages)
      hasMore = page.has_more && page.messages.length > 0
    }
    for (let hasNewer = now?.has_newer; hasNewer;) {
      const page = read({ after: messages.findLast(({ local }) => !local)?.id })
      messages = appendNewerPage(messages, page.messages)
      hasNewer = page.has_newer && page.messages.length > 0
    }
    return { messages, isWhole: true }
  } catch {
    return { messages, isWhole: false }
  }
}

/** Leaves the part further up for the newest messages. */
export async function jumpToNewest(sess_id: string): Promise<void> {
  const nothing = { messages: [], has_more: false, has_newer: false, targetMessageId: null }
  updateConversation(sess_id, { ...nothing, ...noPage })
  await reloadMessages(sess_id)
}

/** Shows a page unless another one, or none, is waited for by then. Returns whether the one that is waited for could not be read. */
async function loadPage(
  sess_id: string,
  loading: NonNullable<Conversation['loading']>,
  position: PageQuery,
  toPatch: (now: Conversation, page: Page) => Partial<Conversation>,
): Promise<boolean> {
  const awaitedPage = Symbol(loading)
  updateConversation(sess_id, { loading, awaitedPage })
  const isAwaited = () => getConversation(sess_id)?.awaitedPage === awaitedPage
  const chatbot = getConversation(sess_id)?.chatbot
  try {
    const page = await request('GET /api/chat/messages', { query: { sess_id, chatbot, ...position } })
    if (isAwaited()) updateConversation(sess_id, (now) => ({ ...toPatch(now, page), ...noPage }))
    return false
  } catch (error) {
    const hasFailed = isAwaited()
    if (hasFailed) updateConversation(sess_id, noPage)
    if (!(error instanceof ApiError)) throw error
    return hasFailed
  }
}
