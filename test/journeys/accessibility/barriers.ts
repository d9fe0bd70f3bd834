import type { Frame, Page } from '@playwright/test'
import { expect } from '../screen/chat-screen.ts'
import { expectControlsInReach, NARROWEST, WIDEST } from './controls.ts'
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

/**
 * Checks the page, and its controls, on the narrowest phone, where names are shortest and controls closest to each other: no
 * larger size finds more of a layer. The page stays in this size.
 */
export async function expectNoBarriersOnPhone(page: Page, state: string): Promise<void> {
  await expectControlsInReach(page, state, NARROWEST)
  await expectNoBarriers(page, state)
}

/** Checks the page as it is for all that depends on its size, in the light look alone: another size has no other colours. */
export async function expectNoBarriersInSize(page: Page, state: string): Promise<void> {
  const found = await findAccessibilityViolations(page, measured, { isForSize: true })
  expect(found, `${state}, in this size`).toEqual(none)
}

/**
 * Checks a page in the narrowest and the widest size, and its controls in the sizes between, too. It begins in the size that the
 * page has, and leaves it in the other one, from which the next page is begun: a change of size is dear.
 */
export async function expectNoBarriersAnywhere(
  page: Page,
  state: string,
  between: Size[] = [],
): Promise<void> {
  const [first, last] = isNarrow(page) ? [NARROWEST, WIDEST] : [WIDEST, NARROWEST]
  await expectControlsInReach(page, state, first)
  await expectNoBarriers(page, state)
  for (const size of [...between, last]) await expectControlsInReach(page, state, size)
  await expectNoBarriersInSize(page, state)
}

export const isNarrow = (page: Page): boolean => page.viewportSize()!.width === NARROWEST.width
