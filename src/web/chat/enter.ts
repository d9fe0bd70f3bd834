import type { KeyboardEvent } from 'react'

/**
 * During Chinese input keys belong to the input method: Chrome says so by `isComposing`; Safari ends the composition first
 * and then sends a key with code 229.
 */
export const composing = ({ keyCode, nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || keyCode === 229

/** Enter sends, Shift+Enter breaks the line. */
export const sends = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' && !event.shiftKey && !composing(event)
