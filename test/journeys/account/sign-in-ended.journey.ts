import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { errors } from '#contract/errors.ts'
import { attachmentsText } from '#web/text/attachments.ts'
import { chatText } from '#web/text/chat.ts'
import { shellText } from '#web/text/shell.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { answers, ask, button, composer, expect, expectAnswer, questions } from '../screen/chat-screen.ts'
import { signInOnAnotherTab, signInOnPage } from './sign-in-screen.ts'

const world = useBrowserWorld()
const expectedErrors = /status of 401|status of 404.*\/api\/(block\/md5|chat\/messages)/s

const chips = (page: Page) =>
  page.getByRole('list', { name: attachmentsText.attachments }).getByRole('listitem')
/** Returns the links of a page that lead back to a path over a sign-in. */
const signInLink = (page: Page, path: string) =>
  page.getByRole('main').locator(`a[href="/login?redirect_to=${encodeURIComponent(path)}"]`)
const notice = (page: Page) => page.getByRole('alert').filter({ hasText: shellText.signInEnded })

async function attachPoem(page: Page): Promise<void> {
  const file = { name: '观书有感.md', mimeType: '', buffer: Buffer.from('# 其一\n\n半亩方塘一鉴开。') }
  await page.locator('main input[type=file]').setInputFiles(file)
  await expect(chips(page)).toContainText(/已就绪/)
}

test('whose sign-in ends while they write is told so and asks in the same conversation, with the same file, once they are back', async () => {
  const email = 'returning@example.com'
  const client = await world.user(email)
  world.upstream.script('scripted', { text: '收到。' })
  const page = await world.visit('/chat', { client, expectedErrors })
  await ask(page, '第一问')
  await expectAnswer(page, '收到。')
  const conversation = page.url().slice(world.url.length)
  await composer(page).fill('第二问')
  await attachPoem(page)
  await client.call('POST /logout', {})
  await page.keyboard.press('Enter')
  await expect(answers(page).last().getByRole('alert')).toContainText(errors.login_expired.message)
  await expect(notice(page)).toBeVisible()
  await expect(questions(page)).toHaveText(['第一问', '第二问'])
  await composer(page).fill('还想补充')

  // A signed-out person is asked to sign in; the other person's draft stays hidden.
  await page.reload()
  await expect(page.getByText(chatText.signInToSeeHint)).toBeVisible()
  await expect(composer(page)).toHaveValue('')
  await expect(chips(page)).toHaveCount(0)
  await expect(signInLink(page, conversation)).toBeVisible()
  await notice(page).getByRole('link').click()
  await signInOnPage(world, page, email)
  await page.waitForURL(world.url + conversation)
  await expect(composer(page)).toHaveValue('第二问\n\n还想补充')
  await expect(chips(page)).toContainText('观书有感.md')
  await expect(notice(page)).toHaveCount(0)
  await button(page, chatText.send).click()
  await expect(questions(page)).toHaveCount(2)
  await expect(answers(page)).toHaveText([/收到。/, /收到。/])
  expect(page.url()).toBe(world.url + conversation)
})

test('where another person signs in in the same browser, a page of the first acts for neither; one whose person is signed in no more asks nothing as a guest; nothing of theirs comes to the next person', async () => {
  world.upstream.script('scripted', { text: '收到。' })
  const page = await world.visit('/chat', { client: await world.user(), expectedErrors })
  await ask(page, '第一个人的问题')
  await expectAnswer(page, '收到。')
  const second = await world.user()
  await signInOnAnotherTab(page, second)
  const asked = world.upstream.requests.length
  await ask(page, '第一个人的下一问')
  await expect(notice(page)).toBeVisible()
  await composer(page).fill('第一个人的草稿')
  await page.getByRole('link', { name: shellText.newChat, exact: true }).click()
  await expect(notice(page)).toHaveCount(0)
  await expect(composer(page)).toHaveValue('')
  await expect(page.getByText('第一个人')).toHaveCount(0)
  expect((await second.call('GET /api/chat/sessions', {})).items).toEqual([])

  await composer(page).fill('只给我自己')
  await page.context().clearCookies()
  await button(page, chatText.send).click()
  await expect(notice(page)).toBeVisible()
  expect(await page.context().cookies()).toEqual([])
  expect(world.upstream.requests.length).toBe(asked)

  await signInOnAnotherTab(page, await world.user())
  await page.getByRole('link', { name: shellText.newChat, exact: true }).click()
  await expect(notice(page)).toHaveCount(0)
  await expect(composer(page)).toHaveValue('')
  const stored = () => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])
  expect(await page.evaluate(stored)).not.toMatch(/只给我|第一个人/)
})

test('a link to a comparison, an agent or a task of a person asks a guest to sign in for it', async () => {
  const client = await world.user()
  const { sess_id } = await client.ask('只给自己看')
  const { uuid } = await client.call('POST /api/agent', { body: { name: '私有的智能体' } })
  const paths = [`/compare?sess_id=${sess_id}`, `/chat/agent/${uuid}`, `/fanyi?task=${uuid}`]
  const guest = await world.visit(paths[0]!, { expectedErrors: /status of 404/ })
  await expect(signInLink(guest, paths[0]!)).toBeVisible()
  for (const path of paths.slice(1)) {
    await guest.goto(`${world.url}${path}`)
    await expect(signInLink(guest, path)).toBeVisible()
  }
})
