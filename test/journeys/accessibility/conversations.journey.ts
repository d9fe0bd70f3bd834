import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { chatText } from '#web/text/chat.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { scoreboardText } from '#web/text/compare/scoreboard.ts'
import { foldersText } from '#web/text/history/folders.ts'
import { historyText } from '#web/text/history/history.ts'
import { loadFailedText } from '#web/text/loadFailed.ts'
import { messagesText } from '#web/text/messages.ts'
import { modelPickerText } from '#web/text/modelPicker.ts'
import { sessionSettingsText } from '#web/text/sessionSettings.ts'
import { settingText } from '#web/text/setting.ts'
import { sharesText } from '#web/text/shares.ts'
import { shellText } from '#web/text/shell.ts'
import { uiText } from '#web/text/ui.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import type { Client } from '../../world/client.ts'
import { modelNames } from '../../world/real-names.ts'
import { matchAsset } from '../screen/assets.ts'
import { answers, ask, button, expect, pageLabel, waitForIdle } from '../screen/chat-screen.ts'
import { expectNoBarriers, expectNoBarriersOnPhone } from './barriers.ts'
import { WIDEST } from './controls.ts'
import { openPage } from './walk.ts'

const world = useBrowserWorld()
/** Creates a person with a conversation for each question; the first is pinned. */
async function createConversations(...prompts: string[]): Promise<{ client: Client; river: string }> {
  const client = await world.user()
  const ids: string[] = []
  for (const prompt of prompts) {
    const { session } = await client.call('POST /api/chat/session/new', { body: {} })
    world.upstream.script('scripted', { text: `${prompt}，春江潮水连海平。` })
    await client.ask(prompt, { sess_id: session.id })
    ids.push(session.id)
  }
  const [river = ''] = ids
  await client.call('PATCH /api/chat/session/{id}', { params: { id: river }, body: { pinned: true } })
  return { client, river }
}

const sessions = (page: Page) => page.getByRole('navigation', { name: historyText.sessions })
const menuItem = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })
async function openMenu(page: Page, title: string): Promise<void> {
  await sessions(page).getByRole('listitem').filter({ hasText: title }).first().hover()
  await button(page, historyText.sessionMenu(title)).click()
}

test('conversations are searched, chosen, renamed, deleted, put into folders and shared', async () => {
  const { client, river } = await createConversations('问河', '问湖', '问海')
  const page = await world.visit('/chat', { client })
  const field = page.getByLabel(historyText.searchSessions)
  await field.fill('没有这个词')
  await expect(sessions(page).getByRole('status')).toHaveText(historyText.nothingFound)
  await expectNoBarriers(page, 'no conversation found')
  await field.fill('问湖')
  await expect(sessions(page).locator('mark').first()).toHaveText('问湖')
  await expectNoBarriers(page, 'conversations that were found')
  await field.fill('春江')
  // The results are those of the word before until then.
  await expect(sessions(page).locator('mark').first()).toHaveText('春江')
  await sessions(page).getByRole('link').filter({ hasText: '问湖' }).click()
  await expect(page.locator('[data-target]')).toBeInViewport()
  await expectNoBarriers(page, 'a message that was found')
  await field.fill('')

  await openMenu(page, '问河')
  await expect(menuItem(page, historyText.unpin)).toBeVisible()
  await expectNoBarriers(page, 'the menu of a conversation')
  await menuItem(page, historyText.rename).click()
  await expect(page.getByLabel(historyText.renameLabel('问河'))).toBeFocused()
  await expectNoBarriers(page, 'a conversation that is renamed')
  await page.keyboard.press('Escape')
  await openMenu(page, '问海')
  await menuItem(page, historyText.remove).click()
  const removing = page.getByRole('dialog', { name: historyText.removeTitle })
  await expect(removing).toBeVisible()
  await expectNoBarriers(page, 'the question before a conversation is deleted')
  await page.keyboard.press('Escape')
  await expect(removing).toBeHidden()
  await openMenu(page, '问海')
  await menuItem(page, historyText.select).click()
  await expect(sessions(page).getByRole('status')).toHaveText(historyText.selected(1))
  await expectNoBarriers(page, 'conversations that are chosen')
  await page.keyboard.press('Escape')

  await openMenu(page, '问海')
  await menuItem(page, foldersText.move).click()
  const moving = page.getByRole('dialog', { name: foldersText.moveMany(1), exact: true })
  await expect(moving).toBeVisible()
  await expectNoBarriers(page, 'where a conversation is moved to')
  const name = '一个名字很长很长很长很长很长很长的文件夹'
  await moving.getByRole('textbox', { name: foldersText.newName }).fill(name)
  await page.keyboard.press('Enter')
  await expect(moving).toBeHidden()
  const folders = page.getByRole('region', { name: foldersText.folders })
  await expect(folders.getByRole('link')).toHaveText(['问海'])
  await expectNoBarriers(page, 'a folder')

  await openPage(page, `/chat?sess_id=${river}`)
  await button(page, chatText.share).click()
  const dialog = page.getByRole('dialog', { name: sharesText.title })
  await dialog.getByRole('radio', { name: sharesText.chosen }).check()
  await expect(dialog.getByRole('checkbox')).toHaveCount(2)
  await expectNoBarriersOnPhone(page, 'what is shared')
  await dialog.getByRole('checkbox').first().check()
  await dialog.getByRole('checkbox').last().check()
  await button(page, sharesText.create).click()
  await expect(dialog.getByRole('list', { name: sharesText.mine }).getByRole('listitem')).toHaveCount(1)
  await expectNoBarriersOnPhone(page, 'a share and its link')
  await page.keyboard.press('Escape')
  await button(page, shellText.openNav).click()
  await expect(folders.getByRole('link')).toHaveText(['问海'])
  await expectNoBarriersOnPhone(page, 'a folder in the drawer')
})

test('settings of a conversation and of all of them have errors and a notice; a part may not come; a question that lacks coins says what it needs', async () => {
  const { client, river } = await createConversations('问河')
  const page = await world.visit(`/chat?sess_id=${river}`, {
    isFirst: true,
    client,
    expectedErrors: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of 402/,
  })
  await expect(answers(page)).toHaveCount(1)
  await waitForIdle(page)
  await page.context().setOffline(true)
  await button(page, chatText.settings).click()
  const failed = page.getByRole('dialog', { name: loadFailedText.title })
  await expect(failed).toContainText(loadFailedText.hint)
  await expectNoBarriersOnPhone(page, 'a dialog that did not come')
  await page.keyboard.press('Escape')
  await page.context().setOffline(false)
  await page.setViewportSize(WIDEST)
  for (const part of [matchAsset('Model'), '**/healthz']) await page.route(part, (route) => route.abort())
  await page.getByRole('link', { name: pageLabel('Model', 'platform'), exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: loadFailedText.pageTitle })).toBeVisible()
  await expectNoBarriers(page, 'a page that did not come')
  await page.unrouteAll()
  await openPage(page, `/chat?sess_id=${river}`)

  await button(page, chatText.settings).click()
  const dialog = page.getByRole('dialog', { name: sessionSettingsText.title })
  await dialog.getByLabel(sessionSettingsText.temperature).fill('x')
  await dialog.getByRole('button', { name: uiText.save }).click()
  await expect(dialog).toContainText(sessionSettingsText.temperatureError)
  await expectNoBarriersOnPhone(page, 'an error in the settings of a conversation')
  await page.keyboard.press('Escape')
  await openPage(page, '/profile/setting')
  await page.getByRole('switch', { name: settingText.enabled }).check()
  await page.getByLabel(settingText.self_intro).fill('我是小学老师。')
  const form = page.locator('form').filter({ has: page.getByLabel(settingText.self_intro) })
  await form.getByRole('button', { name: uiText.save, exact: true }).click()
  await expectNoBarriers(page, 'the settings of conversations')

  await page.setViewportSize(WIDEST)
  await openPage(page, '/chat')
  await button(page, `${chatText.modelPicker}：${modelNames.scripted}`).click()
  const models = page.getByRole('dialog', { name: modelPickerText.title }).getByRole('option')
  await models.filter({ hasText: modelNames.tiered }).first().click()
  await expect(
    page.getByRole('button', { name: `${chatText.modelPicker}：${modelNames.tiered}` }),
  ).toBeVisible()
  await ask(page, '问渠那得清如许？'.repeat(4000))
  await expect(answers(page).getByRole('link', { name: messagesText.recharge })).toBeVisible()
  await expect(button(page, messagesText.cheaperModel)).toBeVisible()
  await expectNoBarriers(page, 'a question that lacks coins')
})

test('models are compared blindly, voted for and counted', async () => {
  const page = await world.visit('/compare', { client: await world.user() })
  const chosen = page.getByRole('list', { name: compareText.models }).getByRole('listitem')
  await expect(chosen.first()).toBeVisible()
  await button(page, compareText.blind).click()
  await ask(page, '用 Python 写一个函数')
  await expect(button(page, compareText.voteFor('模型 A'))).toBeVisible()
  await expectNoBarriersOnPhone(page, 'a blind comparison')
  await page.setViewportSize(WIDEST)
  await button(page, compareText.voteFor('模型 A')).click()
  await button(page, scoreboardText.title).click()
  await expect(page.getByRole('row').filter({ hasText: '1 / 0 / 0' })).toHaveCount(1)
  await expectNoBarriersOnPhone(page, 'the scoreboard')
})
