import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { creditText } from '#web/text/credit/credit.ts'
import { messagesText } from '#web/text/messages.ts'
import { documentsText } from '#web/text/translate/documents.ts'
import { translateText } from '#web/text/translate/text.ts'
import { makeDocx, replyWith, toChinese } from '../../translate/document.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { modelNames } from '../../world/real-names.ts'
import { signInOnAnotherTab } from '../account/sign-in-screen.ts'
import { answers, ask, button, expect, expectAnswer, questions } from '../screen/chat-screen.ts'

const world = useBrowserWorld({ SIGNUP_COINS: '1' })

const account = (page: Page) => page.getByRole('button', { name: /的账户菜单$/ })
const code = (page: Page) => page.getByRole('img', { name: creditText.code })

test('plans are shown to everybody; one is bought by a code, cancelled and again, and every open tab knows of it', async () => {
  const page = await world.visit('/credit')
  await expect(page.getByRole('radio', { name: creditText.choose('1000 金币', '10.00') })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: creditText.signIn })).toHaveAttribute(
    'href',
    '/login?redirect_to=%2Fcredit',
  )
  await signInOnAnotherTab(page, await world.user())
  await page.reload()
  const other = await page.context().newPage()
  await other.goto(`${world.url}/models`)
  await expect(account(other)).toContainText('1.00 金币')

  await page.getByRole('radio', { name: creditText.choose('5000 金币', '50.00') }).check({ force: true })
  await button(page, creditText.buy).click()
  await expect(code(page)).toBeVisible()
  await button(page, creditText.cancel).click()
  await expect(page.getByText(creditText.ended.cancelled)).toBeVisible()
  await button(page, creditText.again).click()
  await expect(code(page)).toBeVisible()
  await button(page, creditText.sandboxPay).click()
  await expect(page.getByRole('status').getByText(creditText.paidCoins('5,000.00'))).toBeVisible()
  await expect(account(other)).toContainText('5,001.00 金币')
  await button(page, creditText.done).click()
  await expect(page.getByText(creditText.balance('5,001.00'))).toBeVisible()

  await button(page, creditText.types.membership).click()
  await button(page, creditText.buy).click()
  await button(page, creditText.sandboxPay).click()
  await expect(page.getByText(creditText.paidLevel('极客会员'))).toBeVisible()
  await expect(account(other)).toContainText('极客会员')
})

test('a question that lacks coins leads to the plans, and is asked when the coins are there', async () => {
  const client = await world.user()
  const page = await world.visit('/chat?model=scripted-paid', { client, expectedErrors: /status of 402/ })
  await expect(page.getByRole('button', { name: modelNames['scripted-paid'] })).toBeVisible()
  await ask(page, '问渠那得清如许？'.repeat(1000))
  const recharge = answers(page).getByRole('link', { name: messagesText.recharge })
  await recharge.click()
  await expect(page.getByText(/这个问题至少需要 \d+\.\d\d 金币/)).toBeVisible()
  world.upstream.script('scripted-paid', { text: '为有源头活水来。' })
  await button(page, creditText.buy).click()
  await button(page, creditText.sandboxPay).click()
  await button(page, creditText.back).click()
  await expectAnswer(page, '为有源头活水来。')
  await expect(questions(page)).toHaveCount(1)
})

test('a document that lacks coins leads to the plans, and is translated when the coins are there', async () => {
  const client = await world.user()
  await client.call('PUT /api/user/model', { body: { model: 'flat' } })
  world.upstream.script('flat', { text: '好。' })
  await client.ask('这一问用完金币', { model: 'flat' })
  const page = await world.visit('/fanyi', { client, expectedErrors: /status of 404.*\/api\/block\/md5/s })
  await page.getByRole('link', { name: translateText.modeNames.file }).click()
  await page
    .locator('main input[type=file]')
    .setInputFiles({ name: '书.docx', mimeType: '', buffer: makeDocx(['The river runs on.']) })
  const link = page.getByRole('main').getByRole('link', { name: translateText.recharge })
  await expect(link).toBeVisible()
  world.upstream.script('flat', { reply: replyWith(toChinese) })
  await link.click()
  await button(page, creditText.buy).click()
  await button(page, creditText.sandboxPay).click()
  await button(page, creditText.back).click()
  await expect(page).toHaveURL(/\/fanyi\?task=/)
  await expect(page.getByText(documentsText.state.done)).toBeVisible()
})
