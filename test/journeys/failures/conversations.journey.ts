import { test } from 'vitest'
import { chatText } from '#web/text/chat.ts'
import { historyText } from '#web/text/history/history.ts'
import { sessionSettingsText } from '#web/text/sessionSettings.ts'
import { uiText } from '#web/text/ui.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { answers, button, expectAnswer, expectNotice } from '../screen/chat-screen.ts'
import { expectFailures, FAILED_CALLS } from './provoke.ts'

const world = useBrowserWorld()

test('a conversation says that it could not be branched, set up, deleted or switched to, and a question without words is not asked again', async () => {
  const client = await world.user()
  world.upstream.script('scripted', { text: '河的回答。' }, { text: '湖的回答。' })
  await client.ask('问河')
  await client.call('POST /api/chat/session/new', { body: {} })
  await client.ask('问湖')
  const page = await world.visit('/chat', { client, expectedErrors: FAILED_CALLS })
  const list = page.getByRole('navigation', { name: historyText.sessions })
  await page.route('**/api/chat/messages?*', async (route) => {
    const response = await route.fetch()
    const { messages, ...rest } = (await response.json()) as { messages: { role: string }[] }
    const wordless = messages.map((one) => (one.role === 'human' ? { ...one, text: ' ' } : one))
    return route.fulfill({ response, json: { ...rest, messages: wordless } })
  })
  await list.getByRole('link', { name: '问湖' }).click()
  await expectAnswer(page, '湖的回答。')
  await expectNotice(page, '上一条消息为空，请重新输入', () => button(page, chatText.regenerate).click())

  await expectFailures(page, 'POST /api/chat/session/fork', '创建智能体子会话失败，请重试', async () => {
    await answers(page).hover()
    await button(page, historyText.fork).click()
  })
  await button(page, chatText.settings).click()
  const settings = page.getByRole('dialog', { name: sessionSettingsText.title })
  await settings.getByLabel(sessionSettingsText.systemPrompt).fill('只说一句。')
  await expectFailures(page, 'POST /api/chat/session/settings', '保存会话设置失败', () =>
    settings.getByRole('button', { name: uiText.save }).click(),
  )
  await page.keyboard.press('Escape')
  await expectFailures(page, 'DELETE /api/chat/session/{id}', '删除会话失败', async () => {
    await list.getByRole('listitem').filter({ hasText: '问河' }).hover()
    await button(page, historyText.sessionMenu('问河')).click()
    await page.getByRole('menuitem', { name: historyText.remove }).click()
    await page.getByRole('dialog').getByRole('button', { name: historyText.remove }).click()
  })
  const titles = ['问河', '问湖']
  await expectFailures(page, 'POST /api/chat/session/switch', '切换会话失败', () =>
    list.getByRole('link', { name: titles.shift()! }).click(),
  )
})
