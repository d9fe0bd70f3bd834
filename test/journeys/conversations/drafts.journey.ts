import { test } from 'vitest'
import type { Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { attachmentsText, pasteText } from '#web/text/attachments.ts'
import { shellText } from '#web/text/shell.ts'
import {
  expectAnswer,
  answers,
  ask,
  button,
  composer,
  expect,
  holdSession,
  questions,
} from '../screen/chat-screen.ts'
import { getQuestion } from '../../world/upstream/script.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()

async function openChat(): Promise<Page> {
  world.upstream.script('scripted', { text: '收到。' })
  return world.visit('/chat', { client: await world.user() })
}

const startNewChat = (page: Page) => page.getByRole('link', { name: shellText.newChat, exact: true }).click()
const openSession = (page: Page, title: string) =>
  page.getByRole('link', { name: title, exact: true }).click()

test('each conversation keeps what was not sent, a new one too, over a reload; what was sent is no draft any more', async () => {
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
  await page.reload()
  await expect(composer(page)).toHaveValue('新对话的草稿\n第二行')
  await page.keyboard.press('Enter')
  await expectAnswer(page, '收到。')
  await page.reload()
  await expect(composer(page)).toHaveValue('')
  await startNewChat(page)
  await expect(composer(page)).toHaveValue('')
})

test('files beside a draft are there again after a reload, in a new conversation, an old one and a comparison; what was deleted or sent is not', async () => {
  const client = await world.user()
  world.upstream.script('scripted', { text: '收到。' })
  const expectedErrors = /status of 404.*\/api\/block\//s
  const page = await world.visit('/compare', { client, expectedErrors })
  const expectChips = (...names: string[]) =>
    expect(page.getByRole('list', { name: attachmentsText.attachments }).getByRole('link')).toHaveText(names)
  const attach = (name: string) =>
    page
      .locator('main input[type=file]')
      .setInputFiles({ name, mimeType: '', buffer: Buffer.from(`# ${name}\n\n半亩方塘一鉴开。`) })
  await attach('对比.md')
  await expectChips('对比.md')
  await page.goto(`${world.url}/chat`)
  await ask(page, '旧会话')
  await expectAnswer(page, '收到。')
  await attach('旧.md')
  await expectChips('旧.md')
  await startNewChat(page)
  await expectChips()
  await composer(page).fill('看看这两份')
  await attach('甲.md')
  await expectChips('甲.md')
  await attach('乙.md')
  await expectChips('甲.md', '乙.md')
  await page.reload()
  await expect(composer(page)).toHaveValue('看看这两份')
  await expectChips('甲.md', '乙.md')
  await openSession(page, '旧会话')
  await expectChips('旧.md')
  await startNewChat(page)
  await expectChips('甲.md', '乙.md')

  const { items } = await client.call('GET /api/blocks', { query: {} })
  const block = items.find(({ name }) => name === '甲.md')!
  await client.call('DELETE /api/block/{id}', { params: { id: block.id } })
  await page.reload()
  await expectChips('乙.md')
  await button(page, chatText.send).click()
  await expectAnswer(page, '收到。')
  await expect(questions(page)).toHaveText('看看这两份')
  await page.reload()
  await expectAnswer(page, '收到。')
  await expectChips()
  await page.goto(`${world.url}/compare`)
  await expectChips('对比.md')
})

test('what is written while the first question is on its way goes with its conversation; two tabs do not overwrite each other, and a third finds the newest', async () => {
  const page = await openChat()
  const release = await holdSession(page)
  await ask(page, '先问这个')
  await composer(page).pressSequentially('接着想问')
  release()
  await expectAnswer(page, '收到。')
  await expect(composer(page)).toHaveValue('接着想问')
  await page.reload()
  await expect(composer(page)).toHaveValue('接着想问')
  const conversation = page.url()
  await startNewChat(page)
  await expect(composer(page)).toHaveValue('')

  await openSession(page, '先问这个')
  await expect(composer(page)).toHaveValue('接着想问')
  const tab = await page.context().newPage()
  await tab.goto(conversation)
  await composer(page).fill('在第一个窗口写的')
  // The first draft is kept before the other one is written, which is then the newest.
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain('在第一个窗口写的')
  await composer(tab).fill('在第二个窗口写的')
  await page.reload()
  await tab.reload()
  await expect(composer(page)).toHaveValue('在第一个窗口写的')
  await expect(composer(tab)).toHaveValue('在第二个窗口写的')
  await tab.close()
  const third = await page.context().newPage()
  await third.goto(conversation)
  await expect(composer(third)).toHaveValue('在第二个窗口写的')
})

test('a kept draft is there in the first picture of the field, and signing out leaves none to the next person', async () => {
  const page = await openChat()
  await composer(page).fill('只给我自己')
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
  await expect(composer(page)).toHaveValue('只给我自己')
  const seen = await page.evaluate(() => (window as Window & { seen?: string[] }).seen ?? [])
  expect([...new Set(seen)]).toEqual(['只给我自己'])

  await page.getByRole('button', { name: /的账户菜单$/ }).click()
  await page.getByRole('menuitem', { name: shellText.logout }).click()
  await expect(page.getByRole('link', { name: shellText.login }).first()).toBeVisible()
  await page.goto(`${world.url}/chat`)
  await expect(composer(page)).toBeFocused()
  await expect(composer(page)).toHaveValue('')
  const stored = () => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])
  expect(await page.evaluate(stored)).not.toContain('只给我')
})

test('a long paste is held beside what was typed, in its conversation and over a reload, can be looked at and removed, and is sent whole', async () => {
  const LINES = 4_000
  const pasted = Array.from({ length: LINES }, (_, n) => `行 ${n}`).join('\n')
  const page = await openChat()
  const chip = page.getByRole('button', { name: pasteText.chip(LINES) })
  const expectPaste = async (typed: string) => {
    await expect(chip).toBeVisible()
    await expect(composer(page)).toHaveValue(typed)
  }
  await ask(page, '第一个会话')
  await expectAnswer(page, '收到。')
  await page.evaluate((words) => navigator.clipboard.writeText(words), pasted)
  await composer(page).focus()
  await page.keyboard.press('Control+V')
  await expectPaste('')
  await chip.click()
  await expect(page.getByRole('dialog', { name: pasteText.chip(LINES) })).toContainText('行 3')
  await page.keyboard.press('Escape')
  await button(page, pasteText.remove).click()
  await expect(chip).toHaveCount(0)
  await expect(composer(page)).toBeFocused()

  await composer(page).fill('总结：')
  await page.keyboard.press('Control+V')
  await expectPaste('总结：')
  await startNewChat(page)
  await expect(chip).toHaveCount(0)
  await expect(composer(page)).toHaveValue('')
  await openSession(page, '第一个会话')
  await expectPaste('总结：')
  await page.reload()
  await expectPaste('总结：')
  await button(page, chatText.send).click()
  await expect(answers(page)).toHaveCount(2)
  await expectAnswer(page, '收到。')
  await expect(chip).toHaveCount(0)
  const body = world.upstream.requests.at(-1)?.body as { messages?: unknown } | undefined
  expect(getQuestion(body?.messages)).toBe(`总结：\n\n${pasted}`)
  const asked = questions(page).last()
  await expect(asked).toContainText('总结：')
  await expect(asked).not.toContainText(`行 ${LINES - 1}`)
  await asked.getByRole('button', { name: pasteText.more(LINES + 2), exact: true }).click()
  await expect(asked).toContainText(`行 ${LINES - 1}`)
  await page.reload()
  await expect(answers(page)).toHaveCount(2)
  await expect(chip).toHaveCount(0)
  await expect(composer(page)).toHaveValue('')
})
