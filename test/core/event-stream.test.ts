import { afterEach, expect, test, vi } from 'vitest'
import { createEventStream } from '#server/core/sse.ts'

afterEach(() => void vi.useRealTimers())

test('a stream whose events fail leaves no timer behind', async () => {
  vi.useFakeTimers()
  const response = createEventStream(async function* () {
    yield { data: '1' }
    throw new Error('the database is away')
  })
  await expect(response.text()).rejects.toThrow('the database is away')
  expect(vi.getTimerCount()).toBe(0)
})
