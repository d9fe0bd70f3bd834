import { test } from 'vitest'
import { chatText } from '#web/text/chat.ts'
import { shellText } from '#web/text/shell.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { modelNames } from '../../world/real-names.ts'
import {
  answers,
  ask,
  button,
  composer,
  createSentences,
  expect,
  expectAnswer,
  questions,
  endlessScript,
  waitForText,
} from '../screen/chat-screen.ts'
import { createConversation, help, openChat } from './command-screen.ts'

const world = useBrowserWorld()

test('conversations are gone through with Alt and the arrows; a new one begins; Escape stops an answer, but closes a menu first; the last one and its code are copied, and it is asked for again', async () => {
  const client = await world.user()
  for (const question of ['最早的', '中间的', '最新的']) await createConversation(world, client, question)
  const page = await openChat(world, client)
  await expect(page.getByRole('link', { name: '最早的' })).toBeVisible()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(questions(page)).toHaveText(['最新的'])
  await page.keyboard.press('Alt+ArrowDown')
  await expect(questions(page)).toHaveText(['中间的'])
  await page.keyboard.press('Alt+ArrowUp')
  await expect(questions(page)).toHaveText(['最新的'])
  await composer(page).fill('写到一半')
  await page.keyboard.press('Alt+ArrowDown')
  await expect(questions(page)).toHaveText(['最新的'])
  await page.keyboard.press('Control+Shift+O')
  await expect(page).toHaveURL(/\/chat$/)
  await expect(questions(page)).toHaveCount(0)

  world.upstream.script('scripted', endlessScript(createSentences(400)))
  await ask(page, '慢慢说')
  await waitForText(page, 20)
  await button(page, `${chatText.modelPicker}：${modelNames.scripted}`).click()
  await expect(page.getByRole('listbox')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox')).toBeHidden()
  await expect(button(page, chatText.stop)).toBeVisible()
  await composer(page).press('Escape')
  await expect(answers(page)).toContainText(chatText.stopped)

  const text = '先看：\n\n```ts\nconst a = 1\n```\n\n完。'
  world.upstream.script('scripted', { text }, { text: '换一种说法。' })
  await ask(page, '写代码')
  await expect(answers(page)).toHaveCount(2)
  await expect(answers(page).last()).toContainText('完。')
  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false')
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await page.keyboard.press('Control+Shift+Semicolon')
  await expect.poll(copied).toBe('const a = 1')
  await page.keyboard.press('Control+Shift+C')
  await expect.poll(copied).toBe(text)
  await page.keyboard.press('Control+Shift+E')
  await expectAnswer(page, '换一种说法。')
})

test('? shows the shortcuts outside of fields, as the menu does; the sidebar is put away and comes back', async () => {
  const page = await openChat(world)
  await page.keyboard.type('怎么用?')
  await expect(composer(page)).toHaveValue('怎么用?')
  await page.locator('#content').focus()
  await page.keyboard.type('?')
  await expect(help(page)).toBeVisible()
  await expect(help(page).getByText('Ctrl')).not.toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(help(page)).toBeHidden()
  await page.keyboard.press('/')
  await expect(composer(page)).toBeFocused()
  await expect(composer(page)).toHaveValue('怎么用?')
  await page.getByRole('button', { name: /的账户菜单$/ }).click()
  await page.getByRole('menuitem', { name: shellText.shortcuts }).click()
  await expect(help(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(help(page)).toBeHidden()

  const sidebar = page.getByRole('complementary', { name: shellText.sidebar })
  await expect(sidebar).toBeVisible()
  await page.keyboard.press('Control+Shift+S')
  await expect(sidebar).toBeHidden()
  await page.reload()
  await expect(button(page, shellText.showSidebar)).toBeVisible()
  await expect(sidebar).toBeHidden()
  await button(page, shellText.showSidebar).click()
  await expect(sidebar).toBeVisible()
  await button(page, shellText.hideSidebar).click()
  await expect(sidebar).toBeHidden()
})
