import type { Received } from '#contract/call.ts'
import type { chatCalls } from '#contract/chat.ts'
import { ApiError, request } from '../core/api.ts'
import { change, conversation, reload, type Conversation } from './conversation.ts'
import { appendNewer, prependOlder } from './turns.ts'

type Page = Received<(typeof chatCalls)['GET /api/chat/messages']>
type Place = { before: string } | { after: string } | { around: string; size: number }

/** Messages around the one that is jumped to: a screen in both directions. */
const AROUND = 20

/** Reads the page before the oldest turn. A failure leaves things as they are: the next scroll tries again. */
export async function loadOlder(sess_id: string): Promise<void> {
  const now = conversation(sess_id)
  const oldest = now?.turns.find((turn) => !turn.local)
  if (!now?.has_more || now.loading || !oldest) return
  await load(sess_id, 'older', { before: oldest.id }, ({ turns }, page) => ({
    turns: prependOlder(turns, page.messages),
    has_more: page.has_more,
    shift: true,
  }))
}

/** Reads the page after the newest turn, when a part further up is shown. */
export async function loadNewer(sess_id: string): Promise<void> {
  const now = conversation(sess_id)
  const newest = now?.turns.findLast((turn) => !turn.local)
  if (!now?.has_newer || now.loading || !newest) return
  await load(sess_id, 'newer', { after: newest.id }, ({ turns }, page) => ({
    turns: appendNewer(turns, page.messages),
    has_newer: page.has_newer,
  }))
}

/** Shows a message: where it is loaded it is gone to, else the part around it takes the place of what is shown. */
export async function jumpTo(sess_id: string, message_id: string): Promise<void> {
  const now = conversation(sess_id)
  if (now?.turns.some(({ id }) => id === message_id)) return change(sess_id, { target: message_id })
  if (now?.sending || now?.loading) return
  const shown = await load(sess_id, 'first', { around: message_id, size: AROUND }, (before, page) => ({
    turns: page.messages.map((message) => ({ ...message, key: message.id })),
    has_more: page.has_more,
    has_newer: page.has_newer,
    target: message_id,
    model: before.model ?? page.session?.model ?? null,
    failed: null,
  }))
  // Deleted, or answered anew since it was found.
  if (!shown) await reload(sess_id)
}

/** Leaves the part further up for the newest messages. */
export async function toNewest(sess_id: string): Promise<void> {
  change(sess_id, { turns: [], has_more: false, has_newer: false, target: null })
  await reload(sess_id)
}

async function load(
  sess_id: string,
  loading: NonNullable<Conversation['loading']>,
  place: Place,
  take: (now: Conversation, page: Page) => Partial<Conversation>,
): Promise<boolean> {
  change(sess_id, { loading })
  const from = conversation(sess_id)?.has_newer
  try {
    const page = await request('GET /api/chat/messages', { query: { sess_id, ...place } })
    // A question that was asked meanwhile led back to the newest messages: the page does not belong there any more.
    const left = loading === 'newer' && conversation(sess_id)?.has_newer !== from
    change(sess_id, (now) => (left ? { loading: null } : { ...take(now, page), loading: null }))
    return true
  } catch (error) {
    change(sess_id, { loading: null })
    if (!(error instanceof ApiError)) throw error
    return false
  }
}
