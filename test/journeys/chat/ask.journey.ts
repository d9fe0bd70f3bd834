import { describe, test } from 'vitest'
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
import type { Script } from '../../world/upstream/upstream.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()
const ANSWER = createSentences(120)

/** Opens the chat page of a signed-in person whose next answer takes a few seconds. */
async function openChat(script: Script = slowScript(ANSWER)) {
  world.upstream.script('scripted', script)
  const client = await world.user()
  const page = await world.visit('/chat', { client })
  return { client, page }
}

describe('reloading in mid-answer', () => {
  test('loses nothing and doubles nothing, whenever it happens', async () => {
    const { page } = await openChat()
    await recordAnswerStates(page)
    await ask(page, '请一句一句说')
    let before = 0
    for (const share of [0.05, 0.25, 0.5, 0.75]) {
      await waitForText(page, Math.floor(ANSWER.length * (share + Math.random() * 0.15)))
      const seen = await getAnswerStates(page)
      expectGrowing(seen, before)
      before = Math.max(before, seen.at(-1)?.length ?? 0)
      await page.reload()
    }
    await expectAnswer(page, ANSWER)
    expectGrowing(await getAnswerStates(page), before)
    await expect(questions(page)).toHaveCount(1)
    await expect(answers(page)).toHaveCount(1)
    const { requests } = world.upstream
    expect(requests.filter(({ body }) => JSON.stringify(body).includes('请一句一句说'))).toHaveLength(1)
  })

  /** Expects each state to be a beginning of the answer, at least as long as the one before and as `before` characters. */
  function expectGrowing(seen: string[], before: number): void {
    const wrong = seen.filter((text) => !ANSWER.startsWith(text))
    expect(wrong).toEqual([])
    const lengths = seen.map((text) => text.length)
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b))
    if (lengths[0] !== undefined) expect(lengths[0]).toBeGreaterThanOrEqual(before)
  }
})

test('the same answer arrives in a tab that is open already, in one that is opened in mid-answer, and on another device whose list names the conversation', async () => {
  const { page, client } = await openChat({ text: '好。' })
  await ask(page, '先开个头')
  await expectAnswer(page, '好。')
  const open = await page.context().newPage()
  await open.goto(page.url())
  await expectAnswer(open, '好。')
  // The answer stalls in the middle until all pages are there, however busy the machine is.
  world.upstream.script('scripted', { ...slowScript(ANSWER), stall: 60 })
  await ask(page, '慢慢说')
  await expect(questions(open)).toHaveText(['先开个头', '慢慢说'])
  await waitForText(page, 40)
  const opened = await page.context().newPage()
  await opened.goto(page.url())
  const phone = await world.visit('/chat', { client, look: 'phone' })
  await button(phone, shellText.openNav).click()
  await phone.getByRole('link', { name: '先开个头' }).click()
  for (const watcher of [open, opened, phone]) {
    const begun = await waitForText(watcher)
    expect(ANSWER.slice(0, begun.length)).toBe(begun)
  }
  world.upstream.release()
  for (const watcher of [open, opened, phone, page]) await expectAnswer(watcher, ANSWER)
})

test('stopping keeps what was written; an answer is whole as soon as it has ended, before its cost is known; regenerating replaces it and keeps the question', async () => {
  const { page } = await openChat(endlessScript(ANSWER))
  await ask(page, '慢慢说')
  await waitForText(page, 30)
  await button(page, chatText.stop).click()
  await expect(answers(page)).toContainText(chatText.stopped)
  const kept = await readSettledText(answers(page))
  expect(ANSWER.startsWith(kept.replace(chatText.stopped, '').trim())).toBe(true)
  await page.reload()
  await expect(answers(page)).toHaveText(kept)
  await expect.poll(() => world.upstream.requests.at(-1)?.aborted).toBe(true)

  world.upstream.script('scripted', { text: '第一种说法。' })
  await button(page, chatText.regenerate).click()
  await expectAnswer(page, '第一种说法。')
  await page.reload()
  await expectAnswer(page, '第一种说法。')
  await expect(answers(page)).toHaveCount(1)
  await expect(questions(page)).toHaveText('慢慢说')

  await page.route('**/api/chat/messages?*', () => {})
  world.upstream.script('scripted', { text: '第一句话。第二句话。第三句话。', chars: 1, every_ms: 15 })
  await ask(page, '说三句')
  await expect(answers(page)).toHaveCount(2)
  await expectAnswer(page, '第一句话。第二句话。第三句话。')
})

test('a model that can be switched thinks when asked to, also after a reload; one without a switch costs coins, which the balance shows', async () => {
  const client = await world.user()
  await client.call('PUT /api/user/model', { body: { model: 'thinker' } })
  world.upstream.script('thinker', { text: '想好了。' })
  const page = await world.visit('/chat', { client })
  const getEffort = () =>
    (world.upstream.requests.at(-1)!.body as { reasoning_effort?: string }).reasoning_effort
  await ask(page, '直接说')
  await expectAnswer(page, '想好了。')
  expect(getEffort()).toBe('none')
  await button(page, chatText.thinking).click()
  await page.reload()
  await expect(button(page, chatText.thinking)).toHaveAttribute('aria-pressed', 'true')
  await ask(page, '想一想')
  await expect(answers(page)).toHaveCount(2)
  await expectAnswer(page, '想好了。')
  expect(getEffort()).toBe('medium')
  await button(page, `${chatText.modelPicker}：${modelNames.thinker}`).click()
  await page.getByRole('option', { name: modelNames['scripted-paid'] }).click()
  await expect(button(page, chatText.thinking)).toHaveCount(0)

  const usage = { prompt_tokens: 100, completion_tokens: 4_900, total_tokens: 5_000 }
  world.upstream.script('scripted-paid', { text: '值。', usage })
  await expect(page.getByText(shellText.coins('50.00'))).toBeVisible()
  await ask(page, '值多少？')
  await expectAnswer(page, '值。')
  await expect(page.getByText(shellText.coins('49.00'))).toBeVisible()
})
