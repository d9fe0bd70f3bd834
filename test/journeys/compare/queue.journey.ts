import type { Locator, Page } from '@playwright/test'
import { test } from 'vitest'
import { queueText } from '#web/text/attachments.ts'
import { chatText } from '#web/text/chat.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { ask, button, composer, endlessScript, expect, questions } from '../screen/chat-screen.ts'

const names = { first: '甲', second: '乙' }
type Model = keyof typeof names

const world = useBrowserWorld(
  {},
  {
    models: ({ url }) =>
      JSON.stringify({
        platforms: [
          {
            name: 'scripted',
            alias: '脚本上游',
            dialect: 'openai',
            base_url: url,
            api_key_env: 'SCRIPTED_KEY',
          },
        ],
        models: Object.entries(names).map(([id, name]) => ({
          id,
          name,
          desc: '',
          type: 'chat',
          vendor: name,
          context_window: 64_000,
          max_tokens: 8_000,
          capabilities: [],
          visible: true,
          guest: true,
          discount: 1,
          offers: [{ platform: 'scripted', model: id, input: 100, output: 200 }],
        })),
      }),
  },
)

const answersOf = (page: Page, model: Model): Locator =>
  page.getByRole('article', { name: compareText.columnOf(names[model]), exact: true })
const waiting = (page: Page): Locator =>
  page.getByRole('region', { name: queueText.queue }).getByRole('listitem')

/** Sends a question while answers are being written: it waits. */
async function queue(page: Page, prompt: string, place: number): Promise<void> {
  await composer(page).fill(prompt)
  await composer(page).press('Enter')
  await expect(waiting(page)).toHaveCount(place)
  await expect(waiting(page).last()).toHaveText(prompt)
  await expect(composer(page)).toHaveValue('')
}

test('questions to several models wait until all have answered, and are drafts again after a reload or a stop', async () => {
  // Not before the questions wait: a page that loads the comparison again would see that it has ended.
  const stall = 'headers' as const
  world.upstream.script('first', { text: '甲一。', stall }, { text: '甲二。' }, { text: '甲三。' })
  world.upstream.script('second', { text: '乙一。', stall }, { text: '乙二。' })
  const page = await world.visit('/compare', { client: await world.user() })
  await expect(page.getByRole('list', { name: compareText.models }).getByRole('listitem')).toHaveCount(2)
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  // This page hears of the answers when it is let go.
  await page.route('**/api/chat/completions?*', async (route) => {
    await gate
    await route.continue()
  })
  await ask(page, '问一')
  await expect(button(page, chatText.stop)).toBeVisible()
  await queue(page, '问二', 1)
  await queue(page, '不问了', 2)
  await waiting(page).nth(1).getByRole('button', { name: queueText.edit }).click()
  await expect(composer(page)).toHaveValue('不问了')
  await composer(page).fill('')
  await expect(waiting(page)).toHaveText(['问二'])
  world.upstream.release()
  release()
  await expect(answersOf(page, 'first')).toHaveText(['甲一。', '甲二。'])
  await expect(answersOf(page, 'second')).toHaveText(['乙一。', '乙二。'])
  await expect(waiting(page)).toHaveCount(0)
  await expect(button(page, compareText.voteFor(names.first))).toBeVisible()

  world.upstream.script('second', endlessScript('慢慢说来，'.repeat(40)))
  await ask(page, '问三')
  await expect(answersOf(page, 'first').last()).toHaveText('甲三。')
  await expect(answersOf(page, 'second').last()).toContainText('慢慢说来')
  await queue(page, '问四', 1)
  await page.reload()
  await expect(composer(page)).toHaveValue('问四')
  await expect(button(page, chatText.stop)).toBeVisible()
  await composer(page).press('Enter')
  await expect(waiting(page)).toHaveText(['问四'])
  await button(page, chatText.stop).click()
  await expect(composer(page)).toHaveValue('问四')
  await expect(waiting(page)).toHaveCount(0)
  await expect(answersOf(page, 'second').last()).toContainText(compareText.stopped)
  await expect(questions(page)).toHaveCount(6)
})
