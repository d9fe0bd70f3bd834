import { test } from 'vitest'
import type { Page } from '@playwright/test'
import { errors } from '#contract/errors.ts'
import { attachmentsText } from '#web/text/attachments.ts'
import { chatText } from '#web/text/chat.ts'
import type { Client } from '../../world/client.ts'
import { answers, ask, button, composer, expect, expectAnswer, questions } from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()
const FILE = {
  name: '2026年第三季度华东大区经销商库存盘点与回款情况说明（修订稿第4版）.txt',
  mimeType: 'text/plain',
  buffer: Buffer.from('杭州仓期末库存 128,456.78 元，已经与经销商核对。'),
}
const READY = /已就绪/
const QUESTION = '杭州仓的期末库存是多少？'

const files = (page: Page) => page.getByRole('list', { name: attachmentsText.attachments })

/** The browser is given somebody's cookie, as by signing in. */
async function signIn(page: Page, client: Client): Promise<void> {
  const cookies = (client.cookie ?? '').split('; ').map((pair) => {
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    return { name, value, url: world.url }
  })
  await page.context().addCookies(cookies)
}

/** A conversation with one answer, and the next question half written beside a file. */
async function writeWithFile(client: Client): Promise<Page> {
  world.upstream.script('scripted', { text: '您好。' })
  const page = await world.visit('/chat', { client, expectedErrors: /40[14]/ })
  await ask(page, '您好')
  await expectAnswer(page, '您好。')
  await page.locator('input[type=file]').first().setInputFiles(FILE)
  await expect(files(page)).toContainText(READY)
  await composer(page).fill(QUESTION)
  return page
}

test('a question and its files outlive a reload, and a sign-in that ends while it is written', async () => {
  const client = await world.user()
  const page = await writeWithFile(client)
  await page.waitForTimeout(400)
  await page.reload()
  await expect(composer(page)).toHaveValue(QUESTION)
  await expect(files(page).getByRole('listitem')).toHaveText([new RegExp(FILE.name.slice(0, 20))])
  await expect(files(page)).toContainText(READY)

  const address = page.url()
  await page.context().clearCookies()
  await composer(page).press('Enter')
  await expect(answers(page).last()).toContainText(errors.login_expired.message)
  const asked = world.upstream.requests.length
  await answers(page).last().getByRole('link', { name: chatText.signIn }).click()
  await expect(page).toHaveURL(/login/)

  // Who is nobody is told to sign in, and does not get the question.
  await page.goto(address)
  await expect(page.getByText(chatText.signInToRead)).toBeVisible()
  await expect(page.getByText(QUESTION)).toHaveCount(0)

  await signIn(page, client)
  await page.goto(address)
  await expect(composer(page)).toHaveValue(QUESTION)
  await expect(files(page)).toContainText(READY)
  world.upstream.script('scripted', { text: '128,456.78 元。' })
  await button(page, chatText.send).click()
  await expectAnswer(page, '128,456.78 元。')
  await expect(questions(page)).toHaveCount(2)
  expect(page.url()).toBe(address)
  expect(world.upstream.requests.length).toBeGreaterThan(asked)
  await expect(files(page)).toHaveCount(0)
})

test('a question is not asked as a guest, nor shown to another person who signs in', async () => {
  const page = await writeWithFile(await world.user())
  await page.getByRole('link', { name: chatText.newSession }).first().click()
  await expect(questions(page)).toHaveCount(0)
  await composer(page).fill(QUESTION)
  await page.context().clearCookies()
  const asked = world.upstream.requests.length
  await composer(page).press('Enter')
  await expect(answers(page).last()).toContainText(errors.login_expired.message)
  expect(world.upstream.requests).toHaveLength(asked)

  await signIn(page, await world.user())
  await page.goto(`${world.url}/chat`)
  await expect(composer(page)).toHaveValue('')
  await expect(page.getByText(QUESTION)).toHaveCount(0)
})
