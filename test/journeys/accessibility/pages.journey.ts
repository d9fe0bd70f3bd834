import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { pages, type PageDefinition, type PageName } from '#contract/pages.ts'
import { creditText } from '#web/text/credit/credit.ts'
import { statisticsText } from '#web/text/credit/statistics.ts'
import { docsText } from '#web/text/docs/reference.ts'
import { chatText } from '#web/text/chat.ts'
import { shellText } from '#web/text/shell.ts'
import { partnerText } from '#web/text/site/partner.ts'
import { processingText } from '#web/text/site/processing.ts'
import { webSearchText } from '#web/text/webSearch.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { createClient } from '../../world/client.ts'
import type { Client } from '../../world/client.ts'
import { modelNames } from '../../world/real-names.ts'
import { ENGINE_KEY, startSearchEngine } from '../../world/search-engine.ts'
import { answers, ask, button, expect } from '../screen/chat-screen.ts'
import { expectNoBarriersAnywhere, expectNoBarriersOnPhone, isNarrow } from './barriers.ts'
import { BETWEEN, expectControlsInReach, findMisplacedControls, NARROWEST, WIDEST } from './controls.ts'
import { createFullAccount } from './full-account.ts'
import { openPage } from './walk.ts'
import { findAccessibilityViolations } from './violations.ts'
import type { MeasuredLooks } from './violations.ts'

// The engine starts first, since the app needs its address.
const engine = await startSearchEngine('bocha')
// Every optional feature is on, to leave the least room.
const world = useBrowserWorld({
  SEARCH_PROVIDER: 'bocha',
  SEARCH_BASE_URL: engine.url,
  SEARCH_API_KEY: ENGINE_KEY,
})
afterAll(() => engine.close())

test('a violation of each kind is found, those of colours in the dark too', async () => {
  const page = await visitPlainPage()
  await plant(
    page,
    `<button id="nameless"></button><p id="pale" style="color: #888; background: #777">看不清</p>
    <p id="paler" style="color: light-dark(#000, #444); background: light-dark(#fff, #555)">夜里看不清</p>`,
  )
  const pale = expect.stringMatching(/^color-contrast: #pale: /)
  expect(await findAccessibilityViolations(page)).toEqual({
    light: [expect.stringMatching(/^button-name: #nameless: /), pale],
    dark: [pale, expect.stringMatching(/^color-contrast: #paler: /)],
  })
})

test('a look that was measured is not measured again; new contents, names, colours, layers and what a phone shows are checked', async () => {
  const page = await visitPlainPage()
  const buttons = Array.from({ length: 20 }, (_, n) => `<button id="b${n}">第${n}</button>`)
  await plant(page, `<div id="part">${buttons.join('')}</div>`)
  const measured: MeasuredLooks = new Map()
  const find = () => findAccessibilityViolations(page, measured)
  const none = { light: [], dark: [] }
  // Three elements of each look are measured.
  for (let nth = 0; nth < 3; nth++) expect(await find()).toEqual(none)
  const before = new Map(measured)
  expect(before.size).toBeGreaterThan(0)
  expect(await find()).toEqual(none)
  expect(measured).toEqual(before)

  /** Changes a part, expects these violations, twice since a violation is never known, and changes it back. */
  const expectFound = async (change: string, undo: string, light: RegExp[], dark = [] as RegExp[]) => {
    await page.evaluate(change)
    const found = {
      light: light.map((one) => expect.stringMatching(one)),
      dark: dark.map((one) => expect.stringMatching(one)),
    }
    expect(await find(), change).toEqual(found)
    expect(await find(), change).toEqual(found)
    await page.evaluate(undo)
    expect(await find(), undo).toEqual(none)
  }
  await expectFound('b3.textContent = ""', 'b3.textContent = "三"', [/^button-name: #b3: /])
  await expectFound('b3.ariaLabel = " "; b3.textContent = ""', 'b3.ariaLabel = "三"', [/^button-name: #b3: /])
  const pale = /^color-contrast: #b19: /
  const plain = 'b19.removeAttribute("style")'
  await expectFound('b19.style.color = "#888"; b19.style.background = "#777"', plain, [pale], [pale])
  await expectFound(
    'b19.style.color = "light-dark(#000, #444)"; b19.style.background = "light-dark(#fff, #555)"',
    plain,
    [],
    [pale],
  )
  await plant(page, `<dialog id="layer" aria-label="一">${'<p>一</p>'.repeat(20)}<input id="field"></dialog>`)
  await expectFound('layer.showModal()', 'layer.close()', [/^label: #field: /])
  await plant(page, '<style>@media (width > 400px) { #wide { display: none } }</style>')
  await plant(page, `<div>${'<p>一</p>'.repeat(20)}<div id="wide"><button id="small"></button></div></div>`)
  expect(await find()).toEqual(none)
  await page.setViewportSize(NARROWEST)
  const found = { light: [expect.stringMatching(/^button-name: #small: /)], dark: [] }
  expect(await findAccessibilityViolations(page, measured, { isForSize: true })).toEqual(found)
})

/** Opens a page without a fault that is dark as those of the app are. */
async function visitPlainPage(): Promise<Page> {
  const page = await world.visit('about:blank')
  await page.setContent(`<!doctype html><html lang="zh-CN"><meta name="viewport" content="width=device-width"><title>方塘</title>
    <style>:root { color-scheme: light; background: Canvas } .dark { color-scheme: dark }</style>
    <main><h1>方塘</h1><p>半亩方塘一鉴开，<a href="#">天光云影</a>。</p></main></html>`)
  return page
}

const plant = (page: Page, html: string) =>
  page.evaluate((planted) => document.querySelector('main')!.insertAdjacentHTML('beforeend', planted), html)

test('a control that lies over another, is covered, sticks out or widens the page is found', async () => {
  const page = await visitPlainPage()
  expect(await page.evaluate(findMisplacedControls)).toEqual([])
  await page.evaluate(() => {
    const place = (html: string, style: string) => {
      document.body.insertAdjacentHTML('beforeend', html)
      document.body.lastElementChild!.setAttribute('style', `position: absolute; width: 40px; ${style}`)
    }
    place('<button>甲</button>', 'left: 20px; top: 20px')
    place('<button>乙</button>', 'left: 57px; top: 20px')
    place('<button>丙</button>', 'left: 200px; top: 20px')
    place('<div></div>', 'left: 190px; top: 10px; height: 60px')
    place('<button>丁</button>', 'left: calc(100% - 20px); top: 20px')
  })
  expect(await page.evaluate(findMisplacedControls)).toEqual([
    expect.stringMatching(/“甲”.* and .*“乙”.* lie over each other/),
    expect.stringMatching(/“丁”.* sticks out/),
    'html scrolls sideways by 20 px',
    expect.stringMatching(/“丙”.* is covered by div/),
  ])
})

/**
 * The pages that are shown to everybody, those that a person works on, and those of the account; the type proves that none is
 * missing. They are opened in this order. Other journeys of this folder check the layers that open over them.
 */
const areas = {
  Home: 'public',
  Model: 'public',
  Caculator: 'public',
  GatewayGuide: 'public',
  Charging: 'public',
  Service: 'public',
  Share: 'public',
  Widget: 'public',
  InvitationRefusal: 'public',
  AuthLogin: 'public',
  AuthLogout: 'public',
  Outbox: 'public',
  Processing: 'public',
  NotFound: 'public',
  Chat: 'work',
  Compare: 'work',
  Fanyi: 'work',
  AgentList: 'work',
  AgentForm: 'work',
  Block: 'work',
  ApiReference: 'account',
  ApiKey: 'account',
  ProvisionKey: 'account',
  Task: 'account',
  Setting: 'account',
  Dashboard: 'account',
  Balance: 'account',
  Transaction: 'account',
  Credit: 'account',
  Partner: 'account',
  Message: 'account',
  Organization: 'account',
} satisfies Record<PageName, string>

/** Pages that are made for guests, and checked as a guest sees them; all others as a user does. */
const ofGuests: PageName[] = [
  'Home',
  'AuthLogin',
  'Model',
  'Caculator',
  'Service',
  'Processing',
  'Charging',
  'GatewayGuide',
]
/** Pages that have other contents for the other of the two. */
const ofBoth: PageName[] = [
  'Home',
  'Chat',
  'Compare',
  'Fanyi',
  'AgentList',
  'Credit',
  'Partner',
  'Share',
  'ApiKey',
]
/** Pages of columns, panels or wide tables, which change between the narrowest and the widest size. */
const ofColumns: PageName[] = [
  'Home',
  'Model',
  'GatewayGuide',
  'Chat',
  'Compare',
  'Fanyi',
  'AgentForm',
  'Block',
  'ApiReference',
  'Setting',
  'Dashboard',
]
/** Contents of a loaded page besides its heading. */
const contents: Partial<Record<PageName, string>> = {
  Partner: partnerText.empty,
  Credit: creditText.buy,
  Transaction: modelNames.twofold,
  Dashboard: statisticsText.weeklyTokens,
  Balance: creditText.notifyEnabled,
  ApiReference: docsText.pages[1]!.label,
  ApiKey: '默认密钥',
  Message: '余额不足',
}

/** Returns the links within the site, and anchors that lead nowhere on the page. */
const readLinks = (page: Page) =>
  page.locator('a[href]').evaluateAll((links) => {
    const hrefs = links.map((link) => link.getAttribute('href')!)
    const isMissing = (href: string) => !document.getElementById(decodeURIComponent(href.slice(1)))
    return {
      within: hrefs.filter((href) => /^\/(?!\/)/.test(href)).map((href) => href.split('#')[0]!),
      broken: hrefs.filter((href) => /^#./.test(href) && isMissing(href)),
    }
  })

/** Queries that open something on a page. */
const openings: Record<string, string[]> = {
  '/chat': ['?sess_id={sess_id}'],
  '/chat/agent/{id}': ['?sess_id={asked}'],
  '/compare': ['?sess_id={compared}'],
  '/docs/api': ['?group=keys'],
  '/fanyi': ['?mode=file', '?mode=link', '?task={task}'],
  '/profile/messages': ['?tab=releases'],
  '/profile/transactions': ['?timeRange=days&model=gone&to=2000-01-01'],
}

let client: Client
const nobody = createClient(() => world.url)
/** Ids for the addresses of pages. */
let ids: Record<string, string>
beforeAll(async () => {
  ;({ client, ids } = await createFullAccount(world))
})

function toAddress(path: string): string {
  const [, room = ''] = path.split('/')
  const id = room === 'block' || room === 'share' ? room : 'agent'
  const address = path.replace('{model}', 'scripted').replace('{id}', `{${id}}`)
  return address.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!)
}

describe('every page is shown, leads on and back, is punctuated in Chinese, and is for everybody', () => {
  /** Targets of the pages' links, each with a client that was shown it. */
  const links = new Map<string, Client>()

  test.each([...new Set(Object.values(areas))])('%s', async (area) => {
    const visit = { expectedErrors: /status of (404|503)/ }
    // A model that thinks has one control more.
    const user = await world.visit('/chat?model=thinker', { client, ...visit })
    const guest = await world.visit('/healthz', visit)
    for (const page of [user, guest]) await page.setViewportSize(WIDEST)
    for (const name of (Object.keys(areas) as PageName[]).filter((one) => areas[one] === area)) {
      const { paths }: PageDefinition = pages[name]
      const [page, other] = ofGuests.includes(name) ? [guest, user] : [user, guest]
      for (const path of paths.length ? paths : ['/no/such/page']) {
        // The server must not become ready here: the page would go on by itself.
        if (name === 'Processing') await page.route('**/readyz', (route) => route.fulfill({ status: 503 }))
        await openPage(page, toAddress(path))
        await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
        const isMissing = page.getByRole('heading', { name: shellText.notFound.title })
        await expect(isMissing, path).toHaveCount(name === 'NotFound' ? 1 : 0)
        const content = contents[name]
        const main = page.getByRole('main')
        if (content) await expect(main.getByText(content).filter({ visible: true }).first()).toBeVisible()
        if (name === 'Processing') await expect(page.getByText(processingText.waiting)).toBeVisible()
        const expectWayOnIfWide = async () => {
          if (!isNarrow(page) && name !== 'Processing')
            await expectWayOn(page, path, page === user ? client : nobody)
        }
        await expectWayOnIfWide()
        await expectNoBarriersAnywhere(page, path, ofColumns.includes(name) ? BETWEEN : [])
        await expectWayOnIfWide()
        for (const opening of openings[path] ?? []) {
          await openPage(page, toAddress(path + opening))
          await expect(page.getByRole('heading', { level: 1 }), opening).toBeAttached()
          await expectNoBarriersAnywhere(page, path + opening)
        }
      }
      if (!ofBoth.includes(name)) continue
      await openPage(other, toAddress(paths[0]!))
      await expect(other.getByRole('heading', { level: 1 }), name).toBeVisible()
      await expectNoBarriersAnywhere(other, `${name} for the others`)
    }
    await user.evaluate(() => document.documentElement.classList.add('dark'))
    await expectControlsInReach(user, 'in the dark', NARROWEST)
  })

  async function expectWayOn(page: Page, path: string, reader: Client): Promise<void> {
    await expect(page.locator('a[href^="/"]').first(), path).toBeAttached()
    const { within, broken } = await readLinks(page)
    expect(broken, path).toEqual([])
    const isWayOut = (href: string) => ['/', '/chat'].includes(href) || href.startsWith('/chat/agent/')
    expect(within.some(isWayOut), path).toBe(true)
    for (const href of within) links.set(href, reader)
    expect(await page.locator('body').innerText(), path).not.toMatch(/\p{Script=Han}[,;:!?]\p{Script=Han}/u)
  }

  test('no link leads nowhere', async () => {
    expect(links.size).toBeGreaterThan(20)
    const dead: string[] = []
    for (const [href, reader] of links) {
      const response = await reader.fetch(href, { headers: { Accept: 'text/html' } })
      await response.body?.cancel()
      if (!response.ok) dead.push(`${response.status} ${href}`)
    }
    expect(dead).toEqual([])
  })
})

test('the web is searched, and an answer has its sources', async () => {
  engine.script({
    pages: [{ title: '渠水今日清澈', url: 'https://river.example/a', text: '水位三米。', site: '水文站' }],
  })
  world.upstream.script('scripted', { text: '三米[1]。' })
  const page = await world.visit('/chat', { client: await world.user() })
  await button(page, chatText.webSearch).click()
  await ask(page, '水位？')
  await expect(page.getByRole('list', { name: webSearchText.sources }).getByRole('link')).toHaveCount(1)
  await expect(answers(page)).toHaveAttribute('aria-busy', 'false')
  await expectNoBarriersOnPhone(page, 'an answer with sources')
})
