import { test } from 'vitest'
import type { Locator, Page } from '@playwright/test'
import { historyText } from '#web/text/history/history.ts'
import { button, expect } from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()

const list = (page: Page): Locator => page.getByRole('navigation', { name: historyText.sessions })
const titles = (page: Page): Locator => list(page).getByRole('listitem').getByRole('link')
const choice = (page: Page, title: string): Locator =>
  list(page).getByRole('checkbox', { name: title, exact: true })

/** Starts to choose several conversations, beginning with this one. */
async function startSelection(page: Page, title: string): Promise<void> {
  await list(page).getByRole('listitem').filter({ hasText: title }).hover()
  await button(page, historyText.sessionMenu(title)).click()
  await page.getByRole('menuitem', { name: historyText.select }).click()
  await expect(choice(page, title)).toBeChecked()
  await expect(choice(page, title)).toBeFocused()
}

test('several conversations are put away, which can be undone, taken out again, and deleted', async () => {
  const client = await world.user()
  world.upstream.script('scripted', { text: '好' })
  for (const prompt of ['甲', '乙', '丙', '丁']) {
    await client.call('POST /api/chat/session/new', { body: {} })
    await client.ask(prompt)
  }
  const page = await world.visit('/chat', { client })
  await expect(titles(page)).toHaveText(['丁', '丙', '乙', '甲'])
  await startSelection(page, '丁')
  await choice(page, '乙').click({ modifiers: ['Shift'] })
  await expect(list(page).getByRole('status')).toHaveText(historyText.selected(3))
  await button(page, historyText.archive).click()
  await expect(titles(page)).toHaveText(['甲'])
  await button(page, historyText.undo).click()
  await expect(titles(page)).toHaveText(['丁', '丙', '乙', '甲'])

  await startSelection(page, '丙')
  await choice(page, '乙').click()
  await button(page, historyText.archive).click()
  await expect(titles(page)).toHaveText(['丁', '甲'])
  await button(page, historyText.archived).click()
  await expect(titles(page)).toHaveText(['丙', '乙'])
  await startSelection(page, '乙')
  await button(page, historyText.restore).click()
  await expect(titles(page)).toHaveText(['丙'])
  await button(page, historyText.back).click()
  await expect(titles(page)).toHaveText(['丁', '乙', '甲'])

  await startSelection(page, '甲')
  await button(page, historyText.selectAll).click()
  await choice(page, '乙').click()
  await button(page, historyText.remove).click()
  const dialog = page.getByRole('dialog', { name: historyText.removeManyTitle(2) })
  await dialog.getByRole('button', { name: historyText.remove }).click()
  await expect(titles(page)).toHaveText(['乙'])
  const { items } = await client.call('GET /api/chat/sessions', {})
  expect(items.map(({ title }) => title)).toEqual(['乙'])
})
