import { test } from 'vitest'
import { docsText } from '#web/text/docs/reference.ts'
import { findAccessibilityViolations } from '../../world/browser.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { expect } from '../screen/chat-screen.ts'

const world = useBrowserWorld()

test.each(['light', 'dark', 'phone'] as const)('%s /docs/api', async (look) => {
  const page = await world.visit('/docs/api?group=keys', { look })
  await expect(page.getByText(/^\d+ 个接口$/)).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: docsText.groups.keys! })).toBeVisible()
  expect(await findAccessibilityViolations(page)).toEqual([])
})
