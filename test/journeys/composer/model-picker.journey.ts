import { test } from 'vitest'
import type { Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { modelPickerText } from '#web/text/modelPicker.ts'
import { modelsText } from '#web/text/models.ts'
import { shellText } from '#web/text/shell.ts'
import { expectAnswer, ask, button, expect, expectNotice, reopenAtOnce } from '../screen/chat-screen.ts'
import type { Upstream } from '../../world/upstream/upstream.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const model = (id: string, platform: string, more: object = {}) => ({
  id,
  name: `模型${id}`,
  desc: `说明${id}`,
  type: 'chat',
  guest: true,
  context_window: 128_000,
  offers: [{ platform, model: id, input: 200, output: 800.5 }],
  ...more,
})
const platform = (name: string, alias: string, baseUrl: string, apiKeyEnv?: string) => ({
  name,
  alias,
  dialect: 'openai',
  base_url: baseUrl,
  ...(apiKeyEnv ? { api_key_env: apiKeyEnv } : {}),
})

/** Five models of three makers; one is unavailable, one is for accounts only. */
const renderModels = ({ url }: Upstream): string =>
  JSON.stringify({
    platforms: [
      platform('one', '甲厂', url),
      platform('two', '乙厂', url),
      platform('none', '丙厂', url, 'NO_SUCH_KEY'),
    ],
    models: [
      model('a', 'one', { capabilities: ['tools', 'vision'] }),
      model('b', 'two', { discount: 0.5, guest: false }),
      model('c', 'one'),
      model('d', 'none'),
      model('e', 'two', { offers: [{ platform: 'two', model: 'e', input: 0, output: 0 }] }),
    ],
  })

const world = useBrowserWorld({}, { models: renderModels })

const trigger = (page: Page, name: string) => button(page, `${chatText.modelPicker}：${name}`)
const dialog = (page: Page) => page.getByRole('dialog', { name: modelPickerText.title })
const search = (page: Page) => dialog(page).getByRole('combobox')
const options = (page: Page) => dialog(page).getByRole('option')
const active = (page: Page) => dialog(page).locator('[role=option][aria-selected=true]')

test('the picker shows makers, prices, what a model can do, and none that cannot be called; it is used by the keyboard alone, and filters while one types; each conversation keeps its model, what was asked last is on top, and the default begins new ones; models that cannot be read again are there as before', async () => {
  const client = await world.user()
  const page = await world.visit('/chat', { client, expectedErrors: /status of 500/ })
  await trigger(page, '模型a').click()
  await expect(search(page)).toBeFocused()
  const groups = dialog(page).getByRole('group')
  await expect(groups).toHaveCount(2)
  await expect(page.getByRole('group', { name: '甲厂' }).getByRole('option')).toHaveCount(2)
  await expect(options(page).first()).toContainText('模型a')
  await expect(options(page).first()).toContainText('识图')
  await expect(options(page).first()).toContainText('输入 2 元 · 输出 8.005 元 · 128K 上下文')
  await expect(page.getByRole('option', { name: '模型b' })).toContainText('输入 1 元 · 输出 4.0025 元')
  await expect(page.getByRole('option', { name: '模型e' })).toContainText(modelPickerText.free)
  await expect(page.getByRole('option', { name: '模型d' })).toHaveCount(0)
  await reopenAtOnce(dialog(page))
  await expect(search(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(trigger(page, '模型a')).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(active(page)).toContainText('模型a')
  await page.keyboard.press('ArrowDown')
  await expect(active(page)).toContainText('模型c')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  // The highlight goes over the end to the last one.
  await expect(active(page)).toContainText('模型e')
  await page.keyboard.type('乙厂 免')
  await expect(dialog(page).getByText(modelPickerText.none)).toBeVisible()
  await search(page).fill('乙厂')
  await expect(options(page)).toHaveCount(2)
  await page.keyboard.press('Enter')
  await expect(trigger(page, '模型b')).toBeFocused()
  await expect(dialog(page)).toBeHidden()

  for (const id of ['a', 'b', 'c']) world.upstream.script(id, { text: `我是${id}。` })
  await ask(page, '第一个')
  await expectAnswer(page, '我是b。')
  const newChat = page.getByRole('link', { name: shellText.newChat, exact: true })
  await newChat.click()
  // The earlier conversation shows the same model until the page has changed.
  await expect(page.getByText('我是b。')).toHaveCount(0)
  await expect(trigger(page, '模型b')).toBeVisible()
  await trigger(page, '模型b').click()
  await page.getByRole('option', { name: '模型c' }).click()
  await ask(page, '第二个')
  await expectAnswer(page, '我是c。')
  await page.getByRole('link', { name: '第一个' }).click()
  await trigger(page, '模型b').click()
  const recent = page.getByRole('group', { name: modelPickerText.recent }).getByRole('option')
  await expect(recent).toHaveCount(2)
  await expect(recent.first()).toContainText('模型c')
  // A choice holds until the next question, and is sent with it.
  await page.getByRole('option', { name: '模型a' }).click()
  await ask(page, '换一个')
  await expectAnswer(page, '我是a。')
  await page.reload()
  await expect(trigger(page, '模型a')).toBeVisible()
  await page.getByRole('link', { name: '第二个' }).click()

  // The default model begins new conversations, also in another browser.
  await trigger(page, '模型c').click()
  await search(page).fill('模型e')
  await expect(active(page)).toContainText('模型e')
  await expectNotice(page, modelsText.madeDefault('模型e'), () => page.keyboard.press('Control+Enter'))
  expect((await client.call('GET /api/user/info', {})).model).toBe('e')
  await newChat.click()
  await expect(page.getByText('我是c。')).toHaveCount(0)
  await trigger(page, '模型e').click()
  await expect(page.getByRole('option', { name: '模型e' })).toContainText(modelPickerText.isDefault)

  await search(page).fill('模型c')
  await page.route('**/api/chat/models*', (route) => route.fulfill({ status: 500, body: '{}' }))
  const again = page.waitForResponse('**/api/chat/models*')
  await page.keyboard.press('Control+Enter')
  await again
  await trigger(page, '模型c').click()
  await expect(options(page).first()).toContainText('模型')
})
