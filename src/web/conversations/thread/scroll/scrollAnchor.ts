import type { ScrollPosition } from './scrollPosition.ts'

/** Where the list is held while its messages are measured; null: the person scrolls freely. */
export type ScrollAnchor = 'end' | 'target' | ScrollPosition | null

/** The visible part of a list, in pixels. */
export type ListView = { scrollOffset: number; scrollSize: number; viewportSize: number }

/** Up to this distance the list counts as being at its end. */
const END_THRESHOLD_PX = 48

export const getDistanceToEnd = ({ scrollOffset, scrollSize, viewportSize }: ListView): number =>
  scrollSize - viewportSize - scrollOffset

/** Tells whether the end of the loaded messages is on the screen. */
export const showsEnd = (view: ListView): boolean => getDistanceToEnd(view) < END_THRESHOLD_PX

export const isPosition = (anchor: ScrollAnchor): anchor is ScrollPosition =>
  typeof anchor === 'object' && anchor !== null

type MessagesChange = {
  /** The address names a message that it did not name before. */
  hasNewTarget: boolean
  /** The messages were appended to an earlier part of the conversation that is on the screen. */
  isAppended: boolean
  isVersionSwitch: boolean
  /** The last question was asked in this tab. */
  isAskedHere: boolean
}

/**
 * Returns where the list scrolls after a change of its last question or of the message in the address; null: nowhere. A message
 * in the address comes first, then a question just asked in this tab, wherever the person is. A question from elsewhere moves the
 * list only at its end.
 */
export function getDestination(
  anchor: ScrollAnchor,
  { hasNewTarget, isAppended, isVersionSwitch, isAskedHere }: MessagesChange,
): 'target' | 'end' | null {
  if (hasNewTarget) return 'target'
  if (isAppended || isVersionSwitch) return null
  return isAskedHere || anchor === 'end' ? 'end' : null
}

/** Returns the anchor once the sizes are known. From a message that was the anchor, the person scrolls on freely. */
export function getReachedAnchor(
  anchor: ScrollAnchor,
  messages: readonly { id: string }[],
  isAtEnd: boolean,
): ScrollAnchor {
  const isReached = anchor === 'target' || (isPosition(anchor) && messages.some(({ id }) => id === anchor.id))
  if (!isReached) return anchor
  return isAtEnd ? 'end' : null
}

/** Returns the anchor after a scroll. A person who scrolls down to the end stays there. */
export const getScrolledAnchor = (
  anchor: ScrollAnchor,
  isMovingDown: boolean,
  isAtEnd: boolean,
): ScrollAnchor => (anchor === null && isMovingDown && isAtEnd ? 'end' : anchor)
