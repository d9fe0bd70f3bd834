import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { docsText } from '#web/text/docs/reference.ts'
import { homeText } from '#web/text/site/home.ts'
import { processingText } from '#web/text/site/processing.ts'
import { shellText } from '#web/text/shell.ts'
import { uiText } from '#web/text/ui.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import {
  answers,
  button,
  composer,
  expect,
  expectAnswer,
  questions,
  waitForIdle,
} from '../screen/chat-screen.ts'

const world = useBrowserWorld()

/** Tells whether a request is a visit within the page, as a click on a link makes it. */
const isInertiaVisit = (headers: Record<string, string>): boolean => headers['x-inertia'] === 'true'
const docsLink = (page: Page) => page.getByRole('link', { name: homeText.api.reference })
const docsTitle = (page: Page) => page.getByRole('heading', { level: 1, name: docsText.title })

/** Leaves a mark that a full visit removes. */
const markDocument = (page: Page) =>
  page.evaluate(() => document.documentElement.setAttribute('data-mark', ''))
const getMarkedDocument = (page: Page) => page.locator('html[data-mark]')

test('a visit within the app keeps the page; what is no page, or no network, leaves it, and a new version makes a full visit', async () => {
  const page = await world.visit('/', {
    isFirst: true,
    expectedErrors: /status of (409|502)|ERR_INTERNET_DISCONNECTED/,
    bypassCsp: true,
  })
  await markDocument(page)
  // The message to the person comes after the first picture.
  await waitForIdle(page)
  const body =
    '<h1>Bad gateway</h1><script>document.title = "ran"</script><img src=x onerror="document.title=1">'
  await page.route('**/docs/api', (route) => route.fulfill({ status: 502, contentType: 'text/html', body }))
  await docsLink(page).click()
  const overlay = page.getByRole('dialog', { name: shellText.overlayTitle })
  await expect(overlay).toContainText('Bad gateway')
  await expect(overlay).toContainText(shellText.overlayHint(502))
  await button(page, uiText.close).click()
  await expect(overlay).toBeHidden()
  await expect(page.getByRole('heading', { name: homeText.heading })).toBeVisible()
  await expect(page).toHaveTitle(`${homeText.title} · ${shellText.brand}`)
  await page.unroute('**/docs/api')

  await page.context().setOffline(true)
  await docsLink(page).click()
  await expect(page.getByText(shellText.pageFailed)).toBeVisible()
  await page.context().setOffline(false)
  await docsLink(page).click()
  await expect(docsTitle(page)).toBeVisible()
  await expect(getMarkedDocument(page)).toHaveCount(1)

  await page.goBack()
  await page.route('**/docs/api', (route) => {
    const headers = route.request().headers()
    return route.continue(
      isInertiaVisit(headers) ? { headers: { ...headers, 'x-inertia-version': 'older' } } : {},
    )
  })
  await docsLink(page).click()
  await expect(docsTitle(page)).toBeVisible()
  await expect(getMarkedDocument(page)).toHaveCount(0)
  expect(new URL(page.url()).pathname).toBe('/docs/api')
})

test('an address that does not exist leads back; what is being prepared says so, goes on by itself, and to no other site', async () => {
  const page = await world.visit('/no/such/page', { expectedErrors: /status of (404|503)/ })
  await expect(page.getByRole('heading', { name: shellText.notFound.title })).toBeVisible()
  await page.getByRole('link', { name: shellText.notFound.chat }).click()
  await expect(composer(page)).toBeVisible()

  let isReady = false
  await page.route('**/readyz', (route) => (isReady ? route.continue() : route.fulfill({ status: 503 })))
  await page.goto(`${world.url}/102?redirect_to=/docs/charging`)
  await expect(page.getByText(processingText.waiting)).toBeVisible()
  isReady = true
  await expect(page).toHaveURL(/\/docs\/charging$/)
  await page.goto(`${world.url}/102?redirect_to=//evil.example/`)
  await expect(page.getByRole('heading', { name: homeText.heading })).toBeVisible()
  expect(page.url()).toBe(`${world.url}/`)
})

test('Home tells prices; a guest asks there at once, in words of their own or not, and goes on in the chat', async () => {
  world.upstream.script('scripted', { text: '活水就是流动的水。' })
  const page = await world.visit('/')
  const prices = page.getByRole('table', { name: homeText.prices.label })
  await expect(prices.getByRole('link').first()).toBeVisible()
  await page.getByRole('button', { name: homeText.demoOwn }).click()
  const demo = page.getByRole('region', { name: homeText.demo })
  await expect(demo.getByText(homeText.demoEmpty)).toBeVisible()
  await expect(demo.getByRole('textbox')).toBeFocused()

  await page.reload()
  const [question = ''] = homeText.demoQuestions
  await page.getByRole('button', { name: question }).click()
  await expectAnswer(page, '活水就是流动的水。')
  await expect(demo.getByText(question)).toBeVisible()
  await page.getByRole('link', { name: homeText.demoMore }).click()
  await expect(page).toHaveURL(/\/chat\?sess_id=/)
  await expect(questions(page)).toHaveText(question)
  await expect(answers(page)).toContainText('活水就是流动的水。')
})
