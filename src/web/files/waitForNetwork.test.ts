import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { waitForNetwork } from './waitForNetwork.ts'

const events = new EventTarget()
const online = { onLine: true }

beforeEach(() => {
  vi.useFakeTimers()
  online.onLine = true
  vi.stubGlobal('navigator', online)
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events))
  vi.stubGlobal('removeEventListener', events.removeEventListener.bind(events))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a network that seems to be there is tried again after a while that grows; one that is back, at once', async () => {
  const { signal } = new AbortController()
  const onEnd = vi.fn()
  void waitForNetwork(3, signal).then(onEnd)
  await vi.advanceTimersByTimeAsync(3_999)
  expect(onEnd).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(onEnd).toHaveBeenCalledOnce()

  online.onLine = false
  void waitForNetwork(1, signal).then(onEnd)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onEnd).toHaveBeenCalledOnce()
  events.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(onEnd).toHaveBeenCalledTimes(2)
})

test('whoever stops waits no longer', async () => {
  const controller = new AbortController()
  const waiting = waitForNetwork(1, controller.signal)
  controller.abort(new Error('paused'))
  await expect(waiting).rejects.toThrow('paused')
})
