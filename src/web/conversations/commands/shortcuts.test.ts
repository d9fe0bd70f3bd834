import { describe, expect, test } from 'vitest'
import { findCommand, keyedCommands, keyBindings, formatKeys, type KeyEvent } from './shortcuts.ts'

const press = (key: string, modifiers: Partial<KeyEvent> = {}): KeyEvent => ({
  key,
  code: '',
  metaKey: false,
  ctrlKey: false,
  shiftKey: false,
  altKey: false,
  isComposing: false,
  keyCode: 0,
  ...modifiers,
})

test('⌘ on Apple’s systems and Ctrl elsewhere, not both and not the other', () => {
  expect(findCommand(press('k', { metaKey: true }), 'page', true)).toBe('palette')
  expect(findCommand(press('k', { ctrlKey: true }), 'page', true)).toBeNull()
  expect(findCommand(press('k', { ctrlKey: true }), 'page', false)).toBe('palette')
  expect(findCommand(press('k', { metaKey: true }), 'page', false)).toBeNull()
  expect(findCommand(press('k', { metaKey: true, ctrlKey: true }), 'page', true)).toBeNull()
  expect(findCommand(press('k'), 'page', false)).toBeNull()
})

test('a sign that Shift changes is known by its place', () => {
  const modifiers = { ctrlKey: true, shiftKey: true }
  expect(findCommand(press(':', { ...modifiers, code: 'Semicolon' }), 'page', false)).toBe('copyCode')
  expect(findCommand(press('Щ', { ...modifiers, code: 'KeyO' }), 'page', false)).toBe('newChat')
  expect(findCommand(press('C', modifiers), 'page', false)).toBe('copyAnswer')
  expect(findCommand(press('c', { ctrlKey: true }), 'page', false)).toBeNull()
})

describe('in a field', () => {
  test('what is typed stays typed', () => {
    for (const key of ['?', '/']) {
      expect(findCommand(press(key), 'page', false)).not.toBeNull()
      expect(findCommand(press(key), 'empty', false)).toBeNull()
      expect(findCommand(press(key), 'text', false)).toBeNull()
    }
  })
  test('keys that move the caret are ours only while there is nothing to move in', () => {
    const up = press('ArrowUp', { altKey: true })
    expect(['page', 'empty', 'text'].map((where) => findCommand(up, where as 'page', true))).toEqual([
      'previousSession',
      'previousSession',
      null,
    ])
  })
  test('⌘ and Ctrl work everywhere, and so does stopping', () => {
    expect(findCommand(press('k', { ctrlKey: true }), 'text', false)).toBe('palette')
    expect(findCommand(press('Escape'), 'text', false)).toBe('stop')
  })
})

test('keys of the input method are none of ours', () => {
  expect(findCommand(press('Escape', { isComposing: true }), 'text', false)).toBeNull()
  expect(findCommand(press('?', { keyCode: 229 }), 'page', false)).toBeNull()
})

test('no two commands share their keys, and each is shown in the way of the system', () => {
  for (const apple of [true, false]) {
    const keyTexts = keyedCommands.map((command) => formatKeys(keyBindings[command], apple).join(' '))
    expect(new Set(keyTexts).size).toBe(keyedCommands.length)
  }
  expect(formatKeys(keyBindings.newChat, true)).toEqual(['⇧', '⌘', 'O'])
  expect(formatKeys(keyBindings.newChat, false)).toEqual(['Ctrl', 'Shift', 'O'])
})
