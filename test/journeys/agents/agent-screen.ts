import type { Page } from '@playwright/test'
import { agentsText } from '#web/text/agents/agents.ts'
import { agentFormText } from '#web/text/agents/form.ts'
import { button } from '../screen/chat-screen.ts'

export const tiles = (page: Page) => page.getByRole('list', { name: agentsText.list }).getByRole('listitem')
export const sources = (page: Page) =>
  page.getByRole('list', { name: agentFormText.sourceList }).getByRole('listitem')
export const filePicker = (page: Page) => page.locator('main input[type=file]').first()
export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
/** The state of the draft's saving, or its result. */
export const draftState = (page: Page) => page.locator('header').getByRole('status')

export async function chooseMenuItem(page: Page, agent: string, item: string): Promise<void> {
  await button(page, agentsText.menu(agent)).click()
  await page.getByRole('menuitem', { name: item }).click()
}
