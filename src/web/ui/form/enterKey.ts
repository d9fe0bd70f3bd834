type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'keyCode' | 'isComposing'>
type SendKey = Key & Pick<KeyboardEvent, 'ctrlKey' | 'metaKey'>

/**
 * Whether a key belongs to the input method. Chrome says so by `isComposing`; Safari ends the composition first and then
 * sends the key that ended it with code 229.
 */
export const isComposing = ({ isComposing: composing, keyCode }: Pick<Key, 'isComposing' | 'keyCode'>) =>
  composing || keyCode === 229

/** Whether a key sends what stands in a field: Enter, not Shift+Enter, and not the Enter that ends Chinese input. */
export const isSubmitKey = (event: Key): boolean =>
  event.key === 'Enter' && !event.shiftKey && !isComposing(event)

/**
 * Whether a key sends a text of several lines: as above, but on a touch screen, whose keyboard has no other way to break a line,
 * only with Ctrl or Command.
 */
export const isSendKey = (event: SendKey): boolean =>
  isSubmitKey(event) && (event.ctrlKey || event.metaKey || !matchMedia('(pointer: coarse)').matches)
