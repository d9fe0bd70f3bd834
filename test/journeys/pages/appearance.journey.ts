import { test } from 'vitest'
import type { Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { shellText } from '#web/text/shell.ts'
import { expectAnswer, ask, button, composer, expect, questions } from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()

type ObservedWindow = Window & { backgrounds_seen?: string[] }

const getBackground = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)

test('the system decides until a theme is chosen, which is there from the first frame of other tabs, and which they follow', async () => {
  const page = await world.visit('/chat', { look: 'dark' })
  await expect(composer(page)).toBeVisible()
  const dark = await getBackground(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(() => getBackground(page)).not.toBe(dark)
  const light = await getBackground(page)
  const chooseTheme = async (on: Page, theme: 'light' | 'dark') => {
    await button(on, shellText.settings).click()
    await on.getByRole('menuitemradio', { name: shellText.themes[theme] }).click()
  }
  await chooseTheme(page, 'dark')
  await expect.poll(() => getBackground(page)).toBe(dark)

  const tab = await page.context().newPage()
  await tab.emulateMedia({ colorScheme: 'light' })
  await tab.addInitScript(() => {
    const frames: string[] = []
    const note = () => {
      if (document.body) frames.push(getComputedStyle(document.documentElement).backgroundColor)
      requestAnimationFrame(note)
    }
    note()
    ;(window as ObservedWindow).backgrounds_seen = frames
  })
  await tab.goto(page.url())
  await expect(button(tab, shellText.settings)).toBeVisible()
  const frames = await tab.evaluate(() => (window as ObservedWindow).backgrounds_seen ?? [])
  expect([...new Set(frames)]).toEqual([dark])
  await chooseTheme(tab, 'light')
  await expect.poll(() => getBackground(page)).toBe(light)

  // These tests visit every page with reduced motion: an element that a script moves is in its new place when it is measured.
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

test('on a phone the drawer leads to the conversations and closes behind the person, and the composer stays within reach', async () => {
  const page = await world.visit('/chat', { look: 'phone', client: await world.user() })
  await expect(composer(page)).toBeInViewport()
  world.upstream.script('scripted', { text: '在。' }, { text: '很长的一段。\n\n'.repeat(60), chars: 50 })
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

  await ask(page, '写长一点')
  await expect(questions(page)).toHaveCount(2)
  await expect(button(page, chatText.regenerate).last()).toBeInViewport()
  await expect(composer(page)).toBeInViewport({ ratio: 1 })
})
