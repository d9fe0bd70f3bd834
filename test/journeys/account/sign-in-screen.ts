import type { Page } from '@playwright/test'
import { authText } from '#web/text/auth.ts'
import { letTimePass } from '../../world/sign-in.ts'
import type { Client } from '../../world/client.ts'
import type { World } from '../../world/world.ts'
import { button, expect } from '../screen/chat-screen.ts'

let addressCount = 0

/** Returns an address that nobody has signed in with, also where a journey is tried once more. */
export const createEmail = (): string => `person${++addressCount}@journey.example`

/** Signs in on the page for that, however soon after another time. */
export async function signInOnPage(world: World, page: Page, email: string): Promise<void> {
  await letTimePass(world.db(), '2 minutes')
  await page.getByLabel(authText.emailOnly).fill(email)
  await button(page, authText.getCode).click()
  await expect(page.getByText(authText.codeSent(email, 10))).toBeVisible()
  await page.getByLabel(authText.code).fill(await world.getLoginCode(email))
  await button(page, authText.submit).click()
}

/** Signs a person in in the browser of a page, as on another tab: the page itself does not know. */
export async function signInOnAnotherTab(page: Page, { cookie }: Client): Promise<void> {
  const { origin } = new URL(page.url())
  const pairs = cookie.split('; ').map((pair) => pair.split(/=(.*)/s))
  await page.context().addCookies(pairs.map(([name = '', value = '']) => ({ name, value, url: origin })))
}
