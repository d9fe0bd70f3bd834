import type { Page } from '@playwright/test'
import { expect } from '../screen/chat-screen.ts'

/** Opens an address of the app in the page that is there, as the browser's way back does: a third of loading it. */
export async function openPage(page: Page, path: string): Promise<void> {
  const isShown = await page.evaluate(showPage, path)
  if (!isShown) await page.goto(new URL(path, page.url()).href)
  // Contents that are not there yet would not be checked.
  await expect(page.locator('.animate-shimmer').filter({ visible: true }), path).toHaveCount(0)
}

type Shown = { version: string; props: { user: { uuid: string } | null } }

/** Runs in the page: shows the address unless the app is not there, or would load the page by itself for another person. */
async function showPage(path: string): Promise<boolean> {
  const { page: shown } = (history.state ?? {}) as { page?: Shown }
  if (!shown) return false
  const headers = { 'X-Inertia': 'true', 'X-Inertia-Version': shown.version }
  const response = await fetch(path, { headers })
  if (!response.headers.has('X-Inertia')) return false
  const state = { page: (await response.json()) as Shown }
  if (state.page.props.user?.uuid !== shown.props.user?.uuid) return false
  return new Promise((resolve) => {
    document.addEventListener('inertia:navigate', () => resolve(true), { once: true })
    history.pushState(state, '', path)
    dispatchEvent(new PopStateEvent('popstate', { state }))
  })
}
