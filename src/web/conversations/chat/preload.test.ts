import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lazyLoaders } from '#web/ui/lazy/lazyComponent.tsx'
import { preloadParts } from './preload.ts'

let loaded: string[] = []
const loadersBefore = [...lazyLoaders]

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', {})
  loaded = []
  lazyLoaders.clear()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  lazyLoaders.clear()
  for (const loader of loadersBefore) lazyLoaders.add(loader)
})

const addLoader = (name: string, then = () => {}) =>
  lazyLoaders.add(async () => {
    loaded.push(name)
    then()
  })

test('parts are loaded a while after an answer, each once, with those that a loaded part adds', async () => {
  vi.stubGlobal('navigator', {})
  addLoader('分享', () => addLoader('二维码'))
  addLoader('设置')
  const preloading = preloadParts()
  void preloadParts()
  await vi.advanceTimersByTimeAsync(4_000)
  expect(loaded).toEqual([])
  await vi.runAllTimersAsync()
  await preloading
  expect(loaded).toEqual(['分享', '设置', '二维码'])
  addLoader('导出')
  const again = preloadParts()
  await vi.runAllTimersAsync()
  await again
  expect(loaded).toEqual(['分享', '设置', '二维码', '导出'])
})

test('a part that does not come ends it, and the next answer tries the rest', async () => {
  vi.stubGlobal('navigator', {})
  addLoader('分享', () => {
    if (loaded.length === 1) throw new TypeError('network error')
  })
  addLoader('设置')
  for (const expected of [['分享'], ['分享', '分享', '设置']]) {
    const preloading = preloadParts()
    await vi.runAllTimersAsync()
    await preloading
    expect(loaded).toEqual(expected)
  }
})

test('a person who saves data has nothing loaded ahead', async () => {
  vi.stubGlobal('navigator', { connection: { saveData: true } })
  addLoader('分享')
  await preloadParts()
  await vi.runAllTimersAsync()
  expect(loaded).toEqual([])
})
