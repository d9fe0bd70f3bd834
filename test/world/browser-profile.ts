import type { Browser as Chromium, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'

/** A profile of a browser with the one page that stays open in it from visit to visit. */
export type BrowserProfile = {
  context: BrowserContext
  page: Page
  /** Receives uncaught errors, and errors of the console. */
  onTrouble: (trouble: string) => void
  /**
   * Makes the profile as good as new, except for files that the browser has loaded and compiled: these take two thirds of a visit
   * in a new one. Returns false where that is impossible: the profile must be closed then.
   */
  reset(): Promise<boolean>
}

/** Events of a page that journeys listen to, and `watchScripts`. */
const JOURNEY_EVENTS = ['request', 'requestfinished', 'requestfailed', 'dialog', 'download'] as const
const STORAGE_TYPES = 'local_storage,indexeddb,service_workers,cache_storage'

export async function createProfile(
  chromium: Chromium,
  options: BrowserContextOptions,
  isReusable: boolean,
): Promise<BrowserProfile> {
  const context = await chromium.newContext({
    ...options,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  // Only for failed tests, like the limits of the expectations.
  context.setDefaultTimeout(60_000)
  context.on('weberror', (error) =>
    profile.onTrouble(`page error: ${error.error().stack ?? error.error().message}`),
  )
  context.on('console', (message) => {
    if (message.type() === 'error')
      profile.onTrouble(`console: ${message.text()} (${message.location().url})`)
  })
  context.on('page', waitForApp)
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  // Saves loading ahead (src/web/conversations/chat/preload.ts) where a journey is not about that.
  if (isReusable) await devTools.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true })
  const isChangedForGood = watchLastingChanges(context, page)

  const profile: BrowserProfile = {
    context,
    page,
    onTrouble: () => {},
    async reset() {
      // Requests that a journey still holds back go on without an error.
      for (const one of context.pages()) await one.unrouteAll({ behavior: 'ignoreErrors' })
      await context.unrouteAll({ behavior: 'ignoreErrors' })
      if (!isReusable || isChangedForGood() || page.isClosed()) return false
      for (const event of JOURNEY_EVENTS) page.removeAllListeners(event)
      await context.setOffline(false)
      const origins = new Set(page.frames().map((frame) => new URL(frame.url()).origin))
      origins.delete('null')
      if (page.url().startsWith('http')) await page.evaluate(() => sessionStorage.clear())
      profile.onTrouble = () => {}
      for (const other of context.pages()) if (other !== page) await other.close()
      await page.goto('about:blank')
      await context.clearCookies()
      for (const origin of origins)
        await devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: STORAGE_TYPES })
      if (options.viewport) await page.setViewportSize(options.viewport)
      return true
    },
  }
  return profile
}

/** Makes visits return a page that works: a page that the server has drawn works once its script has run. */
function waitForApp(page: Page): void {
  const isTakenOver = () => !document.querySelector('[data-server-rendered]')
  for (const name of ['goto', 'reload'] as const) {
    const open = page[name].bind(page) as (...options: unknown[]) => ReturnType<Page['goto']>
    page[name] = async (...options: unknown[]) => {
      const response = await open(...options)
      await page.waitForFunction(isTakenOver)
      return response
    }
  }
}

/** Returns a function that tells whether a call was made that cannot be undone. */
function watchLastingChanges(context: BrowserContext, page: Page): () => boolean {
  let isChanged = false
  const watch = <T extends object>(object: T, names: (keyof T)[]) => {
    for (const name of names) {
      const call = (object[name] as (...options: unknown[]) => unknown).bind(object)
      object[name] = ((...options: unknown[]) => {
        isChanged = true
        return call(...options)
      }) as T[keyof T]
    }
  }
  watch(page, ['addInitScript', 'emulateMedia', 'exposeFunction'])
  watch(context, ['addInitScript', 'exposeFunction', 'grantPermissions', 'clearPermissions'])
  watch(context.clock, ['install', 'setFixedTime', 'setSystemTime'])
  const countSessions = countDevToolsSessions(context)
  return () => isChanged || countSessions() > 0
}

/** Returns a function for the number of sessions that are attached: when one is detached, Chromium undoes its settings. */
function countDevToolsSessions(context: BrowserContext): () => number {
  let attached = 0
  const attach = context.newCDPSession.bind(context)
  context.newCDPSession = async (target) => {
    const session = await attach(target)
    attached += 1
    const detach = session.detach.bind(session)
    session.detach = async () => {
      await detach()
      attached -= 1
    }
    return session
  }
  return () => attached
}
