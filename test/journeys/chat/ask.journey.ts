import { test } from 'vitest'
import { chatText } from '#web/text/chat.ts'
import { shellText } from '#web/text/shell.ts'
import {
  expectAnswer,
  answers,
  getAnswerStates,
  waitForText,
  ask,
  button,
  expect,
  questions,
  createSentences,
  endlessScript,
  slowScript,
  recordAnswerStates,
  readSettledText,
} from '../screen/chat-screen.ts'
import { modelNames } from '../../world/real-names.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()
const ANSWER = createSentences(50)

/** Expects each state to be a beginning of the answer, at least as long as the one before and as `before` characters. */
function expectGrowing(seen: string[], before: number): void {
  const wrong = seen.filter((text) => !ANSWER.startsWith(text))
  expect(wrong).toEqual([])
  const lengths = seen.map((text) => text.length)
  expect(lengths).toEqual([...lengths].sort((a, b) => a - b))
  if (lengths[0] !== undefined) expect(lengths[0]).toBeGreaterThanOrEqual(before)
}

test('an answer loses nothing and doubles nothing when its page is loaded again or its network is away, whenever that happens', async () => {
  const client = await world.user()
  const expectedErrors = /ERR_INTERNET_DISCONNECTED/
  const page = await world.visit('/chat', { client, expectedErrors, beforeLoad: recordAnswerStates })
  // The answer stalls in the middle until the page has been loaded again, however busy the machine is.
  world.upstream.script('scripted', { ...slowScript(ANSWER), stall: 50 })
  await ask(page, '请一句一句说')
  let before = 0
  for (const share of [0.05, 0.35]) {
    await waitForText(page, Math.floor(ANSWER.length * (share + Math.random() * 0.15)))
    const seen = await getAnswerStates(page)
    expectGrowing(seen, before)
    before = Math.max(before, seen.at(-1)?.length ?? 0)
    await page.reload()
  }
  await waitForText(page, before)
  await page.context().setOffline(true)
  world.upstream.release()
  // The answer goes on without this reader.
  await expect.poll(() => world.upstream.requests.at(-1)?.answered).toBe(true)
  await page.context().setOffline(false)
  await expectAnswer(page, ANSWER)
  expectGrowing(await getAnswerStates(page), before)
  await expect(questions(page)).toHaveCount(1)
  await expect(answers(page)).toHaveCount(1)
  const { requests } = world.upstream
  expect(requests.filter(({ body }) => JSON.stringify(body).includes('请一句一句说'))).toHaveLength(1)
})

test('a model that can be switched thinks when asked to; stopping keeps what was written, and regenerating replaces it; a model without a switch costs coins, which the balance shows; an answer is whole as soon as it has ended, before its cost is known', async () => {
  const client = await world.user()
  await client.call('PUT /api/user/model', { body: { model: 'thinker' } })
  const page = await world.visit('/chat', { client })
  const getEffort = () =>
    (world.upstream.requests.at(-1)!.body as { reasoning_effort?: string }).reasoning_effort
  world.upstream.script('thinker', { text: '想好了。' })
  await ask(page, '直接说')
  await expectAnswer(page, '想好了。')
  expect(getEffort()).toBe('none')
  await button(page, chatText.thinking).click()
  world.upstream.script('thinker', endlessScript(ANSWER))
  await ask(page, '慢慢说')
  await expect(answers(page)).toHaveCount(2)
  await waitForText(page, 30)
  expect(getEffort()).toBe('medium')
  await button(page, chatText.stop).click()
  await expect(answers(page).last()).toContainText(chatText.stopped)
  const kept = await readSettledText(answers(page).last())
  expect(ANSWER.startsWith(kept.replace(chatText.stopped, '').trim())).toBe(true)
  await expect.poll(() => world.upstream.requests.at(-1)?.aborted).toBe(true)
  await page.reload()
  await expect(answers(page).last()).toHaveText(kept)
  await expect(button(page, chatText.thinking)).toHaveAttribute('aria-pressed', 'true')

  world.upstream.script('thinker', { text: '另一种说法。' })
  await button(page, chatText.regenerate).click()
  await expectAnswer(page, '另一种说法。')
  await expect(answers(page)).toHaveText(['想好了。', '另一种说法。'])
  await expect(questions(page)).toHaveText(['直接说', '慢慢说'])

  await button(page, `${chatText.modelPicker}：${modelNames.thinker}`).click()
  await page.getByRole('option', { name: modelNames['scripted-paid'] }).click()
  await expect(button(page, chatText.thinking)).toHaveCount(0)
  const usage = { prompt_tokens: 100, completion_tokens: 4_900, total_tokens: 5_000 }
  world.upstream.script('scripted-paid', { text: '值。', usage })
  await expect(page.getByText(shellText.coins('50.00'))).toBeVisible()
  await ask(page, '值多少？')
  await expectAnswer(page, '值。')
  await expect(page.getByText(shellText.coins('49.00'))).toBeVisible()

  await page.route('**/api/chat/messages?*', () => {})
  world.upstream.script('scripted-paid', { text: '第一句话。第二句话。第三句话。', chars: 1, every_ms: 15 })
  await ask(page, '说三句')
  await expect(answers(page)).toHaveCount(4)
  await expectAnswer(page, '第一句话。第二句话。第三句话。')
})
