import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createAutosave } from './autosave.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Saves that end when the test says so. */
function createServer() {
  const saved: string[] = []
  const pending: { resolve: () => void; reject: (error: Error) => void }[] = []
  const save = (text: string) =>
    new Promise<void>((resolve, reject) => {
      saved.push(text)
      pending.push({ resolve, reject })
    })
  return { saved, save, next: () => pending.shift()! }
}

test('a burst of changes is saved once, as it is at its end', async () => {
  const { saved, save, next } = createServer()
  const autosave = createAutosave(save)
  for (const text of ['一', '一二', '一二三']) autosave.change(text)
  expect(autosave.store.getState().state).toBe('changed')
  await vi.runAllTimersAsync()
  expect(saved).toEqual(['一二三'])
  next().resolve()
  await autosave.flush()
  expect(autosave.store.getState().state).toBe('saved')
})

test('what changes while something is saved is saved after it', async () => {
  const { saved, save, next } = createServer()
  const autosave = createAutosave(save)
  autosave.change('一')
  const flushed = autosave.flush()
  autosave.change('二')
  expect(saved).toEqual(['一'])
  next().resolve()
  await vi.runAllTimersAsync()
  expect(saved).toEqual(['一', '二'])
  next().resolve()
  await flushed
  expect(autosave.store.getState().state).toBe('saved')
})

test('what could not be saved is saved with the next try, unless it has changed since', async () => {
  const { saved, save, next } = createServer()
  const autosave = createAutosave(save)
  autosave.change('一')
  const failingSave = autosave.flush()
  next().reject(new Error('no network'))
  await failingSave
  expect(autosave.store.getState().state).toBe('failed')
  const again = autosave.flush()
  next().resolve()
  await again
  expect(saved).toEqual(['一', '一'])
})

test('after it was stopped nothing is saved, and what was on its way has ended', async () => {
  const { saved, save, next } = createServer()
  const autosave = createAutosave(save)
  autosave.change('一')
  const flushed = autosave.flush()
  autosave.change('二')
  const stopped = autosave.stop()
  next().resolve()
  await stopped
  await flushed
  await vi.runAllTimersAsync()
  expect(saved).toEqual(['一'])
})

test('what is not saved is known until it is, with the number of savings that it takes', async () => {
  const { save, next } = createServer()
  const autosave = createAutosave(save)
  expect(autosave.getUnsaved()).toBeNull()
  autosave.change('一')
  expect(autosave.getUnsaved()).toEqual({ data: '一', savings: 1 })
  const flushed = autosave.flush()
  expect(autosave.getUnsaved()).toEqual({ data: '一', savings: 1 })
  autosave.change('二')
  expect(autosave.getUnsaved()).toEqual({ data: '二', savings: 2 })
  next().resolve()
  await vi.runAllTimersAsync()
  expect(autosave.getUnsaved()).toEqual({ data: '二', savings: 2 })
  next().reject(new Error('no network'))
  await flushed
  expect(autosave.getUnsaved()).toEqual({ data: '二', savings: 2 })
})
