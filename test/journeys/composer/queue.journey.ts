import { test } from 'vitest'
import { queueText } from '#web/text/attachments.ts'
import { chatText } from '#web/text/chat.ts'
import { shellText } from '#web/text/shell.ts'
import {
  answers,
  ask,
  button,
  composer,
  endlessScript,
  expect,
  expectAnswer,
  questions,
  waitForText,
} from '../screen/chat-screen.ts'
import { queue, waiting } from '../screen/queue.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()

test('questions wait for the answer, can be taken back, and are asked in their order while another conversation is looked at; they are a draft after a reload, and go back to the field when the answer is stopped', async () => {
  world.upstream.script('scripted', { text: '答一。' }, { text: '答二。' }, { text: '答三。' })
  const page = await world.visit('/chat', { client: await world.user() })
  // The answer is there, but it reaches this page only after the release.
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/chat/completions?*', async (route) => {
    await released
    await route.continue()
  })
  await ask(page, '问一')
  await expect(button(page, chatText.stop)).toBeVisible()
  await queue(page, '问二', 1)
  await queue(page, '不问了', 2)
  await queue(page, '问四', 3)
  await waiting(page).nth(1).getByRole('button', { name: queueText.remove }).click()
  await expect(waiting(page)).toHaveText(['问二', '问四'])
  await waiting(page).nth(1).getByRole('button', { name: queueText.edit }).click()
  await expect(composer(page)).toHaveValue('问四')
  await queue(page, '问三', 2)
  await page.getByRole('link', { name: shellText.newChat }).click()
  await expect(waiting(page)).toHaveCount(0)
  release()
  await page.getByRole('link', { name: '问一', exact: true }).click()
  await expect(questions(page)).toHaveText(['问一', '问二', '问三'])
  await expectAnswer(page, '答三。')
  await expect(waiting(page)).toHaveCount(0)
  await page.unroute('**/api/chat/completions?*')

  world.upstream.script('scripted', endlessScript('慢慢说来，'.repeat(40)), { text: '答二。' })
  await page.getByRole('link', { name: shellText.newChat }).click()
  await expect(questions(page)).toHaveCount(0)
  await ask(page, '慢慢问')
  await waitForText(page, 20)
  await queue(page, '问二', 1)
  await queue(page, '问三', 2)
  await page.reload()
  await expect(composer(page)).toHaveValue('问二\n\n问三')
  await expect(button(page, chatText.stop)).toBeVisible()
  await queue(page, '问二', 1)
  await composer(page).fill('又想到的')
  await button(page, chatText.stop).click()
  await expect(composer(page)).toHaveValue('问二\n\n又想到的')
  await expect(waiting(page)).toHaveCount(0)
  await expect(questions(page)).toHaveText(['慢慢问'])
  await expect(answers(page)).toContainText(chatText.stopped)
})
