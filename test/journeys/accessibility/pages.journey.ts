import type { Page } from '@playwright/test'
import { beforeAll, describe, test } from 'vitest'
import { pages, type PageDefinition, type PageName } from '#contract/pages.ts'
import { creditText } from '#web/text/credit/credit.ts'
import { statisticsText } from '#web/text/credit/statistics.ts'
import { docsText } from '#web/text/docs/reference.ts'
import { keysText } from '#web/text/keys.ts'
import { shellText } from '#web/text/shell.ts'
import { partnerText } from '#web/text/site/partner.ts'
import { processingText } from '#web/text/site/processing.ts'
import { findAccessibilityViolations } from '../../world/browser.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import type { Client } from '../../world/client.ts'
import { modelNames } from '../../world/real-names.ts'
import { ENGINE_KEY } from '../../world/search-engine.ts'
import { expect } from '../screen/chat-screen.ts'
import { expectNoBarriers, expectNoBarriersOnPhone } from './barriers.ts'
import { expectControlsInReachAnywhere, findMisplacedControls } from './controls.ts'
import { createFullAccount } from './full-account.ts'

// Every optional feature is on, to leave the least room; no search is made here.
const world = useBrowserWorld({
  SEARCH_PROVIDER: 'bocha',
  SEARCH_BASE_URL: 'http://127.0.0.1:1',
  SEARCH_API_KEY: ENGINE_KEY,
})

test('a violation of each kind is found, those of colours in the dark too', async () => {
  const page = await world.visit('/login')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.evaluate(() => {
    const planted =
      '<button id="nameless"></button><p id="pale" style="color: #888; background: #777">看不清</p>'
    document.querySelector('main')!.insertAdjacentHTML('beforeend', planted)
  })
  const pale = expect.stringMatching(/^color-contrast: #pale: /)
  expect(await findAccessibilityViolations(page)).toEqual([
    expect.stringMatching(/^button-name: #nameless: /),
    pale,
  ])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await findAccessibilityViolations(page)).toEqual([pale])
})

test('a control that lies over another, is covered, sticks out or widens the page is found', async () => {
  const page = await world.visit('/login')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
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
 * The pages by purpose, each in one place; the type proves that none is missing. Other journeys of this folder check the layers
 * that open over them.
 */
const areas = {
  Home: 'site',
  AuthLogin: 'site',
  AuthLogout: 'site',
  Model: 'site',
  Caculator: 'site',
  Service: 'site',
  Processing: 'site',
  InvitationRefusal: 'site',
  Charging: 'programs',
  GatewayGuide: 'programs',
  ApiReference: 'programs',
  ApiKey: 'programs',
  ProvisionKey: 'programs',
  Outbox: 'programs',
  NotFound: 'programs',
  Credit: 'account',
  Dashboard: 'account',
  Balance: 'account',
  Transaction: 'account',
  Partner: 'account',
  Message: 'account',
  Organization: 'account',
  Setting: 'account',
  Task: 'account',
  Chat: 'work',
  Compare: 'work',
  Fanyi: 'work',
  AgentList: 'work',
  AgentForm: 'work',
  Block: 'work',
  Share: 'work',
  Widget: 'work',
} satisfies Record<PageName, string>

/** Pages that are made for guests, and checked as a guest sees them. */
const ofGuests: PageName[] = [
  'Home',
  'AuthLogin',
  'Model',
  'Caculator',
  'Service',
  'Charging',
  'GatewayGuide',
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
  '/chat': ['?sess_id={sess_id}', '?model=thinker'],
  '/chat/agent/{id}': ['?sess_id={asked}'],
  '/compare': ['?sess_id={compared}'],
  '/fanyi': ['?mode=file', '?mode=link', '?task={task}'],
  '/profile/messages': ['?tab=releases'],
  '/profile/transactions': ['?timeRange=days&model=gone&to=2000-01-01'],
}

let client: Client
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
  /** Targets of the pages' links. */
  const links = new Set<string>()

  test.each([...new Set(Object.values(areas))])('%s', async (area) => {
    const visit = { expectedErrors: /status of (404|503)/ }
    const page = await world.visit('/healthz', { client, ...visit })
    const guest = await world.visit('/healthz', visit)
    // The server must not become ready here: the page would go on by itself.
    await page.route('**/readyz', (route) => route.fulfill({ status: 503 }))
    for (const [name, one] of Object.entries<PageDefinition>(pages)) {
      if (areas[name as PageName] !== area) continue
      const paths = one.paths.length ? one.paths : ['/no/such/page']
      for (const path of paths) {
        await page.goto(world.url + toAddress(path))
        await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
        const isMissing = page.getByRole('heading', { name: shellText.notFound.title })
        await expect(isMissing, path).toHaveCount(name === 'NotFound' ? 1 : 0)
        const content = contents[name as PageName]
        const main = page.getByRole('main')
        if (content) await expect(main.getByText(content).filter({ visible: true }).first()).toBeVisible()
        if (name === 'Processing') await expect(page.getByText(processingText.waiting)).toBeVisible()
        if (name !== 'Processing') await expectWayOn(page, path)
        await expectControlsInReachAnywhere(page, path)
        if (!ofGuests.includes(name as PageName)) {
          await expectNoBarriers(page, path)
          await expectNoBarriersOnPhone(page, path)
        }
        for (const opening of openings[path] ?? []) {
          await page.goto(world.url + toAddress(path + opening))
          await expect(page.getByRole('heading', { level: 1 }), opening).toBeAttached()
          await expectControlsInReachAnywhere(page, path + opening)
        }
        if (one.access === 'user' || name === 'Processing') continue
        await guest.goto(world.url + toAddress(path))
        await expect(guest.getByRole('heading', { level: 1 }), path).toBeVisible()
        await expectControlsInReachAnywhere(guest, `${path} as a guest`)
        if (!ofGuests.includes(name as PageName)) continue
        await expectNoBarriers(guest, `${path} as a guest`)
        await expectNoBarriersOnPhone(guest, `${path} as a guest`)
      }
    }
  })

  async function expectWayOn(page: Page, path: string): Promise<void> {
    await expect(page.locator('a[href^="/"]').first(), path).toBeAttached()
    const { within, broken } = await readLinks(page)
    expect(broken, path).toEqual([])
    const isWayOut = (href: string) => ['/', '/chat'].includes(href) || href.startsWith('/chat/agent/')
    expect(within.some(isWayOut), path).toBe(true)
    for (const href of within) links.add(href)
    expect(await page.locator('body').innerText(), path).not.toMatch(/\p{Script=Han}[,;:!?]\p{Script=Han}/u)
  }

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

test('who is not signed in sees the way in, the empty chat and the plans without barriers', async () => {
  const page = await world.visit('/profile/api-keys')
  await expect(page.getByText(keysText.signIn)).toBeVisible()
  await expectNoBarriers(page, 'keys, signed out')
  await expectControlsInReachAnywhere(page, 'keys, signed out')
  await page.goto(`${world.url}/credit`)
  await expect(page.getByRole('radio').first()).toBeAttached()
  await expectNoBarriers(page, 'plans, signed out')
  await page.goto(`${world.url}/docs/api?group=keys`)
  await expect(page.getByText(/^\d+ 个接口$/)).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: docsText.groups.keys! })).toBeVisible()
  await expectNoBarriers(page, '/docs/api?group=keys')
  await expectNoBarriersOnPhone(page, '/docs/api?group=keys')
  await expectControlsInReachAnywhere(page, '/docs/api?group=keys')
})
