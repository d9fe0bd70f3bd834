import type { Locator } from '@playwright/test'
import { test } from 'vitest'
import { promptsText } from '#web/text/prompts.ts'
import { settingText } from '#web/text/setting.ts'
import { sharesText } from '#web/text/shares.ts'
import { shellText } from '#web/text/shell.ts'
import { uiText } from '#web/text/ui.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { button, expect, expectNotice } from '../screen/chat-screen.ts'

const world = useBrowserWorld()

test('the theme, the default model, the order of platforms, shares and prompts are settled in the settings, whose list leads to each section and marks the one that is read, in view on a phone too', async () => {
  const client = await world.user()
  const { sess_id } = await client.ask('分享这个会话')
  await client.call('GET /api/chat/session/link', { query: { chatbot: 'dati', sess_id } })
  const page = await world.visit('/profile/setting', { client })
  const list = page.getByRole('list', { name: settingText.title })
  const section = (name: string) => list.getByRole('link', { name })
  await expect(section(settingText.profile)).toHaveAttribute('aria-current', 'location')
  const chat = section(settingText.chat)
  await chat.click()
  await expect(page.getByRole('heading', { name: settingText.chat })).toBeInViewport()
  await expect(chat).toHaveAttribute('aria-current', 'location')
  await expect(list.locator('[aria-current]')).toHaveCount(1)

  await button(page, shellText.themes.dark).click()
  await expect(page.locator('html.dark')).toBeVisible()
  await expect(button(page, shellText.themes.dark)).toHaveAttribute('aria-pressed', 'true')

  const getUser = () => client.call('GET /api/user/info', {})
  const model = page.getByLabel(settingText.defaultModel)
  await model.selectOption('twofold')
  await expect.poll(async () => (await getUser()).model).toBe('twofold')
  await expect(model).toHaveValue('twofold')
  const order = page.getByLabel(settingText.providerSort)
  await expectNotice(page, settingText.saved, () => order.selectOption('price'))
  expect((await getUser()).provider_sort).toBe('price')
  await expect(order).toHaveValue('price')

  const shares = page.getByRole('list', { name: sharesText.mine })
  await expect(shares.getByRole('listitem')).toHaveCount(1)
  await shares.getByRole('button', { name: sharesText.revoke }).click()
  await button(page, sharesText.revokeConfirm).click()
  await expect(page.getByText(sharesText.none)).toBeVisible()

  await button(page, promptsText.create).click()
  const dialog = page.getByRole('dialog', { name: promptsText.createTitle })
  await dialog.getByLabel(promptsText.name).fill('周报')
  await dialog.getByLabel(promptsText.text).fill('写一份周报')
  await dialog.getByRole('button', { name: uiText.save }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('list', { name: promptsText.ownTitle })).toContainText('周报')

  await page.setViewportSize({ width: 390, height: 780 })
  await section(settingText.profile).click()
  await expect(section(settingText.profile)).toHaveAttribute('aria-current', 'location')
  const link = section(sharesText.mine)
  await expect(link).not.toBeInViewport()
  const heading = page.getByRole('heading', { name: sharesText.mine })
  await heading.evaluate((element) => element.scrollIntoView())
  await expect(link).toHaveAttribute('aria-current', 'location')
  // The row must be visible: the check is made in the row itself.
  const isShown = (link: Locator) => () =>
    link.evaluate((element) => {
      const [row, own] = [element.closest('ul')!.getBoundingClientRect(), element.getBoundingClientRect()]
      return own.left >= row.left && own.right <= row.right
    })
  await expect.poll(isShown(link)).toBe(true)
  // The row follows the page to its top: only then does a press on it not meet a row that moves.
  await list.evaluate((element) => element.scrollIntoView())
  await expect.poll(isShown(section(settingText.profile))).toBe(true)
  // The last one is too short to come up: it counts as read when its link was clicked.
  const last = list.getByRole('link').last()
  await last.click()
  await expect(last).toHaveAttribute('aria-current', 'location')
})
