import { describe, expect, test } from 'vitest'
import {
  getDestination,
  getReachedAnchor,
  getScrolledAnchor,
  type ScrollAnchor,
  showsEnd,
} from './scrollAnchor.ts'

const position = { id: 'b', below: 12 }
const messages = [{ id: 'a' }, { id: 'b' }]

describe('getDestination', () => {
  const none = { hasNewTarget: false, isAppended: false, isVersionSwitch: false, isAskedHere: false }

  test.each<[string, ScrollAnchor, Partial<typeof none>, 'target' | 'end' | null]>([
    [
      'a message in the address goes before everything',
      null,
      { hasNewTarget: true, isAskedHere: true },
      'target',
    ],
    ['a question asked here moves who reads further up', null, { isAskedHere: true }, 'end'],
    ['a question asked here ends a return to a kept place', position, { isAskedHere: true }, 'end'],
    ['a question from elsewhere moves nobody who reads further up', null, {}, null],
    ['a question from elsewhere is followed at the end', 'end', {}, 'end'],
    ['a page behind a part further up moves nobody', 'end', { isAppended: true }, null],
    ['another version moves nobody', 'end', { isVersionSwitch: true }, null],
  ])('%s', (_, anchor, change, destination) => {
    expect(getDestination(anchor, { ...none, ...change })).toBe(destination)
  })
})

test('who was led to a message reads on from there, at the end if it is one', () => {
  expect(getReachedAnchor('target', messages, false)).toBeNull()
  expect(getReachedAnchor('target', messages, true)).toBe('end')
  expect(getReachedAnchor(position, messages, false)).toBeNull()
})

test('a kept place whose message is not loaded yet is still held, and so is the end', () => {
  expect(getReachedAnchor(position, [{ id: 'a' }], true)).toBe(position)
  expect(getReachedAnchor('end', messages, false)).toBe('end')
  expect(getReachedAnchor(null, messages, true)).toBeNull()
})

test('only scrolling down to the end by oneself follows it from there on', () => {
  expect(getScrolledAnchor(null, true, true)).toBe('end')
  expect(getScrolledAnchor(null, false, true)).toBeNull()
  expect(getScrolledAnchor(null, true, false)).toBeNull()
  expect(getScrolledAnchor('target', true, true)).toBe('target')
})

test('a few pixels above the end count as the end', () => {
  const view = { scrollSize: 2_000, viewportSize: 500, scrollOffset: 1_453 }
  expect(showsEnd(view)).toBe(true)
  expect(showsEnd({ ...view, scrollOffset: 1_452 })).toBe(false)
})
