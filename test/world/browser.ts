import { chromium } from '@playwright/test'
import type { Browser as Chromium, BrowserContextOptions, Frame, Page, Request } from '@playwright/test'
import axe from 'axe-core'
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

/** Rules of level AA: their tag has one of AAA as well. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']
/** Marks the elements whose contrast is measured. */
const CONTRAST_SAMPLE = 'data-contrast-sample'
/** Elements of one look that are measured: one alone may be covered, and give no result. */
const SAMPLES_OF_A_LOOK = 4

/**
 * Finds violations of accessibility rules on a page: one line for each rule and element. Only violations are described in full,
 * and all of it runs in the page or the frame itself, not in frames within. In the dark look only colours are checked: its
 * elements are those of the light look, in which all rules are. Contrast, which takes nine tenths of the time, is measured at a
 * few of the elements of each look.
 */
export async function findAccessibilityViolations(page: Page | Frame): Promise<string[]> {
  // Half a megabyte, loaded once for each page. Without a value: it would be all of axe.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(`${axe.source}; null`)
  await page.evaluate(markContrastSamples, [CONTRAST_SAMPLE, SAMPLES_OF_A_LOOK] as const)
  const violations = await page.evaluate(
    async ([rules, attribute]) => {
      const { axe: inPage } = globalThis as unknown as { axe: typeof axe }
      inPage.configure({ rules: [{ id: 'color-contrast', selector: `[${attribute}]` }] })
      // Over a drawing axe cannot tell the background of a text, and finds nothing: the faint lines are hidden.
      const drawings = document.querySelectorAll<SVGElement>('svg.water')
      for (const drawing of drawings) drawing.style.visibility = 'hidden'
      const isDark = matchMedia('(prefers-color-scheme: dark)').matches
      const found = await inPage.run({ resultTypes: ['violations'], ...(isDark ? { runOnly: rules } : {}) })
      for (const sample of document.querySelectorAll(`[${attribute}]`)) sample.removeAttribute(attribute)
      for (const drawing of drawings) drawing.style.visibility = ''
      return found.violations
    },
    [COLOR_RULES, CONTRAST_SAMPLE] as const,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}

/**
 * Marks some of the elements of each look, in the page, until enough of them are marked. Two look the same when they, and all
 * around them, are the same tags with the same classes, colours, backgrounds and sizes of text.
 */
function markContrastSamples([attribute, samples]: readonly [string, number]): void {
  type Memory = { looks: Map<string, number>; counts: Map<number, number> }
  const page = globalThis as unknown as { contrastSamples?: Memory }
  const { looks, counts } = (page.contrastSamples ??= { looks: new Map(), counts: new Map() })
  const lookOf = new Map<Element | null, number>()
  for (const element of document.querySelectorAll('*')) {
    const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, textShadow } =
      getComputedStyle(element)
    const parts = [lookOf.get(element.parentElement), element.tagName, element.getAttribute('class'), color]
    const key = [...parts, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, textShadow].join()
    const look = looks.get(key) ?? looks.size
    looks.set(key, look)
    lookOf.set(element, look)
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
    const isField = element.matches('input, select, textarea')
    if (!(hasText || isField) || !element.checkVisibility({ visibilityProperty: true })) continue
    const count = counts.get(look) ?? 0
    counts.set(look, count + 1)
    if (count < samples) element.setAttribute(attribute, '')
  }
}
