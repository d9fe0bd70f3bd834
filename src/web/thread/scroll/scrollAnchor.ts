import type { ScrollPosition } from './scrollPosition.ts'

/** What the list is held at while its messages find their sizes; null: the person is reading where they are. */
export type ScrollAnchor = 'end' | 'target' | ScrollPosition | null

/** What a list shows of its messages, in pixels. */
export type ListView = { scrollOffset: number; scrollSize: number; viewportSize: number }

/** How near the end counts as being at it. */
const END_THRESHOLD_PX = 48

export const getDistanceToEnd = ({ scrollOffset, scrollSize, viewportSize }: ListView): number =>
  scrollSize - viewportSize - scrollOffset

/** Whether the end of what is loaded is on the screen. */
export const showsEnd = (view: ListView): boolean => getDistanceToEnd(view) < END_THRESHOLD_PX

export const isPosition = (anchor: ScrollAnchor): anchor is ScrollPosition =>
  typeof anchor === 'object' && anchor !== null

type MessagesChange = {
  /** The address leads to a message that it did not lead to before. */
  hasNewTarget: boolean
  /** They were put behind a part further up that is shown. */
  isAppended: boolean
  isVersionSwitch: boolean
  /** The last question was asked in this tab just now. */
  isAskedHere: boolean
}

/**
 * Where the list goes when another question is the last one, or another message is in the address; null: nowhere. A
 * message that a search led to is looked at; else a question that was just asked here, wherever the person had been. One
 * that came from elsewhere moves only those who are at the end.
 */
export function getDestination(
  anchor: ScrollAnchor,
  { hasNewTarget, isAppended, isVersionSwitch, isAskedHere }: MessagesChange,
): 'target' | 'end' | null {
  if (hasNewTarget) return 'target'
  if (isAppended || isVersionSwitch) return null
  return isAskedHere || anchor === 'end' ? 'end' : null
}

/** The anchor when the sizes are known: from a message that they were led to, a person reads on freely. */
export function getReachedAnchor(
  anchor: ScrollAnchor,
  messages: readonly { id: string }[],
  isAtEnd: boolean,
): ScrollAnchor {
  const isReached = anchor === 'target' || (isPosition(anchor) && messages.some(({ id }) => id === anchor.id))
  if (!isReached) return anchor
  return isAtEnd ? 'end' : null
}

/** The anchor after a scroll: who goes down to the end by themselves stays at it from there on. */
export const getScrolledAnchor = (
  anchor: ScrollAnchor,
  isMovingDown: boolean,
  isAtEnd: boolean,
): ScrollAnchor => (anchor === null && isMovingDown && isAtEnd ? 'end' : anchor)
