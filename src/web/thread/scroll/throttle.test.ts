import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { throttle } from './throttle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('saves at most once in the time, and always the last', () => {
  const saved: number[] = []
  const save = throttle(100, (n: number) => void saved.push(n))
  for (let n = 0; n < 45; n += 1) {
    save(n)
    vi.advanceTimersByTime(10)
  }
  expect(saved).toEqual([0, 9, 19, 29, 39])
  vi.advanceTimersByTime(1_000)
  expect(saved.at(-1)).toBe(44)
  expect(saved).toHaveLength(6)
})

test('what waits is carried out at once when asked for, and not again', () => {
  const saved: string[] = []
  const save = throttle(100, (text: string) => void saved.push(text))
  save('一')
  save('二')
  save.flush()
  save.flush()
  vi.advanceTimersByTime(1_000)
  expect(saved).toEqual(['一', '二'])
})
