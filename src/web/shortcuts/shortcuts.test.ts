import { describe, expect, test } from 'vitest'
import { commandOf, keyed, keysOf, signsOf, type Pressed } from './shortcuts.ts'

const press = (key: string, held: Partial<Pressed> = {}): Pressed => ({
  key,
  code: '',
  metaKey: false,
  ctrlKey: false,
  shiftKey: false,
  altKey: false,
  isComposing: false,
  keyCode: 0,
  ...held,
})

test('⌘ on Apple’s systems and Ctrl elsewhere, not both and not the other', () => {
  expect(commandOf(press('k', { metaKey: true }), 'page', true)).toBe('palette')
  expect(commandOf(press('k', { ctrlKey: true }), 'page', true)).toBeNull()
  expect(commandOf(press('k', { ctrlKey: true }), 'page', false)).toBe('palette')
  expect(commandOf(press('k', { metaKey: true }), 'page', false)).toBeNull()
  expect(commandOf(press('k', { metaKey: true, ctrlKey: true }), 'page', true)).toBeNull()
  expect(commandOf(press('k'), 'page', false)).toBeNull()
})

test('a sign that Shift changes is known by its place', () => {
  const held = { ctrlKey: true, shiftKey: true }
  expect(commandOf(press(':', { ...held, code: 'Semicolon' }), 'page', false)).toBe('copyCode')
  expect(commandOf(press('Щ', { ...held, code: 'KeyO' }), 'page', false)).toBe('newChat')
  expect(commandOf(press('C', held), 'page', false)).toBe('copyAnswer')
  expect(commandOf(press('c', { ctrlKey: true }), 'page', false)).toBeNull()
})

describe('in a field', () => {
  test('what is typed stays typed', () => {
    for (const key of ['?', '/']) {
      expect(commandOf(press(key), 'page', false)).not.toBeNull()
      expect(commandOf(press(key), 'empty', false)).toBeNull()
      expect(commandOf(press(key), 'text', false)).toBeNull()
    }
  })
  test('keys that move the caret are ours only while there is nothing to move in', () => {
    const up = press('ArrowUp', { altKey: true })
    expect(['page', 'empty', 'text'].map((where) => commandOf(up, where as 'page', true))).toEqual([
      'previousSession',
      'previousSession',
      null,
    ])
  })
  test('⌘ and Ctrl work everywhere, and so does stopping', () => {
    expect(commandOf(press('k', { ctrlKey: true }), 'text', false)).toBe('palette')
    expect(commandOf(press('Escape'), 'text', false)).toBe('stop')
  })
})

test('keys of the input method are none of ours', () => {
  expect(commandOf(press('Escape', { isComposing: true }), 'text', false)).toBeNull()
  expect(commandOf(press('?', { keyCode: 229 }), 'page', false)).toBeNull()
})

test('no two commands share their keys, and each is shown in the way of the system', () => {
  for (const apple of [true, false]) {
    const shown = keyed.map((command) => signsOf(keysOf[command], apple).join(' '))
    expect(new Set(shown).size).toBe(keyed.length)
  }
  expect(signsOf(keysOf.newChat, true)).toEqual(['⇧', '⌘', 'O'])
  expect(signsOf(keysOf.newChat, false)).toEqual(['Ctrl', 'Shift', 'O'])
})
