import type { Frame, Page } from '@playwright/test'
import { expect, waitForFrames } from '../screen/chat-screen.ts'
import { expectControlsInReach, NARROWEST } from './controls.ts'
import type { Size } from './controls.ts'
import { findAccessibilityViolations } from './violations.ts'
import type { MeasuredLooks } from './violations.ts'

/** One for all files of a worker. */
const measured: MeasuredLooks = new Map()
const none = { light: [], dark: [] }

/** Checks the page, or a frame of it, for barriers. `state` names the state in a failure. Open layers stay open. */
export async function expectNoBarriers(
  page: Page,
  state: string,
  frame: Frame = page.mainFrame(),
): Promise<void> {
  expect(await findAccessibilityViolations(frame, measured), state).toEqual(none)
}

/** Checks the page on the narrowest phone, in the light look alone; all controls must be in reach. */
export async function expectNoBarriersOnPhone(page: Page, state: string): Promise<void> {
  const before = page.viewportSize()!
  await expectControlsInReach(page, state, NARROWEST)
  await expectNoBarriersInLight(page, state)
  if (before.width === NARROWEST.width) return
  await page.setViewportSize(before)
  await waitForFrames(page)
}

/** Checks the page as it is, in the light look alone: another size has no other colours. */
export async function expectNoBarriersInLight(page: Page, state: string): Promise<void> {
  const found = await findAccessibilityViolations(page, measured, { isLightOnly: true })
  expect(found, `${state}, in this size`).toEqual(none)
}

/** Checks a page in the size that it has, and controls in all of these; the page is left in the last of them. */
export async function expectNoBarriersAnywhere(page: Page, state: string, sizes: Size[]): Promise<void> {
  await expectNoBarriers(page, state)
  for (const size of sizes) {
    await expectControlsInReach(page, state, size)
    if (size === NARROWEST) await expectNoBarriersInLight(page, state)
  }
}
