import type { Page, Route } from '@playwright/test'
import type { CallKey } from '#contract/call.ts'
import type { AllCalls } from '#contract/calls.ts'
import { expectNotice } from '../screen/chat-screen.ts'

/** Console messages of calls that are made to fail. */
export const FAILED_CALLS = /ERR_FAILED|status of [45]/

/** The server's words for a failure. */
export const REASON = '水渠正在检修'

export const cut = (route: Route) => route.abort()
export const refuse = (route: Route) =>
  route.fulfill({ status: 400, json: { message: REASON, code: 'bad_request', request_id: 'x' } })
/** An answer of a proxy. */
export const failWordless = (route: Route) =>
  route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>Internal Server Error</h1>' })

/** Has each use of a call end as `end` says; returns a function that undoes it. */
export async function interceptCall(
  page: Page,
  key: keyof AllCalls & CallKey,
  end: (route: Route) => unknown,
): Promise<() => Promise<void>> {
  const [method, path = ''] = key.split(' ')
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
  const matches = (url: URL) => pattern.test(url.pathname)
  await page.route(matches, (route) => (route.request().method() === method ? end(route) : route.fallback()))
  return () => page.unroute(matches)
}

/**
 * Does something whose call fails: with the server's reason, which is then shown, and with an answer that has no words, which
 * shows `message`. A call without an answer ends as that one: `api.test.ts`.
 */
export async function expectFailures(
  page: Page,
  key: keyof AllCalls & CallKey,
  message: string,
  act: () => Promise<unknown>,
): Promise<void> {
  const ends: [text: string, end: (route: Route) => unknown][] = [
    [REASON, refuse],
    [message, failWordless],
  ]
  for (const [text, end] of ends) {
    const undo = await interceptCall(page, key, end)
    await expectNotice(page, text, act)
    await undo()
  }
}
