import { expect as playwrightExpect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { PLACEHOLDER } from '#contract/chat.ts'
import { pages, type NavigationPlace, type PageName } from '#contract/pages.ts'
import { chatText } from '#web/text/chat.ts'
import { countLoadingScripts } from '../../world/browser.ts'
import type { Script } from '../../world/upstream/upstream.ts'

/** Waits until a condition of the page holds; the limit is only for failed tests. */
export const expect = playwrightExpect.configure({ timeout: 60_000 })

/** Returns an answer of one paragraph whose sentences all differ, so that lost or doubled text shows. */
export const createSentences = (count: number): string =>
  Array.from({ length: count }, (_, n) => `第${n + 1}句，渠水清如许。`).join('')

/** Returns a script that writes for some seconds, in steps that a person would see. */
export const slowScript = (text: string): Script => ({ text, chars: 6, every_ms: 15 })
/** Returns a script that holds its last piece back, so that a stop always comes before its end, even on a busy machine. */
export const endlessScript = (text: string): Script => ({
  ...slowScript(text),
  stall: Math.ceil(text.length / 6) - 1,
})

export const composer = (page: Page): Locator => page.getByRole('textbox', { name: /发送消息$/ })
export const questions = (page: Page): Locator => page.getByRole('article', { name: chatText.question })
export const answers = (page: Page): Locator => page.getByRole('article', { name: chatText.answer })
/** The words of a link to a page. */
export const pageLabel = (name: PageName, place: NavigationPlace): string =>
  pages[name].navigation?.[place] ?? name
export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })

const idle = () => new Promise<void>((done) => requestIdleCallback(() => done()))

/**
 * Waits until the page has loaded and runs all its own parts: neither the network nor the page's thread has anything left to do.
 * On a busy machine the network also counts as idle while scripts wait half a second to run: so scripts are counted, too.
 */
export async function waitForIdle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await expect
    .poll(async () => {
      await page.evaluate(idle)
      const before = countLoadingScripts(page)
      await page.evaluate(idle)
      return before + countLoadingScripts(page)
    })
    .toBe(0)
}

export async function ask(page: Page, prompt: string): Promise<void> {
  await composer(page).fill(prompt)
  await button(page, chatText.send).click()
}

/** Holds back the session of a new conversation until the returned function is called. */
export async function holdSession(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/chat/session/new', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Returns the text of an ended answer in its final drawing, which follows a moment after its state. */
export async function readSettledText(answer: Locator): Promise<string> {
  let text = ''
  await expect
    .poll(async () => {
      const before = text
      await answer.page().evaluate(idle)
      text = (await answer.textContent()) ?? ''
      return text !== '' && text === before
    })
    .toBe(true)
  return text
}

/** Expects the last answer to be whole: these words, and no more being written. */
export async function expectAnswer(page: Page, text: string): Promise<void> {
  await expect(answers(page).last()).toHaveText(text)
  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false')
}

/** Waits until the last answer has at least this many characters; returns its text. */
export async function waitForText(page: Page, chars = 1): Promise<string> {
  const text = async () => ((await answers(page).last().textContent()) ?? '').replace(PLACEHOLDER, '').trim()
  await expect.poll(async () => (await text()).length).toBeGreaterThanOrEqual(chars)
  return text()
}

/** Waits until earlier actions are drawn, however long a frame takes. */
export const waitForFrames = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))))

type NoticeWindow = Window & { was_shown?: boolean }

/**
 * Does something that the page confirms for a second or two by a notice, or on the button itself. A script in the page records
 * the notice from before the action: on a busy machine the words are gone when a test looks.
 */
export async function expectNotice(page: Page, text: string, action: () => Promise<unknown>): Promise<void> {
  await page.evaluate((words) => {
    const here = window as NoticeWindow
    here.was_shown = false
    new MutationObserver((changes, observer) => {
      const isShown = changes.some(({ type, target, addedNodes }) =>
        type === 'attributes'
          ? (target as Element).ariaLabel?.includes(words)
          : [...addedNodes, ...(type === 'characterData' ? [target] : [])].some(
              (node) =>
                node.textContent?.includes(words) ||
                (node instanceof Element && node.querySelector(`[aria-label*="${words}"]`)),
            ),
      )
      if (!isShown) return
      here.was_shown = true
      observer.disconnect()
    }).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ['aria-label'],
    })
  }, text)
  await action()
  await expect
    .poll(() => page.evaluate(() => (window as NoticeWindow).was_shown), { message: `It was told: ${text}` })
    .toBe(true)
}

type ObservedWindow = Window & { answers_seen?: string[] }

/** From the next load on, over reloads too, the page records every state of its last answer. */
export const recordAnswerStates = (page: Page): Promise<unknown> =>
  page.context().addInitScript((label) => {
    const seen: string[] = []
    const recordState = () => {
      const last = [...document.querySelectorAll(`[aria-label="${label}"]`)].at(-1)?.textContent.trim()
      if (last && last !== seen.at(-1)) seen.push(last)
    }
    new MutationObserver(recordState).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
    })
    ;(window as ObservedWindow).answers_seen = seen
  }, chatText.answer)

/** Returns every state of the last answer on this page, without the placeholder. */
export async function getAnswerStates(page: Page): Promise<string[]> {
  const seen = await page.evaluate(() => (window as ObservedWindow).answers_seen ?? [])
  return seen.filter((text) => text !== PLACEHOLDER)
}

/** Closes a layer and presses its button again, before the page learns of the closing. */
export const reopenAtOnce = (dialog: Locator): Promise<void> =>
  dialog.evaluate((element: HTMLElement) => {
    element.hidePopover()
    document.querySelector<HTMLElement>('[aria-haspopup=dialog][aria-expanded=true]')!.click()
  })
