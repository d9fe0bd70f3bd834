import { once } from 'node:events'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { chatText } from '#web/text/chat.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { button, composer, expect, expectAnswer, questions, waitForFrames } from '../screen/chat-screen.ts'

const world = useBrowserWorld()

/** Opens an address whose scripts come only after the returned function is called. */
async function openWithoutScripts(page: Page, path: string): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const scripts = '**/assets/*.js'
  await page.route(scripts, async (route) => {
    await released
    await route.continue()
  })
  const opened = page.goto(world.url + path)
  // The earlier page is gone.
  await page.waitForURL((url) => url.pathname === path, { waitUntil: 'commit' })
  return async () => {
    release()
    await opened
    await page.unroute(scripts)
  }
}

/** A shift of the page that nobody caused (Layout Instability API), as a share of the window. */
type Shift = { value: number; moved: string[] }

/** Makes the pages that are opened from now on note their shifts. */
const noteShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const shifts: Shift[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as unknown as { value: number; sources: { node?: Node }[] }
        shifts.push({ value, moved: sources.map(({ node }) => node?.textContent?.slice(0, 20) ?? '') })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })

/** Hardly more than a line's worth of an icon may move: a good page is below 0.1 (web.dev, CLS). */
async function expectNoShifts(page: Page): Promise<void> {
  const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: Shift[] }).shifts)
  const sum = shifts.reduce((total, { value }) => total + value, 0)
  expect(sum, `${page.url()}: ${JSON.stringify(shifts)}`).toBeLessThan(0.02)
}

/** Makes the pages that are opened from now on mark the picture that the server has drawn, and that it was taken over. */
const markPicture = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () =>
      document.querySelector('#content')?.setAttribute('data-first', ''),
    )
    // Then what was pressed before is heard: `boot.browser.test.tsx`.
    addEventListener('hydrated', () => document.documentElement.setAttribute('data-hydrated', ''))
  })

/** Waits until the script has taken the page over, and expects that the picture is the server's and nothing has moved. */
async function expectSamePicture(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await expect(page.locator('[data-hydrated] #content[data-first] h1')).toBeVisible()
  await expectNoShifts(page)
}

test('the script takes the first picture over without drawing or moving anything anew, on a phone too; what is typed and sent before it runs is heard afterwards, once', async () => {
  const page = await world.visit('/healthz', { isFirst: true })
  await noteShifts(page)
  await markPicture(page)
  await page.setViewportSize({ width: 390, height: 800 })
  for (const path of ['/chat', '/']) {
    await page.goto(world.url + path)
    await expectSamePicture(page)
  }

  await page.setViewportSize({ width: 1280, height: 800 })
  world.upstream.script('scripted', { text: '为有源头活水来。' })
  const runScripts = await openWithoutScripts(page, '/chat')
  await composer(page).fill('渠水为何清？')
  await button(page, chatText.send).click()
  await expect(composer(page)).toHaveValue('渠水为何清？')
  await runScripts()
  await expectAnswer(page, '为有源头活水来。')
  await expect(questions(page)).toHaveText(['渠水为何清？'])
})

test('a page whose HTML comes in parts is drawn once, when the first picture is whole', async () => {
  const page = await world.visit('/healthz', { isFirst: true })
  await noteShifts(page)
  await markPicture(page)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const answer = async (url: string, response: ServerResponse) => {
    const original = await fetch(world.url + url)
    const body = Buffer.from(await original.arrayBuffer())
    response.setHeader('Content-Type', original.headers.get('Content-Type')!)
    if (url === '/chat') {
      const cut = body.indexOf(chatText.greetingLine)
      response.write(body.subarray(0, cut))
      await released
      response.end(body.subarray(cut))
    } else response.end(body)
  }
  const proxy = createServer(({ url = '' }, response) => void answer(url, response)).listen(0)
  await once(proxy, 'listening')
  try {
    const opened = page.goto(`http://localhost:${(proxy.address() as AddressInfo).port}/chat`)
    await page.waitForURL('**/chat', { waitUntil: 'commit' })
    await page.waitForFunction(() => document.querySelector('h1'), undefined, { polling: 50 })
    // Before a whole other page is drawn, the part that has come would be.
    const other = await page.context().newPage()
    await other.setContent('<h1>另一页</h1>')
    await waitForFrames(other)
    await other.close()
    release()
    await opened
    await expectSamePicture(page)
    // The page goes on loading what it may need later.
    await page.goto('about:blank')
  } finally {
    proxy.close()
  }
})
