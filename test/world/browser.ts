import { chromium } from '@playwright/test'
import type { Browser as Chromium, BrowserContextOptions, Page, Request } from '@playwright/test'
import { createProfile } from './browser-profile.ts'
import type { BrowserProfile } from './browser-profile.ts'
import { CHROMIUM_ARGS } from './chromium.ts'
import type { Client } from './client.ts'

type Look = keyof typeof looks

export type VisitOptions = {
  look?: Look
  /** The browser carries this client's cookie; nobody's when absent. */
  client?: Client
  /** Expected messages of the console: a refused call is an error to Chromium. */
  expectedErrors?: RegExp
  /** Without the page's Content-Security-Policy, for code that must be safe without it. */
  bypassCsp?: boolean
  /** In a browser that has nothing of the app, for parts that must be loaded, or cannot be without a network. */
  isFirst?: boolean
  /** Prepares what the load must meet: routes, or scripts of the page. */
  beforeLoad?: (page: Page) => Promise<unknown>
}

export type Browser = {
  /** Opens a page in a browser profile that nobody else has. `url` is absolute. */
  visit(url: string, visit?: VisitOptions): Promise<Page>
  /** Ends all visits and returns their faults: uncaught errors, and errors of the console. */
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

let chrome: Chromium | undefined
const idleProfiles = new Map<Look, BrowserProfile[]>()

const loadingScripts = new WeakMap<Page, Set<Request>>()

/** Returns the number of scripts that a visited page has requested and not yet received. */
export const countLoadingScripts = (page: Page): number => loadingScripts.get(page)?.size ?? 0

function watchScripts(page: Page): void {
  const loading = new Set<Request>()
  loadingScripts.set(page, loading)
  page.on('request', (request) => request.resourceType() === 'script' && loading.add(request))
  page.on('requestfinished', (request) => loading.delete(request))
  page.on('requestfailed', (request) => loading.delete(request))
}

/**
 * Launches a real Chromium: CHROMIUM_PATH, or Debian's. One serves all files of a worker, since starting it takes seconds; it
 * ends with the process. Visits are kept apart by their profiles: each visit has one of its own at any time, and a profile is
 * emptied before the next visit.
 */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell'
  // Without a locale, Chromium loses the Chinese names of saved files.
  const env = { ...process.env, LANG: 'C.UTF-8' }
  if (!chrome?.isConnected()) {
    chrome = await chromium.launch({ executablePath, args: CHROMIUM_ARGS, env })
    idleProfiles.clear()
  }
  const launched = chrome
  const used: { profile: BrowserProfile; look: Look }[] = []
  let errors: string[] = []

  return {
    async visit(url, visit = {}) {
      const { look = 'light', client, expectedErrors, bypassCsp = false, isFirst = false, beforeLoad } = visit
      const isReusable = !bypassCsp && !isFirst
      const settings = {
        ...looks[look],
        locale: 'zh-CN',
        reducedMotion: 'reduce',
        bypassCSP: bypassCsp,
      } as const
      const profile =
        (isReusable && idleProfiles.get(look)?.pop()) || (await createProfile(launched, settings, isReusable))
      used.push({ profile, look })
      const { context, page } = profile
      profile.onTrouble = (trouble) => {
        if (!expectedErrors?.test(trouble)) errors.push(trouble)
      }
      if (client?.cookie) {
        const cookies = client.cookie.split('; ').map((pair) => {
          const [name = '', value = ''] = pair.split(/=(.*)/s)
          return { name, value, url: new URL('/', url).href }
        })
        await context.addCookies(cookies)
      }
      watchScripts(page)
      await beforeLoad?.(page)
      await page.goto(url)
      return page
    },
    async collectErrors() {
      for (const { profile, look } of used.splice(0)) {
        // After a failure, a page that cannot be emptied tells nothing more.
        const isEmpty = await profile.reset().catch(() => false)
        if (isEmpty) idleProfiles.set(look, [...(idleProfiles.get(look) ?? []), profile])
        else await profile.context.close()
      }
      const found = errors
      errors = []
      return found
    },
    close: () => launched.close(),
  }
}
