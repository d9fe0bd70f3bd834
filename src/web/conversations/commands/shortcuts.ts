import { isComposing } from '#web/ui/form/enterKey.ts'

/** Commands with keys. */
export const keyedCommands = [
  'palette',
  'help',
  'newChat',
  'focusComposer',
  'stop',
  'regenerate',
  'copyAnswer',
  'copyCode',
  'previousSession',
  'nextSession',
  'sidebar',
] as const
/** Commands without keys, which only the palette offers. */
const unkeyedCommands = [
  'search',
  'prompts',
  'settings',
  'share',
  'exportMarkdown',
  'exportJson',
  'exportWord',
  'exportPicture',
] as const
export const commands = [...keyedCommands, ...unkeyedCommands] as const
export type KeyedCommand = (typeof keyedCommands)[number]
export type Command = (typeof commands)[number]

/**
 * Keys of a command: `mod` is ⌘ on Apple's systems and Ctrl elsewhere. A one-character key without `mod` or `alt` is text that a
 * person may be typing.
 */
export type KeyBinding = { mod?: boolean; shift?: boolean; alt?: boolean; key: string }

export const keyBindings: Readonly<Record<KeyedCommand, KeyBinding> & Partial<Record<Command, KeyBinding>>> =
  {
    palette: { mod: true, key: 'k' },
    help: { key: '?' },
    newChat: { mod: true, shift: true, key: 'o' },
    focusComposer: { key: '/' },
    stop: { key: 'Escape' },
    regenerate: { mod: true, shift: true, key: 'e' },
    copyAnswer: { mod: true, shift: true, key: 'c' },
    copyCode: { mod: true, shift: true, key: ';' },
    previousSession: { alt: true, key: 'ArrowUp' },
    nextSession: { alt: true, key: 'ArrowDown' },
    sidebar: { mod: true, shift: true, key: 's' },
  }

export type KeyEvent = Pick<
  KeyboardEvent,
  'key' | 'code' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'isComposing' | 'keyCode'
>
/** The place where a key was pressed: a field with text, an empty field, or outside of fields. */
export type FocusContext = 'text' | 'empty' | 'page'

/** The command of a key. Null for a key of an input method, and for one that acts in the field where it was pressed. */
export function findCommand(event: KeyEvent, context: FocusContext, isApple: boolean): KeyedCommand | null {
  if (isComposing(event)) return null
  return (
    keyedCommands.find(
      (command) => matchesBinding(event, keyBindings[command], isApple) && isAllowed(command, context),
    ) ?? null
  )
}

function isAllowed(command: KeyedCommand, context: FocusContext): boolean {
  const { mod, alt } = keyBindings[command]
  if (context === 'page' || mod || command === 'stop') return true
  return Boolean(alt) && context === 'empty'
}

function matchesBinding(
  event: KeyEvent,
  { mod = false, shift = false, alt = false, key }: KeyBinding,
  isApple: boolean,
): boolean {
  const [isModPressed, isOtherPressed] = isApple
    ? [event.metaKey, event.ctrlKey]
    : [event.ctrlKey, event.metaKey]
  if (isModPressed !== mod || isOtherPressed || event.altKey !== alt) return false
  // Some keyboards need Shift for the character itself, so Shift does not count.
  if (!mod && !alt && key.length === 1) return event.key === key
  return (
    event.shiftKey === shift &&
    (event.key.toLowerCase() === key.toLowerCase() || event.code === toKeyCode(key))
  )
}

/** The key's `code`: with Shift, or in another alphabet, `key` is another character. */
const toKeyCode = (key: string): string =>
  key === ';' ? 'Semicolon' : /^[a-z]$/.test(key) ? `Key${key.toUpperCase()}` : key

const APPLE_KEY_LABELS: Record<string, string> = { Escape: 'esc', ArrowUp: '↑', ArrowDown: '↓' }
const KEY_LABELS: Record<string, string> = { Escape: 'Esc', ArrowUp: '↑', ArrowDown: '↓' }

/** Labels of the keys, one string for each: `⇧ ⌘ O` or `Ctrl Shift O`. */
export function formatKeys({ mod, shift, alt, key }: KeyBinding, isApple: boolean): string[] {
  const last = (isApple ? APPLE_KEY_LABELS : KEY_LABELS)[key] ?? (key.length === 1 ? key.toUpperCase() : key)
  const modifierSigns = isApple
    ? [alt && '⌥', shift && '⇧', mod && '⌘']
    : [mod && 'Ctrl', alt && 'Alt', shift && 'Shift']
  return [...modifierSigns.filter((sign) => typeof sign === 'string'), last]
}
