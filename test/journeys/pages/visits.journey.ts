import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { chargingText } from '#web/text/docs/charging.ts'
import { homeText } from '#web/text/site/home.ts'
import { processingText } from '#web/text/site/processing.ts'
import { shellText } from '#web/text/shell.ts'
import { uiText } from '#web/text/ui.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { answers, button, expect, expectAnswer, questions, waitForIdle } from '../screen/chat-screen.ts'

const world = useBrowserWorld()

/** Tells whether a request is a visit within the page, as a click on a link makes it. */
const isInertiaVisit = (headers: Record<string, string>): boolean => headers['x-inertia'] === 'true'
const chargingLink = (page: Page) => page.getByRole('link', { name: homeText.prices.charging }).first()
const chargingTitle = (page: Page) => page.getByRole('heading', { level: 1, name: chargingText.title })
const homeTitle = (page: Page) => page.getByRole('heading', { name: homeText.heading })

/** Leaves a mark that a full visit removes. */
const markDocument = (page: Page) =>
  page.evaluate(() => document.documentElement.setAttribute('data-mark', ''))
const getMarkedDocument = (page: Page) => page.locator('html[data-mark]')

test('what is being prepared goes on to no other site; a visit within the app keeps the page; what is no page, or no network, leaves it, and a new version makes a full visit', async () => {
  const page = await world.visit('/102?redirect_to=//evil.example/', {
    expectedErrors: /status of (409|502)|ERR_INTERNET_DISCONNECTED/,
    bypassCsp: true,
  })
  await expect(homeTitle(page)).toBeVisible()
  expect(page.url()).toBe(`${world.url}/`)
  await markDocument(page)
  // The message to the person comes after the first picture.
  await waitForIdle(page)
  const body =
    '<h1>Bad gateway</h1><script>document.title = "ran"</script><img src=x onerror="document.title=1">'
  const charging = '**/docs/charging'
  await page.route(charging, (route) => route.fulfill({ status: 502, contentType: 'text/html', body }))
  await chargingLink(page).click()
  const overlay = page.getByRole('dialog', { name: shellText.overlayTitle })
  await expect(overlay).toContainText('Bad gateway')
  await expect(overlay).toContainText(shellText.overlayHint(502))
  await button(page, uiText.close).click()
  await expect(overlay).toBeHidden()
  await expect(homeTitle(page)).toBeVisible()
  await expect(page).toHaveTitle(`${homeText.title} · ${shellText.brand}`)
  await page.unroute(charging)

  await page.context().setOffline(true)
  await chargingLink(page).click()
  await expect(page.getByText(shellText.pageFailed)).toBeVisible()
  await page.context().setOffline(false)
  await chargingLink(page).click()
  await expect(chargingTitle(page)).toBeVisible()
  await expect(getMarkedDocument(page)).toHaveCount(1)

  await page.goBack()
  await page.route(charging, (route) => {
    const headers = route.request().headers()
    return route.continue(
      isInertiaVisit(headers) ? { headers: { ...headers, 'x-inertia-version': 'older' } } : {},
    )
  })
  await chargingLink(page).click()
  await expect(chargingTitle(page)).toBeVisible()
  await expect(getMarkedDocument(page)).toHaveCount(0)
  expect(new URL(page.url()).pathname).toBe('/docs/charging')
})

test('what is being prepared says so, and goes on by itself; an address that does not exist leads back to Home, which tells prices; a guest asks there at once, in words of their own or not, and goes on in the chat', async () => {
  world.upstream.script('scripted', { text: '活水就是流动的水。' })
  const page = await world.visit('/healthz', { expectedErrors: /status of (404|503)/ })
  let isReady = false
  await page.route('**/readyz', (route) => (isReady ? route.continue() : route.fulfill({ status: 503 })))
  await page.goto(`${world.url}/102?redirect_to=/no/such/page?at=1`)
  await expect(page.getByText(processingText.waiting)).toBeVisible()
  isReady = true
  await expect(page.getByRole('heading', { name: shellText.notFound.title })).toBeVisible()
  await expect(page).toHaveURL(/\/no\/such\/page\?at=1$/)
  await expect(page.getByRole('link', { name: shellText.notFound.chat })).toHaveAttribute('href', '/chat')
  await page.getByRole('link', { name: shellText.notFound.home }).click()

  const prices = page.getByRole('table', { name: homeText.prices.label })
  await expect(prices.getByRole('link').first()).toBeVisible()
  const demo = page.getByRole('region', { name: homeText.demo })
  const [question = ''] = homeText.demoQuestions
  await page.getByRole('button', { name: question }).click()
  await expectAnswer(page, '活水就是流动的水。')
  await expect(demo.getByText(question)).toBeVisible()
  await page.getByRole('link', { name: homeText.demoMore }).click()
  await expect(page).toHaveURL(/\/chat\?sess_id=/)
  await expect(questions(page)).toHaveText([question])
  await expect(answers(page)).toContainText('活水就是流动的水。')

  await page.goBack()
  await page.getByRole('button', { name: homeText.demoOwn }).click()
  await expect(demo.getByText(homeText.demoEmpty)).toBeVisible()
  await expect(demo.getByRole('textbox')).toBeFocused()
})
