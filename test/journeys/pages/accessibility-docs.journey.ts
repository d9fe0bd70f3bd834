import { test } from 'vitest'
import { docsText } from '#web/text/docs/reference.ts'
import { findAccessibilityViolations } from '../../world/browser.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { expect } from '../screen/chat-screen.ts'

const world = useBrowserWorld()

// Nearly 10,000 elements: by far the slowest page to check, and so in a file of its own.
test.each(['light', 'dark', 'phone'] as const)('%s /docs/api', async (look) => {
  const page = await world.visit('/docs/api', { look })
  await expect(page.getByText(/^\d+ 个接口$/)).toBeVisible()
  await expect(page.getByRole('heading', { name: docsText.title })).toBeVisible()
  expect(await findAccessibilityViolations(page)).toEqual([])
})
