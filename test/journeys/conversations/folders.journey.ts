import { test } from 'vitest'
import type { Locator, Page } from '@playwright/test'
import { errors } from '#contract/errors.ts'
import { foldersText } from '#web/text/history/folders.ts'
import { historyText } from '#web/text/history/history.ts'
import { shellText } from '#web/text/shell.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { button, expect } from '../screen/chat-screen.ts'

const world = useBrowserWorld()

const list = (page: Page): Locator => page.getByRole('navigation', { name: historyText.sessions })
const folders = (page: Page): Locator => page.getByRole('region', { name: foldersText.folders })
const titles = (place: Locator): Locator => place.getByRole('listitem').getByRole('link')
/** Returns the button that opens a folder, by its name and the number of its conversations. */
const folder = (page: Page, name: string, count: number): Locator =>
  button(page, `${name} ${foldersText.count(count)}`)
const dialog = (page: Page, count = 1): Locator =>
  page.getByRole('dialog', { name: foldersText.moveMany(count), exact: true })

async function openMenuItem(page: Page, menu: string, item: string): Promise<void> {
  await button(page, menu).press('Enter')
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

async function moveToNewFolder(page: Page, title: string, name: string): Promise<void> {
  await openMenuItem(page, historyText.sessionMenu(title), foldersText.move)
  await dialog(page).getByRole('textbox', { name: foldersText.newName }).fill(name)
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toBeHidden()
}

/** Drags a conversation out of its folder; the target exists only while it is dragged. */
async function dragOut(page: Page, title: string, wayOut: Locator): Promise<void> {
  await titles(folders(page)).filter({ hasText: title }).hover()
  await page.mouse.down()
  await folders(page).getByRole('listitem').first().hover()
  await wayOut.hover()
  await page.mouse.up()
}

test('conversations are put into folders, one or several, found there again, and stay when a folder goes; on a phone, too', async () => {
  const client = await world.user()
  world.upstream.script('scripted', { text: '好' })
  for (const prompt of ['甲', '乙', '丙', '丁']) {
    const { session } = await client.call('POST /api/chat/session/new', { body: {} })
    await client.ask(prompt, { sess_id: session.id })
  }
  const page = await world.visit('/chat', { client, expectedErrors: /status of 4(?:04|09)/ })
  const other = await page.context().newPage()
  await other.goto(page.url())
  await expect(titles(list(page))).toHaveText(['丁', '丙', '乙', '甲'])
  await expect(titles(list(other))).toHaveText(['丁', '丙', '乙', '甲'])

  // A new folder is open, and its conversations are in no other place. Other tabs have it, too.
  await moveToNewFolder(page, '乙', '读书')
  await expect(titles(folders(page))).toHaveText(['乙'])
  await expect(titles(list(page))).toHaveText(['乙', '丁', '丙', '甲'])
  await expect(folder(other, '读书', 1)).toBeVisible()
  await expect(titles(list(other))).toHaveText(['乙', '丁', '丙', '甲'])

  // The name of another folder is refused beside the field.
  await openMenuItem(page, historyText.sessionMenu('丁'), foldersText.move)
  await expect(dialog(page).getByRole('button', { name: '读书' })).toBeFocused()
  await dialog(page).getByRole('textbox', { name: foldersText.newName }).fill('读书')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toContainText('已有同名的文件夹')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()

  // Several at once.
  await openMenuItem(page, historyText.sessionMenu('丁'), historyText.select)
  await list(page).getByRole('checkbox', { name: '甲', exact: true }).click()
  await button(page, foldersText.move).click()
  await dialog(page, 2).getByRole('button', { name: '读书' }).click()
  await expect(titles(folders(page))).toHaveText(['丁', '乙', '甲'])
  await expect(titles(list(page))).toHaveText(['丁', '乙', '甲', '丙'])
  await button(page, foldersText.undo).click()
  await expect(titles(folders(page))).toHaveText(['乙'])

  // A closed folder stays closed, an open one open; the keyboard works, too.
  await folder(page, '读书', 1).press('Enter')
  await expect(titles(list(page))).toHaveText(['丁', '丙', '甲'])
  const { folder: gone } = await client.call('POST /api/chat/folders', { body: { name: '不久' } })
  await page.reload()
  await expect(folder(page, '读书', 1)).toHaveAttribute('aria-expanded', 'false')
  await expect(titles(list(page))).toHaveText(['丁', '丙', '甲'])

  // A deleted folder takes no conversation.
  await openMenuItem(page, historyText.sessionMenu('甲'), foldersText.move)
  await expect(dialog(page).getByRole('button', { name: '不久' })).toBeVisible()
  await client.call('DELETE /api/chat/folders/{id}', { params: { id: gone.id } })
  await dialog(page).getByRole('button', { name: '不久' }).click()
  await expect(page.getByText(errors.not_found.message)).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: '不久' })).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(titles(list(page))).toHaveText(['丁', '丙', '甲'])

  await folder(page, '读书', 1).press('F2')
  const field = page.getByRole('textbox', { name: foldersText.renameLabel('读书') })
  await expect(field).toBeFocused()
  await field.fill('诗文')
  await field.press('Enter')
  await expect(folder(page, '诗文', 1)).toBeFocused()
  await page.keyboard.press('Space')
  await expect(titles(folders(page))).toHaveText(['乙'])

  // The folder is empty afterwards and says so.
  await openMenuItem(page, historyText.sessionMenu('乙'), foldersText.move)
  await dialog(page).getByRole('button', { name: foldersText.moveOut }).click()
  await expect(folders(page)).toContainText(foldersText.empty)
  await expect(titles(list(page))).toHaveText(['丁', '丙', '乙', '甲'])
  await button(page, foldersText.undo).click()
  await expect(titles(folders(page))).toHaveText(['乙'])

  // The mouse works, too: onto a folder, and out of it again.
  await titles(list(page))
    .filter({ hasText: '丙' })
    .dragTo(folder(page, '诗文', 1))
  await expect(titles(folders(page))).toHaveText(['丙', '乙'])
  const wayOut = folders(page).getByText(foldersText.moveOut)
  await expect(wayOut).toBeHidden()
  await dragOut(page, '丙', wayOut)
  await expect(titles(folders(page))).toHaveText(['乙'])
  await expect(titles(list(page))).toHaveText(['乙', '丁', '丙', '甲'])
  await button(page, foldersText.undo).last().click()
  await expect(titles(folders(page))).toHaveText(['丙', '乙'])
  await dragOut(page, '丙', wayOut)
  await expect(titles(list(page))).toHaveText(['乙', '丁', '丙', '甲'])

  await openMenuItem(page, foldersText.menu('诗文'), foldersText.remove)
  const confirm = page.getByRole('dialog', { name: foldersText.removeTitle('诗文') })
  await expect(confirm).toContainText(foldersText.removeText)
  await confirm.getByRole('button', { name: foldersText.remove, exact: true }).click()
  await expect(folders(page)).toBeHidden()
  await expect(titles(list(page))).toHaveText(['丁', '丙', '乙', '甲'])
  await expect(titles(list(other))).toHaveText(['丁', '丙', '乙', '甲'])

  // On the screen of a phone from the drawer.
  await page.setViewportSize({ width: 390, height: 780 })
  await button(page, shellText.openNav).click()
  await expect(titles(list(page))).toHaveText(['丁', '丙', '乙', '甲'])
  await moveToNewFolder(page, '甲', '一个名字很长很长很长很长很长很长的文件夹')
  await expect(titles(folders(page))).toHaveText(['甲'])
})
