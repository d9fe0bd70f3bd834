import { describe, test } from 'vitest'
import { findAccessibilityViolations } from '../../world/browser.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { expect } from '../screen/chat-screen.ts'

const world = useBrowserWorld()

test('a violation of each kind is found', async () => {
  const page = await world.visit('/login')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.evaluate(() => {
    const planted =
      '<button id="nameless"></button><p id="pale" style="color: #eee; background: #fff">看不清</p>'
    document.querySelector('main')!.insertAdjacentHTML('beforeend', planted)
  })
  expect(await findAccessibilityViolations(page)).toEqual([
    expect.stringMatching(/^button-name: #nameless: /),
    expect.stringMatching(/^color-contrast: #pale: /),
  ])
})

describe.each(['light', 'dark', 'phone'] as const)('%s', (look) => {
  test.each([
    '/',
    '/login',
    '/models',
    '/calculator',
    '/docs/charging',
    '/docs/gateway',
    '/dev/outbox',
    '/nowhere',
  ])('%s', async (path) => {
    const page = await world.visit(path, { look, expectedErrors: /status of 404/ })
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await findAccessibilityViolations(page)).toEqual([])
  })
})
