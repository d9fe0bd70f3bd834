import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getToasts, toast } from './toast.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

const listTexts = () => getToasts().map(({ text }) => text)

test('a confirmation lasts two seconds, an error six, and what can be undone ten', () => {
  toast.success('已保存')
  toast.error('保存失败')
  toast.undoable('已移走', { label: '撤销', run: () => {} })
  for (const [stepMs, texts] of [
    [1_999, ['已保存', '保存失败', '已移走']],
    [1, ['保存失败', '已移走']],
    [3_999, ['保存失败', '已移走']],
    [1, ['已移走']],
    [3_999, ['已移走']],
    [1, []],
  ] as const) {
    vi.advanceTimersByTime(stepMs)
    expect(listTexts()).toEqual(texts)
  }
})

test('the same words stand there once, and at most three messages, the newest', () => {
  for (const text of ['一', '二', '二', '三', '四']) toast.error(text)
  expect(listTexts()).toEqual(['二', '三', '四'])
})
