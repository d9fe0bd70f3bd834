import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { afterEach, beforeAll, expect } from 'vitest'
import { launchBrowser } from './browser.ts'
import type { Browser, VisitOptions } from './browser.ts'
import { startWorld } from './world.ts'
import type { World } from './world.ts'

export type BrowserWorld = {
  world: World
  /** Opens a page of the app in a browser profile of its own. */
  visit(path: string, visit?: VisitOptions): Promise<Page>
}

/**
 * The app and a browser for the journeys of one file. After each journey its pages are closed; an error in any of them
 * fails it. The address stays the same when the app is started again.
 */
export function useBrowserWorld(env: Record<string, string> = {}): BrowserWorld {
  let world: World
  let browser: Browser
  beforeAll(async () => {
    world = await startWorld({ env: { PORT: String(await findFreePort()), GUEST_TURNS: '20', ...env } })
    browser = await launchBrowser()
    return async () => {
      await browser.close()
      await world.close()
    }
  })
  afterEach(async () => {
    expect(await browser.collectErrors()).toEqual([])
  })
  return {
    get world() {
      return world
    },
    visit: (path, visit) => browser.visit(world.url + path, visit),
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
