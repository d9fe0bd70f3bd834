import { expect, test } from 'vitest'
import { sends } from './enterKey.ts'

const enter = { key: 'Enter', shiftKey: false, keyCode: 13, isComposing: false }

test('Enter sends, Shift+Enter and other keys do not', () => {
  expect(sends(enter)).toBe(true)
  expect(sends({ ...enter, shiftKey: true })).toBe(false)
  expect(sends({ ...enter, key: 'a', keyCode: 65 })).toBe(false)
})

test('Enter that ends Chinese input does not send, as Chrome and as Safari tell it', () => {
  expect(sends({ ...enter, isComposing: true, keyCode: 229 })).toBe(false)
  expect(sends({ ...enter, isComposing: true })).toBe(false)
  expect(sends({ ...enter, keyCode: 229 })).toBe(false)
})
