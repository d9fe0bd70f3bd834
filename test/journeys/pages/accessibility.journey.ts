import { beforeAll, describe, test } from 'vitest'
import { pages } from '#contract/pages.ts'
import type { PageName } from '#contract/pages.ts'
import { creditText } from '#web/text/credit/credit.ts'
import { statisticsText } from '#web/text/credit/statistics.ts'
import { partnerText } from '#web/text/site/partner.ts'
import { findAccessibilityViolations } from '../../world/browser.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import type { Client } from '../../world/client.ts'
import { expect } from '../screen/chat-screen.ts'

const world = useBrowserWorld()

test('a violation of each kind is found', async () => {
  const page = await world.visit('/login')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.evaluate(() => {
    const planted =
      '<button id="nameless"></button><p id="pale" style="color: #eee; background: #fff">看不清</p>'
    document.querySelector('main')!.insertAdjacentHTML('beforeend', planted)
  })
  expect(await findAccessibilityViolations(page)).toEqual([
    expect.stringMatching(/^button-name: #nameless: /),
    expect.stringMatching(/^color-contrast: #pale: /),
  ])
})

/** What everybody sees by the address alone. */
const open = {
  Home: '/',
  AuthLogin: '/login',
  Model: '/models',
  Caculator: '/calculator',
  Charging: '/docs/charging',
  GatewayGuide: '/docs/gateway',
  Service: '/service',
  Outbox: '/dev/outbox',
  NotFound: '/nowhere',
} satisfies Partial<Record<PageName, string>>

/** What users see, and what stands there once it is loaded. */
const own = {
  Partner: ['/partner', partnerText.empty],
  Credit: ['/credit', creditText.buy],
  Transaction: ['/profile/transactions', statisticsText.actions.signup],
  Dashboard: ['/profile/dashboard', statisticsText.weeklyTokens],
  Balance: ['/profile/balance', creditText.notifyEnabled],
} satisfies Partial<Record<PageName, [string, string]>>

/** Looked at in journeys of their own, with what people do there, in each look. */
const elsewhere: string[] = [
  'Chat',
  'Compare',
  'Fanyi',
  'AgentList',
  'AgentForm',
  'Block',
  'ApiReference',
  'ApiKey',
  'ProvisionKey',
  'Task',
  'Message',
  'Setting',
  'Organization',
  'Share',
  'Widget',
  'Processing',
  'InvitationRefusal',
]

test('every page is looked at somewhere', () => {
  const known = [...Object.keys(open), ...Object.keys(own), ...elsewhere]
  expect(Object.keys(pages).filter((name) => !known.includes(name))).toEqual([])
})

let client: Client
beforeAll(async () => {
  client = await world.user()
})

describe.each(['light', 'dark', 'phone'] as const)('%s', (look) => {
  test.each(Object.values(own))('of a user: %s', async (path, text) => {
    const page = await world.visit(path, { look, client })
    await expect(page.getByRole('main').getByText(text).filter({ visible: true }).first()).toBeVisible()
    expect(await findAccessibilityViolations(page)).toEqual([])
  })

  test.each(Object.values(open))('%s', async (path) => {
    const page = await world.visit(path, { look, expectedErrors: /status of 404/ })
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await findAccessibilityViolations(page)).toEqual([])
  })
})
