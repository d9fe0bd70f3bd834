import type { Frame, Page } from '@playwright/test'
import { findAccessibilityViolations } from '../../world/browser.ts'
import { expect, waitForFrames } from '../screen/chat-screen.ts'
import { expectControlsInReach, NARROWEST } from './controls.ts'

const PHONE = { width: 390, height: 780 }

async function setColors(page: Page, colorScheme: 'light' | 'dark', frame: Frame): Promise<void> {
  await page.emulateMedia({ colorScheme })
  // The app follows by a class; the site around a widget is not the app.
  const follows = (isDark: boolean) =>
    !document.querySelector('[data-page]') || document.documentElement.classList.contains('dark') === isDark
  await frame.waitForFunction(follows, colorScheme === 'dark')
  await waitForFrames(page)
}

/**
 * Checks the page, or a frame of it, for barriers: all rules in the light look, and the rules of colours in the dark one. `state`
 * names the state in a failure. Open layers stay open, and the page is light again.
 */
export async function expectNoBarriers(
  page: Page,
  state: string,
  frame: Frame = page.mainFrame(),
): Promise<void> {
  expect(await findAccessibilityViolations(frame), state).toEqual([])
  await setColors(page, 'dark', frame)
  expect(await findAccessibilityViolations(frame), `${state}, dark`).toEqual([])
  await setColors(page, 'light', frame)
}

/** Checks the page on a phone, in the light look; on the narrowest phone all controls must be in reach. */
export async function expectNoBarriersOnPhone(page: Page, state: string): Promise<void> {
  const wide = page.viewportSize()!
  await page.setViewportSize(PHONE)
  await waitForFrames(page)
  expect(await findAccessibilityViolations(page), `${state}, on a phone`).toEqual([])
  await expectControlsInReach(page, state, NARROWEST)
  await page.setViewportSize(wide)
  await waitForFrames(page)
}
