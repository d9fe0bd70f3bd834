import { test } from 'vitest'
import { feedbackText, messagesText } from '#web/text/messages.ts'
import { findAccessibilityViolations } from '../../world/browser.ts'
import { ask, button, expect, expectAnswer, expectNotice, questions } from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()

test('an answer is rated, the bad rating explained, and taken back; it stays over a reload', async () => {
  const client = await world.user()
  world.upstream.script('scripted', { text: '答一。' })
  const page = await world.visit('/chat', { client })
  await ask(page, '问一')
  await expectAnswer(page, '答一。')
  const [up, down] = [button(page, feedbackText.up), button(page, feedbackText.down)]
  const dialog = page.getByRole('dialog', { name: feedbackText.title })
  await up.press('Enter')
  await expect(up).toHaveAttribute('aria-pressed', 'true')
  await down.press('Enter')
  await expect(dialog).toBeVisible()
  await button(page, feedbackText.reason.inaccurate).click()
  await page.getByLabel(feedbackText.text).fill('年份不对')
  expect(await findAccessibilityViolations(page)).toEqual([])
  await expectNotice(page, feedbackText.done, () => button(page, feedbackText.submit).click())
  await expect(dialog).toBeHidden()
  await page.reload()
  await expect(down).toHaveAttribute('aria-pressed', 'true')
  await expect(up).toHaveAttribute('aria-pressed', 'false')
  const sess_id = new URL(page.url()).searchParams.get('sess_id')!
  const read = async () => (await client.call('GET /api/chat/messages', { query: { sess_id } })).messages[1]
  expect((await read())?.feedback).toEqual({ rating: 'down', reasons: ['inaccurate'], text: '年份不对' })
  await down.click()
  await expect(down).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(async () => (await read())?.feedback).toBeNull()
})

test('a message says when it was sent while it is pointed at, and in its menu', async () => {
  world.upstream.script('scripted', { text: '答一。' })
  const page = await world.visit('/chat')
  await ask(page, '问一')
  await expectAnswer(page, '答一。')
  const time = page.getByRole('time').first()
  await expect(time).toHaveText(/^\d\d:\d\d$/)
  await questions(page).hover()
  await expect(time).toBeInViewport()
  await expect(time).toHaveCSS('opacity', '1')
  const whole = await time.getAttribute('title')
  await questions(page).getByRole('button', { name: messagesText.actions }).click()
  await expect(page.getByRole('menu').getByText(whole!, { exact: true })).toBeVisible()
})
