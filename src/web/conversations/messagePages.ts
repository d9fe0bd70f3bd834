import type { CallResponse } from '#contract/call.ts'
import type { chatCalls } from '#contract/chat.ts'
import { ApiError, request } from '#web/core/api.ts'
import {
  updateConversation,
  getConversation,
  reloadMessages,
  type Conversation,
} from './conversationStore.ts'
import { appendNewerPage, prependOlderPage } from './messages.ts'

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

/** Shows a message: where it is loaded it is gone to, else the part around it takes the place of what is shown. */
export async function jumpToMessage(sess_id: string, targetMessageId: string): Promise<void> {
  const now = getConversation(sess_id)
  if (now?.messages.some(({ id }) => id === targetMessageId))
    return updateConversation(sess_id, { targetMessageId })
  if (now?.sending || now?.loading) return
  const isLoaded = await loadPage(
    sess_id,
    'first',
    { around: targetMessageId, size: AROUND_SIZE },
    (before, page) => ({
      messages: page.messages.map((message) => ({ ...message, key: message.id })),
      has_more: page.has_more,
      has_newer: page.has_newer,
      targetMessageId,
      model: before.model ?? page.session?.model ?? null,
      loadError: null,
    }),
  )
  // Deleted, or answered anew since it was found.
  if (!isLoaded) await reloadMessages(sess_id)
}

/** Leaves the part further up for the newest messages. */
export async function jumpToNewest(sess_id: string): Promise<void> {
  updateConversation(sess_id, { messages: [], has_more: false, has_newer: false, targetMessageId: null })
  await reloadMessages(sess_id)
}

async function loadPage(
  sess_id: string,
  loading: NonNullable<Conversation['loading']>,
  position: PageQuery,
  toPatch: (now: Conversation, page: Page) => Partial<Conversation>,
): Promise<boolean> {
  updateConversation(sess_id, { loading })
  const { has_newer: hadNewer, chatbot } = getConversation(sess_id) ?? {}
  try {
    const page = await request('GET /api/chat/messages', { query: { sess_id, chatbot, ...position } })
    // A question that was asked meanwhile led back to the newest messages: the page does not belong there any more.
    const isOutdated = loading === 'newer' && getConversation(sess_id)?.has_newer !== hadNewer
    updateConversation(sess_id, (now) =>
      isOutdated ? { loading: null } : { ...toPatch(now, page), loading: null },
    )
    return true
  } catch (error) {
    updateConversation(sess_id, { loading: null })
    if (!(error instanceof ApiError)) throw error
    return false
  }
}
