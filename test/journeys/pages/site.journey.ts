import { describe, test } from 'vitest'
import { rewardInviters } from '#server/credit/invite-rewards.ts'
import { sharesText } from '#web/text/shares.ts'
import { homeText } from '#web/text/site/home.ts'
import { partnerText } from '#web/text/site/partner.ts'
import { processingText } from '#web/text/site/processing.ts'
import { serviceText } from '#web/text/site/service.ts'
import { findAccessibilityViolations } from '../../world/browser.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { signIn } from '../../world/sign-in.ts'
import { answers, expect, expectAnswer, expectNotice, questions } from '../screen/chat-screen.ts'

const world = useBrowserWorld({ INVITE_COINS: '100', CONTACT: 'help@wenqu.example' })

test('on Home a guest asks at once, sees the answer there, and goes on in the chat', async () => {
  world.upstream.script('scripted', { text: '活水就是流动的水。' })
  const page = await world.visit('/')
  const [question = ''] = homeText.demoQuestions
  await page.getByRole('button', { name: question }).click()
  const demo = page.getByRole('region', { name: homeText.demo })
  await expectAnswer(page, '活水就是流动的水。')
  await expect(demo.getByText(question)).toBeVisible()
  expect(await findAccessibilityViolations(page)).toEqual([])
  await page.getByRole('link', { name: homeText.demoMore }).click()
  await expect(page).toHaveURL(/\/chat\?sess_id=/)
  await expect(questions(page)).toHaveText(question)
  await expect(answers(page)).toContainText('活水就是流动的水。')
})

test('Home tells prices, and its own question is written where the example was', async () => {
  const page = await world.visit('/')
  const prices = page.getByRole('table', { name: homeText.prices.label })
  await expect(prices.getByRole('link').first()).toBeVisible()
  await page.getByRole('button', { name: homeText.demoOwn }).click()
  const demo = page.getByRole('region', { name: homeText.demo })
  await expect(demo.getByText(homeText.demoEmpty)).toBeVisible()
  await expect(demo.getByRole('textbox')).toBeFocused()
})

test('a person copies the own link, and reads what it earned', async () => {
  const client = await world.user()
  const { invite_url } = await client.call('GET /api/user/info', {})
  const invited = world.visitor()
  const { pathname, search } = new URL(invite_url)
  await invited.fetch(pathname + search)
  await signIn(invited, 'invited@example.com', world.data_dir)
  const page = await world.visit('/partner', { client })
  const figures = page.getByRole('region', { name: partnerText.figures })
  await expect(figures.getByRole('definition')).toHaveText(['1 人', '0 人', '0.00 金币'])
  await expect(figures.getByRole('listitem')).toContainText(partnerText.waiting)
  await expectNotice(page, sharesText.copied, () =>
    page.getByRole('button', { name: partnerText.copy, exact: true }).click(),
  )
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(invite_url)

  const { id } = await invited.call('POST /api/credit/orders', { body: { plan_id: 'coins-10' } })
  await invited.call('POST /api/credit/sandbox/pay', { body: { order_id: id } })
  await rewardInviters(world.db(), 100)
  await page.reload()
  await expect(figures.getByRole('definition')).toHaveText(['1 人', '1 人', '100.00 金币'])
  await expect(figures.getByRole('listitem')).toContainText(partnerText.paid)
})

test('terms, privacy and charging can be read, and the operator be reached', async () => {
  const page = await world.visit('/service')
  for (const { title } of serviceText.sections) {
    await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible()
  }
  await expect(page.getByText('help@wenqu.example')).toBeVisible()
})

describe.each(['light', 'dark'] as const)('%s', (look) => {
  test('what is being prepared says so, and goes on by itself once it is ready', async () => {
    const page = await world.visit('/service', { look, expectedErrors: /status of 503/ })
    let isReady = false
    await page.route('**/readyz', (route) => (isReady ? route.continue() : route.fulfill({ status: 503 })))
    await page.goto(new URL('/102?redirect_to=/docs/charging', world.url).href)
    await expect(page.getByText(processingText.waiting)).toBeVisible()
    expect(await findAccessibilityViolations(page)).toEqual([])
    isReady = true
    await expect(page).toHaveURL(/\/docs\/charging$/)
  })
})

test('what was prepared leads to no other site', async () => {
  const page = await world.visit('/102?redirect_to=//evil.example/')
  await expect(page.getByRole('heading', { name: homeText.heading })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/')
})
