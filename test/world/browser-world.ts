import type { Page } from '@playwright/test'
import { afterEach, expect } from 'vitest'
import { launchBrowser } from './browser.ts'
import type { VisitOptions } from './browser.ts'
import { realNames } from './real-names.ts'
import { useOwnWorld, useResource, useWorld } from './use-world.ts'
import type { UseWorldOptions } from './use-world.ts'
import type { World } from './world.ts'

export type BrowserWorld = World & {
  /** Opens a page of the app, or by its whole address another one, in a browser profile of its own. */
  visit(path: string, visit?: VisitOptions): Promise<Page>
}

type Env = Record<string, string>

let nameCount = 0

/**
 * Starts the app and a browser for the journeys of one file: the app of `useWorld`, or with other settings one of `useOwnWorld`.
 * After each journey its pages are closed; an error in any of them fails it. The address stays the same when the app is started
 * again.
 */
export function useBrowserWorld(
  env?: Env | (() => Promise<Env>),
  options: Omit<UseWorldOptions, 'env'> = {},
): BrowserWorld {
  // oxlint-disable-next-line react/hooks -- This is no component: it is called once.
  const world = env ? useOwnWorld({ ...options, env }) : useWorld()
  const browser = useResource(launchBrowser)
  afterEach(async () => {
    expect(await browser.collectErrors()).toEqual([])
  })
  const visit: BrowserWorld['visit'] = (path, options) =>
    browser.visit(new URL(path, world.url).href, options)
  /** Every page shows the name of its person: here at full length. A number tells names apart. */
  const user: World['user'] = async (email) => {
    const client = await world.user(email)
    const name = `${realNames.nickname.slice(0, -4)}${String(++nameCount).padStart(4, ' 0')}`
    await client.call('PUT /api/user/info', { body: { name } })
    return client
  }
  const own = { visit, user }
  return new Proxy(world, {
    get: (target, key) => Reflect.get(Object.hasOwn(own, key) ? own : target, key),
  }) as BrowserWorld
}
