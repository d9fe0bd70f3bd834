import { afterEach, expect, test, vi } from 'vitest'
import { createEventStream } from '#server/core/sse.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()

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

test('who asks for the head of a stream alone leaves nothing behind', async () => {
  world.upstream.script('scripted', { text: '好' })
  const user = await world.user()
  const { chat_id } = await user.ask('问')
  const countTimers = (): number => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length
  const before = countTimers()
  for (let n = 0; n < 40; n++) {
    const { status } = await user.fetch(`/api/chat/completions?chat_id=${chat_id}`, { method: 'HEAD' })
    expect(status).toBe(200)
  }
  // Others come and go meanwhile.
  await expect.poll(countTimers, { timeout: 5_000 }).toBeLessThan(before + 20)
})
