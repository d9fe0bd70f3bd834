import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { afterEach, beforeAll, expect } from 'vitest'
import { openBrowser } from '../browser.ts'
import type { Browser, Visit } from '../browser.ts'
import { openWorld } from '../world.ts'
import type { World } from '../world.ts'

export type Stage = {
  world: World
  /** Opens a page of the app in a browser profile of its own. */
  visit(path: string, visit?: Visit): Promise<Page>
}

/**
 * The app and a browser for the journeys of one file. After each journey its pages are closed; an error in any of them
 * fails it. The address stays the same when the app is started again.
 */
export function setStage(env: Record<string, string> = {}): Stage {
  let world: World
  let browser: Browser
  beforeAll(async () => {
    world = await openWorld({ env: { PORT: String(await freePort()), GUEST_TURNS: '20', ...env } })
    browser = await openBrowser()
    return async () => {
      await browser.close()
      await world.close()
    }
  })
  afterEach(async () => {
    expect(await browser.troubles()).toEqual([])
  })
  return {
    get world() {
      return world
    },
    visit: (path, visit) => browser.visit(world.url + path, visit),
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
