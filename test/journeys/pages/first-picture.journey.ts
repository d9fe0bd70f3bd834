import { describe, test } from 'vitest'
import { chatText } from '#web/text/chat.ts'
import { shellText } from '#web/text/shell.ts'
import { homeText } from '#web/text/site/home.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { button, composer, expect, expectAnswer, questions } from '../screen/chat-screen.ts'

const world = useBrowserWorld()

const readHtml = async (path: string) => (await world.visitor().fetch(path)).text()

describe('what the document shows before its script runs', () => {
  test('Home and the empty chat are in it for a guest, and nobody else’s page is', async () => {
    expect(await readHtml('/?invite_code=abc')).toContain(homeText.heading)
    const chat = await readHtml('/chat')
    for (const words of [chatText.greetingLine, chatText.examples[0]!.title, shellText.newChat])
      expect(chat).toContain(words)
    expect(await readHtml('/chat?model=scripted')).not.toContain(chatText.greetingLine)
    const client = await world.user()
    expect(await (await client.fetch('/chat')).text()).not.toContain(chatText.greetingLine)
  })

  for (const look of ['light', 'phone'] as const) {
    test(`the script takes it over without drawing or moving anything anew (${look})`, async () => {
      const page = await world.visit('/chat', { look })
      await page.addInitScript(() => {
        const shifts: number[] = []
        Object.assign(globalThis, { shifts })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value)
        }).observe({ type: 'layout-shift', buffered: true })
        document.addEventListener('DOMContentLoaded', () =>
          document.querySelector('#content')?.setAttribute('data-first', ''),
        )
      })
      for (const path of ['/chat', '/']) {
        await page.goto(new URL(path, world.url).href)
        await page.waitForLoadState('networkidle')
        await expect(page.locator('#content[data-first] h1')).toBeVisible()
        // Hardly more than a line's worth of an icon: a good page is below 0.1 (web.dev, CLS).
        const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts)
        expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.02)
      }
    })
  }

  /** Opens a page whose scripts come when they are released. */
  async function openWithoutScripts(path: string) {
    const page = await world.visit('about:blank')
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => {
      await released
      await route.continue()
    })
    const opened = page.goto(new URL(path, world.url).href)
    return { page, runScripts: () => (release(), opened) }
  }

  test('a question typed, and sent, before the script runs is asked', async () => {
    world.upstream.script('scripted', { text: '为有源头活水来。' })
    const { page, runScripts } = await openWithoutScripts('/chat')
    await composer(page).fill('渠水为何清？')
    await composer(page).press('Enter')
    await expect(composer(page)).toHaveValue('渠水为何清？')
    await runScripts()
    await expectAnswer(page, '为有源头活水来。')
    await expect(questions(page)).toHaveText(['渠水为何清？'])
  })

  test('a click on a button before the script runs is heard afterwards, the last one, once', async () => {
    world.upstream.script('scripted', { text: '为有源头活水来。' })
    const chat = await openWithoutScripts('/chat')
    await composer(chat.page).fill('渠水为何清？')
    await button(chat.page, chatText.send).click()
    await chat.runScripts()
    await expectAnswer(chat.page, '为有源头活水来。')
    await expect(questions(chat.page)).toHaveText(['渠水为何清？'])

    const home = await openWithoutScripts('/')
    const tabs = home.page.getByRole('tab')
    await tabs.nth(1).click()
    await tabs.last().click()
    await expect(tabs.last()).toHaveAttribute('aria-selected', 'false')
    await home.page.evaluate(() => {
      const clicks: string[] = []
      Object.assign(globalThis, { clicks })
      document.addEventListener('click', ({ target }) => clicks.push((target as Element).textContent))
    })
    const last = await tabs.last().textContent()
    await home.runScripts()
    await expect(tabs.last()).toHaveAttribute('aria-selected', 'true')
    expect(await home.page.evaluate(() => (globalThis as unknown as { clicks: string[] }).clicks)).toEqual([
      last,
    ])
  })
})
