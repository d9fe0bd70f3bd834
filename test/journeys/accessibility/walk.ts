import type { Page } from '@playwright/test'
import { expect } from '../screen/chat-screen.ts'

/** Opens an address of the app: by a link of the page where there is one, which takes a third of loading it. */
export async function openPage(page: Page, path: string): Promise<void> {
  const isFollowed = await page.evaluate((href) => {
    const link = [...document.links].find((one) => one.getAttribute('href') === href)
    if (!link) return false
    return new Promise<true>((resolve) => {
      document.addEventListener('inertia:navigate', () => resolve(true), { once: true })
      link.click()
    })
  }, path)
  if (!isFollowed) await page.goto(new URL(path, page.url()).href)
  // Contents that are not there yet would not be checked.
  await expect(page.locator('.animate-shimmer').filter({ visible: true }), path).toHaveCount(0)
}
