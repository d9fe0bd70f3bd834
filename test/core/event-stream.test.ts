import { afterEach, expect, test, vi } from 'vitest'
import { createEventStream } from '#server/core/sse.ts'

afterEach(() => void vi.useRealTimers())

test('a stream whose events fail leaves no timer and no watch behind', async () => {
  vi.useFakeTimers()
  const release = vi.fn()
  const failing = async function* () {
    yield { data: '1' }
    throw new Error('the database is away')
  }
  const response = createEventStream(failing, { signal: new AbortController().signal, release })
  await expect(response.text()).rejects.toThrow('the database is away')
  expect(vi.getTimerCount()).toBe(0)
  expect(release).toHaveBeenCalledOnce()
})
