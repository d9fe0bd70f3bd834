import type { Locator, Page } from '@playwright/test'
import { test } from 'vitest'
import { parseCallKey } from '#contract/call.ts'
import type { CallKey } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { gatewayCallList } from '#contract/gateway/calls.ts'
import { docsText } from '#web/text/docs/reference.ts'
import { samplesText } from '#web/text/docs/samples.ts'
import { modelsText } from '#web/text/models.ts'
import { shellText } from '#web/text/shell.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { modelNames } from '../../world/real-names.ts'
import { expect, pageLabel, waitForFrames } from '../screen/chat-screen.ts'

const world = useBrowserWorld()
const ofFeatures = Object.values(calls).flatMap((feature) => Object.keys(feature) as CallKey[])
const ofGateway = gatewayCallList.map(({ method, url }) => ({ method, path: url }))
const expected = [...ofFeatures.map(parseCallKey), ...ofGateway]

/** From the next load on, the first frames come only after the calls, as on a busy machine. */
const holdFrames = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const request = window.requestAnimationFrame.bind(window)
    const held: FrameRequestCallback[] = []
    window.requestAnimationFrame = (draw) => held.push(draw)
    const look = setInterval(() => {
      if (!document.querySelector('h3')) return
      clearInterval(look)
      window.requestAnimationFrame = request
      for (const draw of held) request(draw)
      Object.assign(window, { framesCame: true })
    }, 100)
  })

test('the API reference finds every call of the contract, leads to where it is described, and has a page for each group; on a phone every page leads to every other, and the pages for programs stand in one row; that of a model teaches programs to call it', async () => {
  const page = await world.visit('/docs/api?group=keys')
  const groups = page.getByRole('list', { name: docsText.groupsTitle })
  const group = (name: string) => page.getByRole('heading', { level: 2, name: docsText.groups[name]! })
  await expect(group('keys')).toBeVisible()
  await expect(groups.getByRole('link', { name: docsText.groups.keys!, exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  )
  await page.getByText(docsText.answer, { exact: true }).first().click()
  await expect(page.getByLabel(docsText.exampleOf(docsText.answer)).first()).toContainText('"items": [')
  await groups.getByRole('link', { name: docsText.groups.glossary!, exact: true }).click()
  await expect(group('glossary')).toBeVisible()
  await expect(group('keys')).toHaveCount(0)

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

  // An anchor without its group.
  await page.setViewportSize({ width: 390, height: 780 })
  await holdFrames(page)
  await page.goto(`${world.url}/docs/api#post-api-chat-session-switch`)
  await page.waitForFunction(() => 'framesCame' in window)
  await waitForFrames(page)
  await expect(heading).toBeInViewport()
  const choice = page.getByRole('combobox', { name: docsText.groupsTitle })
  // Each group has a Chinese name.
  for (const name of await choice.getByRole('option').allTextContents())
    expect(name).toMatch(/^\p{Script=Han}+（\d+/u)
  await choice.selectOption('files')
  await expect(group('files')).toBeVisible()
  const list = page.getByRole('list', { name: docsText.pagesTitle })
  const charging = list.getByRole('link', { name: docsText.pages[2]!.label })
  await charging.click()
  await expect(page).toHaveURL(/\/docs\/charging$/)
  await expect(charging).toHaveAttribute('aria-current', 'page')
  const tops = await list
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top))
  expect([tops.length > 2, new Set(tops).size]).toEqual([true, 1])
  await expect(page.getByRole('link', { name: shellText.newChat })).toBeVisible()
  const openNavigation = page.getByRole('button', { name: shellText.openNav })
  await openNavigation.click()
  const menu = page.getByRole('dialog', { name: shellText.navigation })
  await menu.getByRole('link', { name: pageLabel('GatewayGuide', 'platform'), exact: true }).click()
  await expect(page).toHaveURL(/\/docs\/gateway$/)
  await expect(menu).toBeHidden()
  await openNavigation.click()
  await menu.getByRole('link', { name: pageLabel('Model', 'platform'), exact: true }).click()

  // The title stands over the models on a wide screen.
  await page.setViewportSize({ width: 1920, height: 900 })
  const models = page.getByRole('searchbox', { name: modelsText.search })
  const getLeft = async (locator: Locator) => (await locator.boundingBox())?.x
  await expect(models).toBeVisible()
  const title = page.getByRole('heading', { level: 1, name: modelsText.title })
  await expect.poll(async () => (await getLeft(title))! - (await getLeft(models))!).toBe(0)

  await models.fill(modelNames.twofold)
  await page.getByRole('main').getByRole('link', { name: modelNames.twofold }).click()
  await expect(page.getByRole('heading', { level: 1, name: modelNames.twofold })).toBeVisible()
  await expect(page.getByRole('tab')).toHaveText(Object.values(samplesText.tabs))
  const panel = page.getByRole('tabpanel')
  for (const tab of Object.values(samplesText.tabs)) {
    await page.getByRole('tab', { name: tab, exact: true }).click()
    await expect(panel).toContainText('twofold')
    await expect(panel).toContainText('/api')
    await expect(panel).not.toContainText('/api/chat')
  }
})
