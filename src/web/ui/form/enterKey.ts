type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'keyCode' | 'isComposing'>
type KeyWithModifiers = Key & Pick<KeyboardEvent, 'ctrlKey' | 'metaKey'>

/**
 * Tells whether a key belongs to the input method. Chrome sets `isComposing`; Safari ends the composition first and then sends
 * the key that ended it with code 229.
 */
export const isComposing = ({ isComposing: composing, keyCode }: Pick<Key, 'isComposing' | 'keyCode'>) =>
  composing || keyCode === 229

/** Tells whether a key submits a field: Enter, but not Shift+Enter, nor the Enter that ends Chinese input. */
export const isSubmitKey = (event: Key): boolean =>
  event.key === 'Enter' && !event.shiftKey && !isComposing(event)

/** Tells whether Enter alone breaks the line: touch keyboards have no Shift+Enter, so a button sends there. */
export const isTouchKeyboard = (): boolean => matchMedia('(pointer: coarse)').matches

/** Tells whether a key sends a multi-line text: Enter, or on touch devices only Enter with Ctrl or ⌘. */
export const isSendKey = (event: KeyWithModifiers): boolean =>
  isSubmitKey(event) && (event.ctrlKey || event.metaKey || !isTouchKeyboard())
