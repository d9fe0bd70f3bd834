import { isComposing } from '../ui/enterKey.ts'

/** Commands with keys of their own. */
export const keyed = [
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
/** Commands of the palette alone. */
const unkeyed = [
  'search',
  'prompts',
  'settings',
  'share',
  'exportMarkdown',
  'exportJson',
  'exportWord',
  'exportPicture',
] as const
export const commands = [...keyed, ...unkeyed] as const
export type KeyedCommand = (typeof keyed)[number]
export type Command = (typeof commands)[number]

/**
 * Keys of a command: `mod` is ⌘ on Apple's systems and Ctrl elsewhere. A key of one character without `mod` or `alt` is
 * something that a person types.
 */
export type Keys = { mod?: boolean; shift?: boolean; alt?: boolean; key: string }

export const keysOf: Readonly<Record<KeyedCommand, Keys> & Partial<Record<Command, Keys>>> = {
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

export type Pressed = Pick<
  KeyboardEvent,
  'key' | 'code' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'isComposing' | 'keyCode'
>
/** Where a key was pressed: in a field with text, in an empty one, or outside of fields. */
export type Where = 'text' | 'empty' | 'page'

/** The command of a key, or null: a key of the input method, or one that does something in the field it was pressed in. */
export function commandOf(event: Pressed, where: Where, apple: boolean): KeyedCommand | null {
  if (isComposing(event)) return null
  return keyed.find((command) => fits(event, keysOf[command], apple) && allowed(command, where)) ?? null
}

function allowed(command: KeyedCommand, where: Where): boolean {
  const { mod, alt } = keysOf[command]
  if (where === 'page' || mod || command === 'stop') return true
  return Boolean(alt) && where === 'empty'
}

function fits(
  event: Pressed,
  { mod = false, shift = false, alt = false, key }: Keys,
  apple: boolean,
): boolean {
  const [wanted, other] = apple ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey]
  if (wanted !== mod || other || event.altKey !== alt) return false
  // Where the sign itself needs Shift on some keyboards, Shift says nothing.
  if (!mod && !alt && key.length === 1) return event.key === key
  return (
    event.shiftKey === shift && (event.key.toLowerCase() === key.toLowerCase() || event.code === codeOf(key))
  )
}

/** The key's place on the keyboard: with Shift, or under another alphabet, `key` is another sign. */
const codeOf = (key: string): string =>
  key === ';' ? 'Semicolon' : /^[a-z]$/.test(key) ? `Key${key.toUpperCase()}` : key

const APPLE_SIGNS: Record<string, string> = { Escape: 'esc', ArrowUp: '↑', ArrowDown: '↓' }
const SIGNS: Record<string, string> = { Escape: 'Esc', ArrowUp: '↑', ArrowDown: '↓' }

/** How a person reads them, one string a key: `⇧ ⌘ O` or `Ctrl Shift O`. */
export function signsOf({ mod, shift, alt, key }: Keys, apple: boolean): string[] {
  const last = (apple ? APPLE_SIGNS : SIGNS)[key] ?? (key.length === 1 ? key.toUpperCase() : key)
  const held = apple
    ? [alt && '⌥', shift && '⇧', mod && '⌘']
    : [mod && 'Ctrl', alt && 'Alt', shift && 'Shift']
  return [...held.filter((sign) => typeof sign === 'string'), last]
}
