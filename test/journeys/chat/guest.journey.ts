import { test } from 'vitest'
import type { Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { foldersText } from '#web/text/history/folders.ts'
import { historyText } from '#web/text/history/history.ts'
import { modelPickerText } from '#web/text/modelPicker.ts'
import { sharesText } from '#web/text/shares.ts'
import { voiceText } from '#web/text/voice.ts'
import { ask, button, expect, expectAnswer } from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { modelNames } from '../../world/real-names.ts'

const world = useBrowserWorld()

/** Makes a browser forbid all storage. */
const forbidStorage = (page: Page): Promise<unknown> =>
  page.context().addInitScript(() => {
    const get = () => {
      throw new DOMException('forbidden', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get })
  })

test('a guest, also one whose browser forbids storage, is answered, shown what needs an account, and offered nothing that would cost', async () => {
  const page = await world.visit('/chat', { beforeLoad: forbidStorage })
  await expect(button(page, chatText.prompts)).toBeVisible()
  await expect(button(page, chatText.record)).toHaveCount(0)
  await button(page, `${chatText.modelPicker}：${modelNames.scripted}`).click()
  await expect(page.getByRole('option', { name: modelNames['scripted-paid'] })).toContainText(
    modelPickerText.needsSignIn,
  )
  await expect(page.getByRole('option', { name: modelNames.scripted })).toContainText(modelPickerText.guest)
  await page.keyboard.press('Escape')

  world.upstream.script('scripted', { text: '你好。' })
  await ask(page, '在吗？')
  await expectAnswer(page, '你好。')
  await expect(button(page, chatText.copyAnswer)).toBeVisible()
  await expect(button(page, voiceText.read)).toHaveCount(0)
  await expect(page.getByText(modelNames.scripted, { exact: true }).last()).toBeVisible()
  await expect(page.getByText(/金币|Token/)).toHaveCount(0)

  await expect(page.getByRole('navigation', { name: historyText.sessions }).getByRole('link')).toHaveText([
    '在吗？',
  ])
  await button(page, historyText.sessionMenu('在吗？')).click()
  await expect(page.getByRole('menuitem', { name: historyText.archive })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: foldersText.move })).toBeHidden()
  await page.keyboard.press('Escape')
  await button(page, chatText.share).click()
  await expect(
    page.getByRole('dialog', { name: sharesText.title }).getByText(sharesText.signIn),
  ).toBeVisible()
})
