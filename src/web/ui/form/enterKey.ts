type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'keyCode' | 'isComposing'>
type KeyWithModifiers = Key & Pick<KeyboardEvent, 'ctrlKey' | 'metaKey'>

/**
 * Whether a key belongs to the input method. Chrome says so by `isComposing`; Safari ends the composition first and then
 * sends the key that ended it with code 229.
 */
export const isComposing = ({ isComposing: composing, keyCode }: Pick<Key, 'isComposing' | 'keyCode'>) =>
  composing || keyCode === 229

/** Whether a key sends what stands in a field: Enter, not Shift+Enter, and not the Enter that ends Chinese input. */
export const isSubmitKey = (event: Key): boolean =>
  event.key === 'Enter' && !event.shiftKey && !isComposing(event)

/** Tells whether Enter alone breaks the line: the keyboard of a touch screen has no Shift+Enter. A button sends there. */
export const isTouchKeyboard = (): boolean => matchMedia('(pointer: coarse)').matches

/** Tells whether a key sends a text that may have several lines: Enter, beside a touch screen only with Ctrl or ⌘. */
export const isSendKey = (event: KeyWithModifiers): boolean =>
  isSubmitKey(event) && (event.ctrlKey || event.metaKey || !isTouchKeyboard())
