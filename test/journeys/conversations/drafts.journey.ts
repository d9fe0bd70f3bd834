import { test } from 'vitest'
import type { Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { pasteText } from '#web/text/attachments.ts'
import { shellText } from '#web/text/shell.ts'
import { expectAnswer, answers, ask, button, composer, expect } from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()

async function openChat(): Promise<Page> {
  world.upstream.script('scripted', { text: '收到。' })
  return world.visit('/chat', { client: await world.user() })
}

const startNewChat = (page: Page) => page.getByRole('link', { name: shellText.newChat }).click()
const openSession = (page: Page, title: string) =>
  page.getByRole('link', { name: title, exact: true }).click()

test('each conversation keeps what was not sent, a new one too, over a reload', async () => {
  const page = await openChat()
  await ask(page, '第一个会话')
  await expectAnswer(page, '收到。')
  await composer(page).fill('第一个会话的草稿')
  await startNewChat(page)
  await expect(composer(page)).toHaveValue('')
  await composer(page).fill('新对话的草稿\n第二行')
  await openSession(page, '第一个会话')
  await expect(composer(page)).toHaveValue('第一个会话的草稿')
  await page.reload()
  await expect(composer(page)).toHaveValue('第一个会话的草稿')
  await startNewChat(page)
  await expect(composer(page)).toHaveValue('新对话的草稿\n第二行')
})

test('what was sent is no draft any more', async () => {
  const page = await openChat()
  await composer(page).fill('你好')
  await page.reload()
  await expect(composer(page)).toHaveValue('你好')
  await page.keyboard.press('Enter')
  await expectAnswer(page, '收到。')
  await page.reload()
  await expect(composer(page)).toHaveValue('')
  await startNewChat(page)
  await expect(composer(page)).toHaveValue('')
})

test('what is written while the first question is on its way goes with its conversation', async () => {
  const page = await openChat()
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => (open = resolve))
  await page.route('**/api/chat/session/new', async (route) => {
    await gate
    await route.continue()
  })
  await ask(page, '先问这个')
  await composer(page).pressSequentially('接着想问')
  open()
  await expectAnswer(page, '收到。')
  await expect(composer(page)).toHaveValue('接着想问')
  await page.reload()
  await expect(composer(page)).toHaveValue('接着想问')
  await startNewChat(page)
  await expect(composer(page)).toHaveValue('')
})

test('two tabs do not overwrite each other, and a third finds the newest', async () => {
  const page = await openChat()
  await ask(page, '两个窗口')
  await expectAnswer(page, '收到。')
  const tab = await page.context().newPage()
  await tab.goto(page.url())
  await composer(page).fill('在第一个窗口写的')
  // It is kept before the other one is written, which is the newest then.
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain('在第一个窗口写的')
  await composer(tab).fill('在第二个窗口写的')
  await page.reload()
  await tab.reload()
  await expect(composer(page)).toHaveValue('在第一个窗口写的')
  await expect(composer(tab)).toHaveValue('在第二个窗口写的')
  await tab.close()
  const third = await page.context().newPage()
  await third.goto(page.url())
  await expect(composer(third)).toHaveValue('在第二个窗口写的')
})

test('a kept draft is there in the first picture of the field', async () => {
  const page = await openChat()
  await composer(page).fill('还没写完')
  await page.context().addInitScript(() => {
    const seen: string[] = []
    const look = () => {
      const field = document.querySelector('textarea')
      if (field) seen.push(field.value)
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    ;(window as Window & { seen?: string[] }).seen = seen
  })
  await page.reload()
  await expect(composer(page)).toHaveValue('还没写完')
  const seen = await page.evaluate(() => (window as Window & { seen?: string[] }).seen ?? [])
  expect([...new Set(seen)]).toEqual(['还没写完'])
})

test('signing out leaves no draft to the next person', async () => {
  const page = await openChat()
  await composer(page).fill('只给我自己')
  await page.getByRole('button', { name: /的账户菜单$/ }).click()
  await page.getByRole('menuitem', { name: shellText.logout }).click()
  await expect(page.getByRole('link', { name: shellText.login }).first()).toBeVisible()
  await page.goto(`${world.url}/chat`)
  await expect(composer(page)).toBeFocused()
  await expect(composer(page)).toHaveValue('')
  expect(
    await page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])),
  ).not.toContain('只给我')
})

test('a long paste stays beside what was typed, in its conversation and over a reload, and is sent with it', async () => {
  const LINES = 500
  const pasted = Array.from({ length: LINES }, (_, n) => `行 ${n}`).join('\n')
  const page = await openChat()
  const chip = page.getByRole('button', { name: pasteText.chip(LINES) })
  const stands = async () => {
    await expect(chip).toBeVisible()
    await expect(composer(page)).toHaveValue('总结：')
  }
  await ask(page, '第一个会话')
  await expectAnswer(page, '收到。')
  await page.evaluate((words) => navigator.clipboard.writeText(words), pasted)
  await composer(page).fill('总结：')
  await page.keyboard.press('Control+V')
  await stands()
  await startNewChat(page)
  await expect(chip).toHaveCount(0)
  await expect(composer(page)).toHaveValue('')
  await openSession(page, '第一个会话')
  await stands()
  await page.reload()
  await stands()
  await button(page, chatText.send).click()
  await expect(answers(page)).toHaveCount(2)
  await expectAnswer(page, '收到。')
  await expect(chip).toHaveCount(0)
  const body = world.upstream.requests.at(-1)?.body as { messages?: { content: string }[] } | undefined
  expect(body?.messages?.at(-1)?.content).toBe(`总结：\n\n${pasted}`)
  await page.reload()
  await expect(answers(page)).toHaveCount(2)
  await expect(chip).toHaveCount(0)
  await expect(composer(page)).toHaveValue('')
})
