import type { Conversation } from '#web/conversations/conversations.ts'
import { getDistanceToEnd, type ListView } from './scrollAnchor.ts'

/** How near to the first or last message asks for more. */
const LOAD_THRESHOLD_PX = 600

type State = Pick<Conversation, 'has_more' | 'has_newer' | 'loading'> & {
  messages: readonly { key: string }[]
}
/** A page, and the key of the message that it is read beside. */
type PageToLoad = { direction: 'older' | 'newer'; beside: string | undefined }

/**
 * The page that is needed for what the list shows. A page that could not be read is asked for again by whoever scrolls
 * on, not at once and without end: `requestedBeside` is the message beside which one was asked for before.
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
