import type { Conversation } from '#web/conversations/conversations.ts'
import { getDistanceToEnd, type ListView } from './scrollAnchor.ts'

/** Distance from the first or last message below which more is loaded. */
const LOAD_THRESHOLD_PX = 600

type State = Pick<Conversation, 'has_more' | 'has_newer' | 'loading'> & {
  messages: readonly { key: string }[]
}
/** A page to load, and the key of the message that it adjoins. */
type PageToLoad = { direction: 'older' | 'newer'; beside: string | undefined }

/**
 * Returns the page to load for the visible part of the list. A page that failed is requested again only when the person scrolls
 * on, not immediately and forever: `requestedBeside` is the message of the previous request.
 */
export function getPageToLoad(
  view: ListView,
  { messages, has_more, has_newer, loading }: State,
  requestedBeside?: string,
): PageToLoad | null {
  if (loading) return null
  const needsOlder = has_more && view.scrollOffset < LOAD_THRESHOLD_PX
  if (!needsOlder && !(has_newer && getDistanceToEnd(view) < LOAD_THRESHOLD_PX)) return null
  const beside = (needsOlder ? messages[0] : messages.at(-1))?.key
  if (requestedBeside !== undefined && requestedBeside === beside) return null
  return { direction: needsOlder ? 'older' : 'newer', beside }
}
