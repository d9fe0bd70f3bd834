import { expect as playwrightExpect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { PLACEHOLDER } from '#contract/chat.ts'
import { pages, type NavigationPlace, type PageName } from '#contract/pages.ts'
import { chatText } from '#web/text/chat.ts'
import { countLoadingScripts } from '../../world/browser.ts'
import type { Script } from '../../world/upstream/upstream.ts'

/** Waits until a condition of the page holds; the limit only ends a journey that has failed. */
export const expect = playwrightExpect.configure({ timeout: 60_000 })

/** An answer of one paragraph whose every sentence is another, so that lost or doubled text shows. */
export const createSentences = (count: number): string =>
  Array.from({ length: count }, (_, n) => `第${n + 1}句，渠水清如许。`).join('')

/** A script that writes for some seconds, in steps that a person would see. */
export const slowScript = (text: string): Script => ({ text, chars: 6, every_ms: 15 })
/** One that holds its last piece back: on a busy machine, too, whoever stops it comes before its end. */
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
 * What the page loads for itself is there and works: neither the network nor the page's thread has anything left to do. The
 * network counts as idle, too, while a busy machine takes half a second to run what has come: so scripts are asked for again.
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

/** The session of a new conversation is not given before the returned function is called. */
export async function holdSession(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/chat/session/new', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** The text of an answer that has ended, once it is drawn as it stays: that follows a moment after its state. */
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

/** The answer at the end is whole: these words, and nothing is being written any more. */
export async function expectAnswer(page: Page, text: string): Promise<void> {
  await expect(answers(page).last()).toHaveText(text)
  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false')
}

/** Text of the answer at the end has begun to arrive, at least so many characters; returns what is there. */
export async function waitForText(page: Page, chars = 1): Promise<string> {
  const text = async () => ((await answers(page).last().textContent()) ?? '').replace(PLACEHOLDER, '').trim()
  await expect.poll(async () => (await text()).length).toBeGreaterThanOrEqual(chars)
  return text()
}

/** Waits until what has been done is drawn, however long a frame takes. */
export const waitForFrames = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))))

type NoticeWindow = Window & { was_shown?: boolean }

/**
 * Does something that the page confirms for a second or two by a notice, or on the button itself. The page notes that by
 * itself, from before it is done: on a busy machine the words are gone when they are asked for.
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

/** Loads the page again; from then on, over reloads too, it notes every state of its last answer. */
export async function recordAnswerStates(page: Page): Promise<void> {
  await page.context().addInitScript((label) => {
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
  await page.reload()
}

/** Every state of the last answer on this page, without the placeholder. */
export async function getAnswerStates(page: Page): Promise<string[]> {
  const seen = await page.evaluate(() => (window as ObservedWindow).answers_seen ?? [])
  return seen.filter((text) => text !== PLACEHOLDER)
}

/** Closes what a button has opened and presses that again, before the page hears of the closing. */
export const reopenAtOnce = (dialog: Locator): Promise<void> =>
  dialog.evaluate((element: HTMLElement) => {
    element.hidePopover()
    document.querySelector<HTMLElement>('[aria-haspopup=dialog][aria-expanded=true]')!.click()
  })
