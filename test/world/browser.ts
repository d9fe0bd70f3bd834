import { AxeBuilder } from '@axe-core/playwright'
import { chromium } from '@playwright/test'
import type { Browser as Chromium, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import type { Client } from './client.ts'

export type Look = keyof typeof looks

export type VisitOptions = {
  look?: Look
  /** Whose cookie the browser carries; nobody's when absent. */
  client?: Client
  /** What the console may complain about here: a refused call is an error to Chromium. */
  expectedErrors?: RegExp
  /** Without the page's Content-Security-Policy: what has to hold by itself. */
  bypassCsp?: boolean
}

export type Browser = {
  /** Opens a page in a browser profile of its own. `url` is absolute. */
  visit(url: string, visit?: VisitOptions): Promise<Page>
  /** Closes all pages and returns what went wrong in them: errors that nobody caught, and those of the console. */
  collectErrors(): Promise<string[]>
  /** Ends the Chromium, for a program that goes on without one. */
  close(): Promise<void>
}

const desktop = { viewport: { width: 1280, height: 820 } }
const looks = {
  light: { ...desktop, colorScheme: 'light' },
  dark: { ...desktop, colorScheme: 'dark' },
  phone: {
    viewport: { width: 390, height: 780 },
    colorScheme: 'light',
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  },
} as const satisfies Record<string, BrowserContextOptions>

const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let chrome: Chromium | undefined

/**
 * A real Chromium: CHROMIUM_PATH, or Debian's. There is one in this process, for all files of a worker, since starting it
 * takes seconds; it ends with the process. What keeps the files apart is that each visit has a profile of its own.
 */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell'
  // Without a locale Chromium gives files that are saved no Chinese names.
  const env = { ...process.env, LANG: 'C.UTF-8' }
  if (!chrome?.isConnected()) chrome = await chromium.launch({ executablePath, args: CHROMIUM_ARGS, env })
  const launched = chrome
  const contexts: BrowserContext[] = []
  let errors: string[] = []

  return {
    async visit(url, { look = 'light', client, expectedErrors, bypassCsp = false } = {}) {
      const settings = {
        ...looks[look],
        locale: 'zh-CN',
        reducedMotion: 'reduce',
        bypassCSP: bypassCsp,
      } as const
      const context = await launched.newContext({
        ...settings,
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      // Only ends what has failed, as the limits of the expectations.
      context.setDefaultTimeout(60_000)
      contexts.push(context)
      if (client?.cookie) {
        const cookies = client.cookie.split('; ').map((pair) => {
          const [name = '', value = ''] = pair.split(/=(.*)/s)
          return { name, value, url: new URL('/', url).href }
        })
        await context.addCookies(cookies)
      }
      const report = (trouble: string): void => {
        if (!expectedErrors?.test(trouble)) errors.push(trouble)
      }
      context.on('weberror', (error) => report(`page error: ${error.error().stack ?? error.error().message}`))
      context.on('console', (message) => {
        if (message.type() === 'error') report(`console: ${message.text()} (${message.location().url})`)
      })
      const page = await context.newPage()
      await page.goto(url)
      return page
    },
    async collectErrors() {
      for (const context of contexts.splice(0)) {
        // What a journey still holds back of the network is let go without a word.
        for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
        await context.close()
      }
      const found = errors
      errors = []
      return found
    },
    close: () => launched.close(),
  }
}

/** Those of level AA: their tag has one of AAA as well. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * What breaks a rule of accessibility on a page: one line for each rule and element, none when all is well. Only violations
 * are described in full, and all of it runs in the page itself: both halve the time, the result is the same. Frames of other
 * origins would be left out; the app has none. In the dark look colours alone are checked: its elements are those of the
 * light look, in which all rules are.
 */
export async function findAccessibilityViolations(page: Page): Promise<string[]> {
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await (isDark ? axe.withRules(COLOR_RULES) : axe).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}
