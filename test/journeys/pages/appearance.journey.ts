import { describe, test } from 'vitest'
import type { Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { shellText } from '#web/text/shell.ts'
import { expectAnswer, ask, button, composer, expect, questions } from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()

type ObservedWindow = Window & { backgrounds_seen?: string[] }

const getBackground = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)

test('the chosen theme is there from the first frame after a reload', async () => {
  const page = await world.visit('/')
  const light = await getBackground(page)
  await button(page, shellText.settings).click()
  await page.getByRole('menuitemradio', { name: shellText.themes.dark }).click()
  await expect.poll(() => getBackground(page)).not.toBe(light)
  const dark = await getBackground(page)

  await page.addInitScript(() => {
    const frames: string[] = []
    const note = () => {
      if (document.body) frames.push(getComputedStyle(document.documentElement).backgroundColor)
      requestAnimationFrame(note)
    }
    note()
    ;(window as ObservedWindow).backgrounds_seen = frames
  })
  await page.reload()
  await expect(button(page, shellText.settings)).toBeVisible()
  const frames = await page.evaluate(() => (window as ObservedWindow).backgrounds_seen ?? [])
  expect([...new Set(frames)]).toEqual([dark])
})

test('another tab follows the choice, and the system decides where nothing was chosen', async () => {
  const page = await world.visit('/chat', { look: 'dark' })
  await expect(composer(page)).toBeVisible()
  const dark = await getBackground(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(() => getBackground(page)).not.toBe(dark)
  const tab = await page.context().newPage()
  await tab.goto(page.url())
  await button(tab, shellText.settings).click()
  await tab.getByRole('menuitemradio', { name: shellText.themes.dark }).click()
  await expect.poll(() => getBackground(page)).toBe(dark)
})

// Every page of these tests is visited with reduced motion.
test('with reduced motion, what a script moves is in its new place when it is measured', async () => {
  const page = await world.visit('/chat')
  await expect(composer(page)).toBeVisible()
  const top = await composer(page).evaluate((field) => {
    const topNow = () => field.getBoundingClientRect().top
    const before = topNow()
    field.style.position = 'relative'
    field.style.top = '0px'
    topNow()
    field.style.top = '100px'
    return topNow() - before
  })
  expect(top).toBe(100)
})

describe('on a phone', () => {
  test('the drawer leads to the conversations and closes behind the person', async () => {
    const page = await world.visit('/chat', { look: 'phone', client: await world.user() })
    world.upstream.script('scripted', { text: '在。' })
    await ask(page, '第一个')
    await expectAnswer(page, '在。')
    const drawer = page.getByRole('dialog', { name: shellText.navigation })
    await button(page, shellText.openNav).tap()
    await drawer.getByRole('link', { name: shellText.newChat }).tap()
    await expect(drawer).toBeHidden()
    await expect(questions(page)).toHaveCount(0)
    await button(page, shellText.openNav).tap()
    await drawer.getByRole('link', { name: '第一个' }).tap()
    await expect(drawer).toBeHidden()
    await expect(questions(page)).toHaveText(['第一个'])
    await button(page, shellText.openNav).tap()
    await expect(drawer).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()
  })

  test('the composer stays within reach above a long answer', async () => {
    const page = await world.visit('/chat', { look: 'phone', client: await world.user() })
    await expect(composer(page)).toBeInViewport()
    world.upstream.script('scripted', { text: '很长的一段。\n\n'.repeat(60), chars: 50 })
    await ask(page, '写长一点')
    await expect(button(page, chatText.regenerate)).toBeInViewport()
    await expect(composer(page)).toBeInViewport({ ratio: 1 })
  })

  test.each([
    '/',
    '/chat',
    '/login',
    '/models',
    '/calculator',
    '/docs/api',
    '/docs/charging',
    '/docs/gateway',
    '/dev/outbox',
    '/nowhere',
    '/profile/setting',
  ])('%s does not scroll sideways', async (path) => {
    const client = path.startsWith('/profile') ? { client: await world.user() } : {}
    const page = await world.visit(path, { look: 'phone', expectedErrors: /status of 404/, ...client })
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
    // A page scrolls within the frame, which hides from the document that it is too wide.
    const widths = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('[scroll-region]')].map(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      ),
    )
    expect(widths.filter((beyond) => beyond > 0)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
})
