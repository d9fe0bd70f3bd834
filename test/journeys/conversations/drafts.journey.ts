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
  pageLabel,
  questions,
} from '../screen/chat-screen.ts'
import { getQuestion } from '../../world/upstream/script.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()

const startNewChat = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: shellText.newChat, exact: true }).click()
  // The field of the conversation before may be as empty as the new one.
  await expect(questions(page)).toHaveCount(0)
}
const openSession = (page: Page, title: string) =>
  page.getByRole('link', { name: title, exact: true }).click()
const openPage = (page: Page, name: 'Chat' | 'Compare') =>
  page
    .getByRole('navigation', { name: shellText.mainNav })
    .getByRole('link', { name: pageLabel(name, 'sidebar'), exact: true })
    .click()

/** From the next load on, the page records the texts of the composer in its first frames. */
const recordField = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const seen: string[] = []
    const look = () => {
      const field = document.querySelector('textarea')
      if (field) seen.push(field.value)
      if (seen.length < 40) requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    ;(window as Window & { seen?: string[] }).seen = seen
  })

test('each conversation, a new one too, and a comparison keep the words, the files and the long paste that were not sent, over a reload, from the first picture of the field on; a paste can be looked at and removed, and is sent whole; what was sent or deleted is no draft any more; what is written while the first question is on its way goes with its conversation, and signing out leaves nothing to the next person', async () => {
  const LINES = 420
  const pasted = Array.from({ length: LINES }, (_, n) => `行 ${n}`).join('\n')
  const client = await world.user()
  world.upstream.script('scripted', { text: '收到。' })
  await client.ask('旧会话')
  // Lists are read again while the person signs out.
  const expectedErrors = /status of 404.*\/api\/block\/|status of 401.*\/api\/(chat|notifications)\//s
  const page = await world.visit('/compare', { client, expectedErrors })
  const paste = page.getByRole('button', { name: pasteText.chip(LINES) })
  const expectDraft = async (text: string, files: string[], isPasted = false) => {
    await expect(composer(page)).toHaveValue(text)
    const chips = page.getByRole('list', { name: attachmentsText.attachments }).getByRole('link')
    await expect(chips).toHaveText(files)
    await expect(paste).toHaveCount(isPasted ? 1 : 0)
  }
  const attach = (name: string) =>
    page
      .locator('main input[type=file]')
      .setInputFiles({ name, mimeType: '', buffer: Buffer.from(`# ${name}\n\n半亩方塘一鉴开。`) })
  await attach('甲.md')
  await expectDraft('', ['甲.md'])

  await openPage(page, 'Chat')
  await openSession(page, '旧会话')
  await expectAnswer(page, '收到。')
  await page.evaluate((words) => navigator.clipboard.writeText(words), pasted)
  await composer(page).focus()
  await page.keyboard.press('Control+V')
  await expectDraft('', [], true)
  await paste.click()
  await expect(page.getByRole('dialog', { name: pasteText.chip(LINES) })).toContainText('行 3')
  await page.keyboard.press('Escape')
  await button(page, pasteText.remove).click()
  await expectDraft('', [])
  await expect(composer(page)).toBeFocused()
  await composer(page).fill('总结：')
  await page.keyboard.press('Control+V')
  await attach('甲.md')
  await expectDraft('总结：', ['甲.md'], true)

  await startNewChat(page)
  await expectDraft('', [])
  await composer(page).fill('看看这两份\n第二行')
  await attach('甲.md')
  await expectDraft('看看这两份\n第二行', ['甲.md'])
  await attach('乙.md')
  await expectDraft('看看这两份\n第二行', ['甲.md', '乙.md'])
  await openSession(page, '旧会话')
  await expectDraft('总结：', ['甲.md'], true)
  await startNewChat(page)
  await expectDraft('看看这两份\n第二行', ['甲.md', '乙.md'])

  const { items } = await client.call('GET /api/blocks', { query: {} })
  const block = items.find(({ name }) => name === '乙.md')!
  await client.call('DELETE /api/block/{id}', { params: { id: block.id } })
  await recordField(page)
  await page.reload()
  await expectDraft('看看这两份\n第二行', ['甲.md'])
  const seen = await page.evaluate(() => (window as Window & { seen?: string[] }).seen ?? [])
  expect([...new Set(seen)]).toEqual(['看看这两份\n第二行'])
  await button(page, chatText.send).click()
  await expectAnswer(page, '收到。')
  await expect(questions(page)).toHaveText(['看看这两份\n第二行'])
  await openSession(page, '旧会话')
  await expectDraft('总结：', ['甲.md'], true)
  await button(page, chatText.send).click()
  await expect(answers(page)).toHaveCount(2)
  await expectAnswer(page, '收到。')
  const body = world.upstream.requests.at(-1)?.body as { messages?: unknown } | undefined
  expect(getQuestion(body?.messages)).toContain(`总结：\n\n${pasted}`)
  const asked = questions(page).last()
  await expect(asked).toContainText('总结：')
  await expect(asked).not.toContainText(`行 ${LINES - 1}`)
  await asked.getByRole('button', { name: pasteText.more(LINES + 2), exact: true }).click()
  await expect(asked).toContainText(`行 ${LINES - 1}`)

  await startNewChat(page)
  await expectDraft('', [])
  const release = await holdSession(page)
  await ask(page, '先问这个')
  await composer(page).pressSequentially('接着想问')
  release()
  await expectAnswer(page, '收到。')
  await expect(composer(page)).toHaveValue('接着想问')
  await openPage(page, 'Compare')
  await expectDraft('', ['甲.md'])
  await openPage(page, 'Chat')
  await expectDraft('', [])
  await openSession(page, '先问这个')
  await expect(composer(page)).toHaveValue('接着想问')

  await page.getByRole('button', { name: /的账户菜单$/ }).click()
  await page.getByRole('menuitem', { name: shellText.logout }).click()
  await expect(page.getByRole('link', { name: shellText.login }).first()).toBeVisible()
  await openPage(page, 'Chat')
  await expect(composer(page)).toBeFocused()
  await expect(composer(page)).toHaveValue('')
  const stored = () => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])
  expect(await page.evaluate(stored)).not.toContain('接着想问')
})
