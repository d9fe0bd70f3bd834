import { expect, test } from 'vitest'
import { getPageToLoad } from './pageToLoad.ts'

const view = { scrollOffset: 5_000, scrollSize: 10_000, viewportSize: 800 }
const state = {
  messages: [{ key: 'first' }, { key: 'last' }],
  has_more: true,
  has_newer: true,
  loading: null,
}

test('in the middle nothing is read', () => {
  expect(getPageToLoad(view, state)).toBeNull()
})

test('near the first message the older page is read, near the last one the newer', () => {
  expect(getPageToLoad({ ...view, scrollOffset: 599 }, state)).toEqual({
    direction: 'older',
    beside: 'first',
  })
  expect(getPageToLoad({ ...view, scrollOffset: 8_601 }, state)).toEqual({
    direction: 'newer',
    beside: 'last',
  })
})

test('where there is no more, nothing is read', () => {
  const whole = { ...state, has_more: false, has_newer: false }
  expect(getPageToLoad({ ...view, scrollOffset: 0 }, whole)).toBeNull()
  expect(getPageToLoad({ ...view, scrollOffset: 9_200 }, whole)).toBeNull()
})

test('a page that is on its way is not asked for twice', () => {
  expect(getPageToLoad({ ...view, scrollOffset: 0 }, { ...state, loading: 'older' })).toBeNull()
})

test('a page that could not be read is asked for again by the person only', () => {
  const top = { ...view, scrollOffset: 0 }
  expect(getPageToLoad(top, state, 'first')).toBeNull()
  expect(getPageToLoad(top, state, 'another')).toEqual({ direction: 'older', beside: 'first' })
  expect(getPageToLoad(top, state)).toEqual({ direction: 'older', beside: 'first' })
})

test('messages that do not fill the screen ask for more at once', () => {
  const short = { scrollOffset: 0, scrollSize: 300, viewportSize: 800 }
  expect(getPageToLoad(short, state)?.direction).toBe('older')
  expect(getPageToLoad(short, { ...state, has_more: false })?.direction).toBe('newer')
})
