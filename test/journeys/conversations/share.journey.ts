import { test } from 'vitest'
import type { Page } from '@playwright/test'
import { uiText } from '#web/text/ui.ts'
import { chatText } from '#web/text/chat.ts'
import { settingText } from '#web/text/setting.ts'
import { sharesText } from '#web/text/shares.ts'
import { shellText } from '#web/text/shell.ts'
import { answers, ask, button, composer, expect, expectAnswer, expectNotice } from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()

const dialog = (page: Page) => page.getByRole('dialog', { name: sharesText.title })
const boxes = (page: Page) => dialog(page).getByRole('checkbox')
const mine = (page: Page) => dialog(page).getByRole('list', { name: sharesText.mine }).getByRole('listitem')
const link = (page: Page) => dialog(page).getByLabel(sharesText.link)

/** Opens the share dialog of a conversation of two turns. */
async function openShareDialog() {
  const client = await world.user()
  world.upstream.script('scripted', { text: '河的**回答**。' }, { text: '湖的回答。' })
  const { sess_id } = await client.ask('问河')
  await client.ask('问湖', { sess_id })
  const page = await world.visit(`/chat?sess_id=${sess_id}`, { client })
  await expect(answers(page)).toHaveCount(2)
  await button(page, chatText.share).click()
  await expect(dialog(page)).toBeVisible()
  return page
}

/** Saves the settings of conversations; the profile above them has a button of its own. */
const saveSettings = (page: Page): Promise<void> =>
  page
    .locator('form')
    .filter({ has: page.getByLabel(settingText.self_intro) })
    .getByRole('button', { name: uiText.save, exact: true })
    .click()

/** Opens the share whose link the dialog shows, as another person. */
async function openSharedPage(page: Page, visit: Parameters<typeof world.visit>[1] = {}): Promise<Page> {
  const { pathname, search } = new URL(await link(page).inputValue())
  return world.visit(pathname + search, { expectedErrors: /status of 404/, ...visit })
}

test('a whole conversation is shared and gone on with after signing in, chosen messages alone are read without an account, and a link is revoked after a confirmation; where the browser refuses to copy or cannot, the person is told to do it by hand', async () => {
  const page = await openShareDialog()
  await button(page, sharesText.create).click()
  await expectNotice(page, sharesText.copied, () => button(page, sharesText.copy).click())
  const whole = await link(page).inputValue()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(whole)
  const reader = await openSharedPage(page, { client: await world.user() })
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText('问河')
  await expect(answers(reader)).toHaveCount(2)
  await expect(answers(reader).first().locator('strong')).toHaveText('回答')
  await button(reader, sharesText.continue).click()
  await expect(composer(reader)).toBeVisible()
  await expect(answers(reader)).toHaveCount(2)
  world.upstream.script('scripted', { text: '海的回答。' })
  await ask(reader, '问海')
  await expectAnswer(reader, '海的回答。')

  // A revoked link leads nowhere and leaves the list.
  await expect(mine(page)).toHaveCount(1)
  await button(page, sharesText.revokeOf('问河')).click()
  await button(page, uiText.cancel).click()
  await expect(link(page)).toBeVisible()
  await button(page, sharesText.revokeOf('问河')).click()
  await button(page, sharesText.revokeConfirm).click()
  await expect(page.getByText(sharesText.none)).toBeVisible()
  await expect(link(page)).toBeHidden()
  await expect(button(page, sharesText.create)).toBeVisible()
  expect((await fetch(new URL(new URL(whole).pathname, world.url))).status).toBe(404)

  await dialog(page).getByRole('radio', { name: sharesText.chosen }).check()
  await expect(boxes(page)).toHaveCount(4)
  await expect(button(page, sharesText.create)).toBeDisabled()
  await dialog(page).getByRole('checkbox', { name: '问湖' }).check()
  await dialog(page).getByRole('checkbox', { name: '湖的回答' }).check()
  await expect(dialog(page).getByText(sharesText.selected(2))).toBeVisible()
  await button(page, sharesText.create).click()
  const guest = await openSharedPage(page)
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('问湖')
  await expect(guest.getByText('河的')).toHaveCount(0)
  const signIn = guest.getByRole('link', { name: sharesText.signInToContinue })
  await expect(signIn).toHaveAttribute('href', /^\/login\?redirect_to=%2Fshare%2F/)
  await guest.setViewportSize({ width: 390, height: 780 })
  await expect(answers(guest).last()).toBeVisible()
  expect(await guest.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)

  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: () => Promise.reject(new Error('refused')) },
    })
  })
  await button(page, sharesText.copy).click()
  await expect(page.getByText('复制失败，请手动复制')).toBeVisible()
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await button(page, sharesText.copy).click()
  await expect(page.getByText('你的浏览器不支持此复制功能请手动复制!')).toBeVisible()
  // Another selection has another link.
  await boxes(page).first().check()
  await expect(link(page)).toBeHidden()
})

test('settings of conversations are shown as they were saved, and saved as they are shown; whoever was signed out elsewhere is treated so when they are saved', async () => {
  const client = await world.user()
  await client.call('PUT /api/user/chat_setting', { body: { self_intro: '我是小学生。', enabled: true } })
  const page = await world.visit('/profile/setting', { client, expectedErrors: /status of 401/ })
  await expect(page.getByLabel(settingText.self_intro)).toHaveValue('我是小学生。')
  await expect(page.getByRole('switch', { name: settingText.enabled })).toBeChecked()
  await page.getByLabel(settingText.self_intro).fill('我是小学老师。')
  await page.getByRole('switch', { name: settingText.enabled }).uncheck()
  await expectNotice(page, settingText.saved, () => saveSettings(page))
  expect(await client.call('GET /api/user/chat_setting', {})).toMatchObject({
    self_intro: '我是小学老师。',
    enabled: false,
  })
  await client.call('POST /logout', {})
  await page.getByLabel(settingText.self_intro).fill('我是中学老师。')
  await saveSettings(page)
  await expect(page.getByText(settingText.signIn)).toBeVisible()
  await expect(page.getByRole('link', { name: shellText.login, exact: true }).first()).toBeVisible()
})
