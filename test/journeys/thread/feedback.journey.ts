import { test } from 'vitest'
import { feedbackText, messagesText } from '#web/text/messages.ts'
import { answers, ask, button, expect, expectAnswer, expectNotice, questions } from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()

test('a message says when it was sent while it is pointed at, and in its menu; a rating is there again, is changed and explained, and taken back; an answer is announced by paragraphs, each once', async () => {
  const client = await world.user()
  world.upstream.script('scripted', { text: '答一。' })
  const { sess_id } = await client.ask('问一')
  const read = async () => (await client.call('GET /api/chat/messages', { query: { sess_id } })).messages[1]!
  const { id } = await read()
  await client.call('PUT /api/chat/message/{id}/feedback', { params: { id }, body: { rating: 'up' } })
  const page = await world.visit(`/chat?sess_id=${sess_id}`, { client })
  await expectAnswer(page, '答一。')
  const time = page.getByRole('time').first()
  await expect(time).toHaveText(/^\d\d:\d\d$/)
  await questions(page).hover()
  await expect(time).toBeInViewport()
  await expect(time).toHaveCSS('opacity', '1')
  const whole = await time.getAttribute('title')
  await questions(page).getByRole('button', { name: messagesText.actions }).click()
  await expect(page.getByRole('menu').getByText(whole!, { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')

  const [up, down] = [button(page, feedbackText.up), button(page, feedbackText.down)]
  const dialog = page.getByRole('dialog', { name: feedbackText.title })
  await expect(up).toHaveAttribute('aria-pressed', 'true')
  await down.press('Enter')
  await expect(dialog).toBeVisible()
  await button(page, feedbackText.reason.inaccurate).click()
  await page.getByLabel(feedbackText.text).fill('年份不对')
  await expectNotice(page, feedbackText.done, () => button(page, feedbackText.submit).click())
  await expect(dialog).toBeHidden()
  await expect(down).toHaveAttribute('aria-pressed', 'true')
  await expect(up).toHaveAttribute('aria-pressed', 'false')
  expect((await read()).feedback).toEqual({ rating: 'down', reasons: ['inaccurate'], text: '年份不对' })
  await down.click()
  await expect(down).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(async () => (await read()).feedback).toBeNull()
  await up.press('Enter')
  await expect(up).toHaveAttribute('aria-pressed', 'true')

  await page.evaluate(() => {
    const received: string[] = []
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (node.parentElement?.role === 'log') received.push(node.textContent ?? '')
      }
    }).observe(document.body, { subtree: true, childList: true })
    Object.assign(window, { received })
  })
  const paragraphs = Array.from({ length: 6 }, (_, n) => `第 ${n} 段，**渠**水清如许。`)
  world.upstream.script('scripted', { text: paragraphs.join('\n\n'), chars: 3, every_ms: 20 })
  await ask(page, '请写')
  await expect(questions(page)).toHaveCount(2)
  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false')
  const received = () => page.evaluate(() => (window as Window & { received?: string[] }).received ?? [])
  await expect.poll(async () => (await received()).join(' ')).toContain('第 5 段')
  const all = await received()
  // One a paragraph at most; the last paragraph may come in two, with the last text and with the end, cut at any space.
  expect(all.length).toBeLessThanOrEqual(paragraphs.length + 1)
  const numbers = [...all.join(' ').matchAll(/第\s+(\d)\s+段/g)].map(([, number]) => Number(number))
  expect(numbers).toEqual(paragraphs.map((_, number) => number))
})
