import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getRestoreStep, throttle } from './scrollPosition.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('saves at most once in the time, and always the last', () => {
  const savedPositions: number[] = []
  const save = throttle(100, (n: number) => void savedPositions.push(n))
  for (let n = 0; n < 45; n += 1) {
    save(n)
    vi.advanceTimersByTime(10)
  }
  expect(savedPositions).toEqual([0, 9, 19, 29, 39])
  vi.advanceTimersByTime(1_000)
  expect(savedPositions.at(-1)).toBe(44)
  expect(savedPositions).toHaveLength(6)
})

test('what waits is carried out at once when asked for, and not again', () => {
  const savedTexts: string[] = []
  const save = throttle(100, (text: string) => void savedTexts.push(text))
  save('一')
  save('二')
  save.flush()
  save.flush()
  vi.advanceTimersByTime(1_000)
  expect(savedTexts).toEqual(['一', '二'])
})

test('a position is gone to when its message is there, and looked for page by page until then', () => {
  const position = { id: 'b', below: 12 }
  const state = { messages: [{ id: 'a' }, { id: 'b' }], has_more: true, isLoading: false, pagesRead: 0 }
  expect(getRestoreStep(position, state)).toEqual({ type: 'scroll', index: 1 })
  const before = { ...state, messages: [{ id: 'c' }] }
  expect(getRestoreStep(position, before)).toEqual({ type: 'loadOlder' })
  expect(getRestoreStep(position, { ...before, isLoading: true })).toEqual({ type: 'wait' })
  expect(getRestoreStep(position, { ...before, pagesRead: 9 })).toEqual({ type: 'loadOlder' })
})

test('a position is given up after ten pages, or where there are no more', () => {
  const state = { messages: [{ id: 'c' }], has_more: true, isLoading: true, pagesRead: 10 }
  expect(getRestoreStep({ id: 'b', below: 0 }, state)).toEqual({ type: 'giveUp' })
  expect(getRestoreStep({ id: 'b', below: 0 }, { ...state, has_more: false, pagesRead: 0 })).toEqual({
    type: 'giveUp',
  })
})
