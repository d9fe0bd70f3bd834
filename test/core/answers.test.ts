import { expect, test } from 'vitest'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()

test('a short answer comes with its length, as it is', async () => {
  const response = await world.visitor().fetch('/api/stats')
  expect(response.headers.get('Content-Encoding')).toBeNull()
  expect(response.headers.get('X-Request-Id')).toBeTruthy()
  expect(Number(response.headers.get('Content-Length'))).toBe(Buffer.byteLength(await response.text()))
})

test('a long answer comes compressed', async () => {
  const user = await world.user()
  await user.ask('问渠那得清如许？'.repeat(500))
  const response = await user.fetch('/api/chat/messages')
  expect(response.headers.get('Content-Encoding')).toBe('gzip')
  expect((await response.text()).length).toBeGreaterThan(8_000)
})
