import { beforeAll, describe, test } from 'vitest'
import type { Locator, Page } from '@playwright/test'
import { parseCallKey } from '#contract/call.ts'
import type { CallKey } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { gatewayCallList } from '#contract/gateway/calls.ts'
import { pages, type PageDefinition } from '#contract/pages.ts'
import { readOutbox } from '#server/core/mail.ts'
import { docsText } from '#web/text/docs/reference.ts'
import { samplesText } from '#web/text/docs/samples.ts'
import { homeText } from '#web/text/site/home.ts'
import { modelsText } from '#web/text/models.ts'
import { settingText } from '#web/text/setting.ts'
import { shellText } from '#web/text/shell.ts'
import { uiText } from '#web/text/ui.ts'
import { button, composer, expect, pageLabel, waitForIdle } from '../screen/chat-screen.ts'
import { upload } from '../../files/upload.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import type { Client } from '../../world/client.ts'

const world = useBrowserWorld()

/** A visit of the app within the page, as a click on a link makes it. */
const isInertiaVisit = (headers: Record<string, string>): boolean => headers['x-inertia'] === 'true'
const docsLink = (page: Page) => page.getByRole('link', { name: homeText.api.reference })

/** Notes something that a full visit forgets. */
const markDocument = (page: Page) =>
  page.evaluate(() => document.documentElement.setAttribute('data-mark', ''))
const getMarkedDocument = (page: Page) => page.locator('html[data-mark]')

test('an address that does not exist says so and leads back', async () => {
  const page = await world.visit('/no/such/page', { expectedErrors: /status of 404/ })
  await expect(page.getByRole('heading', { name: shellText.notFound.title })).toBeVisible()
  await page.getByRole('link', { name: shellText.notFound.chat }).click()
  await expect(composer(page)).toBeVisible()
})

/** The links within the site, and the anchors of the page that are nowhere on it. */
const readLinks = (page: Page) =>
  page.locator('a[href]').evaluateAll((links) => {
    const hrefs = links.map((link) => link.getAttribute('href')!)
    const isMissing = (href: string) => !document.getElementById(decodeURIComponent(href.slice(1)))
    return {
      within: hrefs.filter((href) => /^\/(?!\/)/.test(href)).map((href) => href.split('#')[0]!),
      broken: hrefs.filter((href) => /^#./.test(href) && isMissing(href)),
    }
  })

describe('every page is shown, leads on and back, and is punctuated in Chinese', () => {
  /** Where the pages lead. */
  const links = new Set<string>()
  const paths = Object.values<PageDefinition>(pages).flatMap((page) => page.paths)
  let client: Client
  beforeAll(async () => {
    client = await world.user()
  })
  test.each(paths)('%s', async (path) => {
    let id = ''
    if (path === '/block/{id}') {
      id = (await upload(world, client, { name: '渠.md', content: '活水' })).id
    } else if (path.includes('agent/{id}') || path === '/widget/{id}') {
      // The widget's page, outside of a frame, leads to the agent's.
      id = (await client.call('POST /api/agent', { body: { name: '渠' } })).uuid
    } else if (path.includes('{token}')) {
      const { uuid } = await client.call('POST /api/organization', { body: { name: '渠' } })
      const [params, body] = [{ id: uuid }, { emails: ['refuses@example.com'] }]
      await client.call('POST /api/organization/{id}/members/invite', { params, body })
      const [mail] = await readOutbox(world.data_dir, 1)
      id = new URL(mail!.unsubscribe_url!).pathname.split('/').at(-1)!
    } else if (path.includes('{id}')) {
      const { sess_id } = await client.ask('分享这个会话')
      const query = { chatbot: 'dati', sess_id } as const
      id = (await client.call('GET /api/chat/session/link', { query })).share.id
    }
    const page = await world.visit(path.replace('{model}', 'scripted').replace(/\{(id|token)\}/, id), {
      client,
    })
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('heading', { name: shellText.notFound.title })).toBeHidden()
    // It goes on by itself, to where nothing is being prepared any more.
    if (path === '/102') return
    const { within, broken } = await readLinks(page)
    expect(broken).toEqual([])
    expect(within.some((href) => ['/', '/chat'].includes(href) || href.startsWith('/chat/agent/'))).toBe(true)
    for (const href of within) links.add(href)
    expect(await page.locator('body').innerText()).not.toMatch(/\p{Script=Han}[,;:!?]\p{Script=Han}/u)
  })

  test('no link leads nowhere', async () => {
    expect(links.size).toBeGreaterThan(20)
    const dead: string[] = []
    for (const href of links) {
      const response = await client.fetch(href, { headers: { Accept: 'text/html' } })
      await response.body?.cancel()
      if (!response.ok) dead.push(`${response.status} ${href}`)
    }
    expect(dead).toEqual([])
  })
})

describe('the API reference', () => {
  const ofFeatures = Object.values(calls).flatMap((feature) => Object.keys(feature) as CallKey[])
  const ofGateway = gatewayCallList.map(({ method, url }) => ({ method, path: url }))
  const expected = [...ofFeatures.map(parseCallKey), ...ofGateway]

  test('finds every call of the contract, and leads to where it is described', async () => {
    const page = await world.visit('/docs/api')
    await expect(page.getByText(docsText.count(expected.length))).toBeVisible()
    const search = page.getByLabel(docsText.search)
    await search.fill('/')
    const results = page.getByRole('list', { name: docsText.results })
    await expect(results.getByRole('listitem')).toHaveCount(expected.length)
    const shown = await results.getByRole('code').allTextContents()
    expect(shown.toSorted()).toEqual(expected.map(({ path }) => path).toSorted())
    await search.fill('session switch')
    await expect(results.getByRole('listitem')).toHaveCount(1)
    await results.getByRole('link').click()
    const heading = page.getByRole('heading', { level: 3, name: '/api/chat/session/switch' })
    await expect(heading).toBeInViewport()
    await expect(results).toHaveCount(0)
  })

  test('has a page for each group, and an example of every answer', async () => {
    const page = await world.visit('/docs/api?group=keys')
    const groups = page.getByRole('list', { name: docsText.groupsTitle })
    await expect(groups.getByRole('link', { name: docsText.groups.keys!, exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    )
    await expect(page.getByRole('heading', { level: 2, name: docsText.groups.keys! })).toBeVisible()
    const first = page.getByText(docsText.answer, { exact: true }).first()
    await first.click()
    await expect(page.getByLabel(docsText.exampleOf(docsText.answer)).first()).toContainText('"items": [')
    await groups.getByRole('link', { name: docsText.groups.glossary!, exact: true }).click()
    await expect(page.getByRole('heading', { level: 2, name: docsText.groups.glossary! })).toBeVisible()
    await expect(page.getByRole('heading', { level: 2, name: docsText.groups.keys! })).toHaveCount(0)
  })

  test('an anchor without a group leads to the call', async () => {
    const page = await world.visit('/docs/api#post-api-chat-session-switch')
    await expect(page.getByRole('heading', { level: 3, name: '/api/chat/session/switch' })).toBeInViewport()
  })

  test('stands beside the guide and the charging rule, on a phone in one row', async () => {
    const page = await world.visit('/docs/charging', { look: 'phone' })
    const list = page.getByRole('list', { name: docsText.pagesTitle })
    await expect(list.getByRole('link', { name: docsText.pages[2]!.label })).toHaveAttribute(
      'aria-current',
      'page',
    )
    await list.getByRole('link', { name: docsText.pages[1]!.label }).click()
    await expect(page.getByRole('heading', { level: 1, name: docsText.title })).toBeVisible()
    const choice = page.getByRole('combobox', { name: docsText.groupsTitle })
    await expect(choice).toBeVisible()
    // Each has a name of its own in Chinese.
    for (const group of await choice.getByRole('option').allTextContents())
      expect(group).toMatch(/^\p{Script=Han}+（\d+/u)
    await choice.selectOption('files')
    await expect(page.getByRole('heading', { level: 2, name: docsText.groups.files! })).toBeVisible()
  })
})

test('a page of an older version makes a full visit, once', async () => {
  const page = await world.visit('/', { expectedErrors: /status of 409/ })
  await markDocument(page)
  await page.route('**/docs/api', (route) => {
    const headers = route.request().headers()
    return route.continue(
      isInertiaVisit(headers) ? { headers: { ...headers, 'x-inertia-version': 'older' } } : {},
    )
  })
  await docsLink(page).click()
  await expect(page.getByRole('heading', { level: 1, name: docsText.title })).toBeVisible()
  await expect(getMarkedDocument(page)).toHaveCount(0)
  expect(new URL(page.url()).pathname).toBe('/docs/api')
})

test('a visit within the app keeps the page', async () => {
  const page = await world.visit('/')
  await markDocument(page)
  await docsLink(page).click()
  await expect(page.getByRole('heading', { level: 1, name: docsText.title })).toBeVisible()
  await expect(getMarkedDocument(page)).toHaveCount(1)
})

test('an answer that is no page is shown over the page, harmless, and can be closed', async () => {
  const page = await world.visit('/', { expectedErrors: /status of 502/, bypassCsp: true })
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
})

test('a visit without a network says so and leaves the page as it is', async () => {
  const page = await world.visit('/', { expectedErrors: /ERR_INTERNET_DISCONNECTED/ })
  // What tells the person comes after the first picture.
  await waitForIdle(page)
  await page.context().setOffline(true)
  await docsLink(page).click()
  await expect(page.getByText(shellText.pageFailed)).toBeVisible()
  await page.context().setOffline(false)
  await docsLink(page).click()
  await expect(page.getByRole('heading', { level: 1, name: docsText.title })).toBeVisible()
})

test('the order of platforms is chosen in the settings, kept, and confirmed for two seconds', async () => {
  const page = await world.visit('/profile/setting', { client: await world.user() })
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByLabel(settingText.providerSort).selectOption('price')
  await expect(page.getByText(settingText.saved)).toBeVisible()
  await page.clock.runFor(1_999)
  await expect(page.getByText(settingText.saved)).toBeVisible()
  await page.clock.runFor(1)
  await expect(page.getByText(settingText.saved)).toHaveCount(0)
  await page.reload()
  await expect(page.getByLabel(settingText.providerSort)).toHaveValue('price')
})

test('on a phone every page leads to every other, and to a new conversation', async () => {
  const page = await world.visit('/docs/charging', { look: 'phone' })
  await expect(page.getByRole('link', { name: shellText.newChat })).toBeVisible()
  await page.getByRole('button', { name: shellText.openNav }).click()
  const menu = page.getByRole('dialog', { name: shellText.navigation })
  await menu.getByRole('link', { name: pageLabel('GatewayGuide', 'platform'), exact: true }).click()
  await expect(menu).toBeHidden()
  await page.getByRole('button', { name: shellText.openNav }).click()
  await menu.getByRole('link', { name: pageLabel('ApiReference', 'api') }).click()
  await expect(page.getByRole('heading', { level: 1, name: docsText.title })).toBeVisible()
})

test('the page of a model teaches programs to call it at the gateway', async () => {
  const page = await world.visit('/models/twofold')
  await expect(page.getByRole('heading', { level: 1, name: '双源模型' })).toBeVisible()
  await expect(page.getByRole('tab')).toHaveText(Object.values(samplesText.tabs))
  const panel = page.getByRole('tabpanel')
  for (const tab of Object.values(samplesText.tabs)) {
    await page.getByRole('tab', { name: tab, exact: true }).click()
    await expect(panel).toContainText('twofold')
    await expect(panel).toContainText('/api')
    await expect(panel).not.toContainText('/api/chat')
  }
})

test('a title stands over its content on a wide screen', async () => {
  const page = await world.visit('/models')
  await page.setViewportSize({ width: 1920, height: 900 })
  const search = page.getByRole('searchbox', { name: modelsText.search })
  const getLeft = async (locator: Locator) => (await locator.boundingBox())?.x
  await expect(search).toBeVisible()
  const title = page.getByRole('heading', { level: 1 })
  await expect.poll(async () => (await getLeft(title))! - (await getLeft(search))!).toBe(0)
})
