import type { Locator, Page } from '@playwright/test'
import { queueText } from '#web/text/attachments.ts'
import { composer, expect } from './chat-screen.ts'

/** Questions that wait for the end of an answer. */
export const waiting = (page: Page): Locator =>
  page.getByRole('region', { name: queueText.queue }).getByRole('listitem')

/** Sends a question while answers are being written, so that it waits. */
export async function queue(page: Page, prompt: string, place: number): Promise<void> {
  await composer(page).fill(prompt)
  await composer(page).press('Enter')
  await expect(waiting(page)).toHaveCount(place)
  await expect(waiting(page).last()).toHaveText(prompt)
  await expect(composer(page)).toHaveValue('')
}
