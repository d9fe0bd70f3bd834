import { expect, test } from 'vitest'
import { isSubmitKey } from './enterKey.ts'

const enter = { key: 'Enter', shiftKey: false, keyCode: 13, isComposing: false }

test('Enter sends, Shift+Enter and other keys do not', () => {
  expect(isSubmitKey(enter)).toBe(true)
  expect(isSubmitKey({ ...enter, shiftKey: true })).toBe(false)
  expect(isSubmitKey({ ...enter, key: 'a', keyCode: 65 })).toBe(false)
})

test('Enter that ends Chinese input does not send, as Chrome and as Safari tell it', () => {
  expect(isSubmitKey({ ...enter, isComposing: true, keyCode: 229 })).toBe(false)
  expect(isSubmitKey({ ...enter, isComposing: true })).toBe(false)
  expect(isSubmitKey({ ...enter, keyCode: 229 })).toBe(false)
})
