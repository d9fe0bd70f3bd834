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
import type { Script } from '../../world/upstream/upstream.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()
const ANSWER = createSentences(120)

/** A signed-in person on the chat page whose next answer takes a few seconds. */
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

  /** Every state is a beginning of the answer, none shorter than the one before or than what an earlier page showed. */
  function expectGrowing(seen: string[], before: number): void {
    const wrong = seen.filter((text) => !ANSWER.startsWith(text))
    expect(wrong).toEqual([])
    const lengths = seen.map((text) => text.length)
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b))
    if (lengths[0] !== undefined) expect(lengths[0]).toBeGreaterThanOrEqual(before)
  }
})

describe('the same answer arrives everywhere', () => {
  test('in a second tab that is opened in mid-answer', async () => {
    const { page } = await openChat()
    await ask(page, '慢慢说')
    await waitForText(page, 40)
    const tab = await page.context().newPage()
    await tab.goto(page.url())
    const begun = await waitForText(tab)
    expect(ANSWER.slice(0, begun.length)).toBe(begun)
    await expectAnswer(tab, ANSWER)
    await expectAnswer(page, ANSWER)
  })

  test('in a tab that is open already', async () => {
    const { page } = await openChat()
    world.upstream.script('scripted', { text: '好。' }, slowScript(ANSWER))
    await ask(page, '先开个头')
    await expectAnswer(page, '好。')
    const tab = await page.context().newPage()
    await tab.goto(page.url())
    await expectAnswer(tab, '好。')
    await ask(page, '慢慢说')
    await expect(questions(tab)).toHaveText(['先开个头', '慢慢说'])
    await waitForText(tab)
    await expectAnswer(tab, ANSWER)
  })

  test('on another device of the same person, whose list of conversations names it', async () => {
    const { page, client } = await openChat()
    await ask(page, '慢慢说')
    await waitForText(page, 40)
    const phone = await world.visit('/chat', { client, look: 'phone' })
    await button(phone, shellText.openNav).click()
    await phone.getByRole('link', { name: '慢慢说' }).click()
    await waitForText(phone)
    await expectAnswer(phone, ANSWER)
    await expectAnswer(page, ANSWER)
  })
})

test('stopping keeps what was written, on every page and after a reload', async () => {
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
})

test('an answer is whole as soon as it has ended, before the server is asked what it cost', async () => {
  const { page } = await openChat({ text: '第一句话。第二句话。第三句话。', chars: 1, every_ms: 15 })
  await page.route('**/api/chat/messages?*', () => {})
  await ask(page, '说三句')
  await expectAnswer(page, '第一句话。第二句话。第三句话。')
})

test('regenerating replaces the answer and keeps the question', async () => {
  const { page } = await openChat()
  world.upstream.script('scripted', { text: '第一种说法。' }, { text: '第二种说法。' })
  await ask(page, '怎么说？')
  await expectAnswer(page, '第一种说法。')
  await button(page, chatText.regenerate).click()
  await expectAnswer(page, '第二种说法。')
  await page.reload()
  await expectAnswer(page, '第二种说法。')
  await expect(answers(page)).toHaveCount(1)
  await expect(questions(page)).toHaveText('怎么说？')
})

test('a model that can be switched thinks when asked to, also after a reload; another has no switch', async () => {
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
  await button(page, `${chatText.modelPicker}：thinker`).click()
  await page.getByRole('option', { name: 'scripted-paid' }).click()
  await expect(button(page, chatText.thinking)).toHaveCount(0)
})

test('an answer that costs lowers the balance that is shown', async () => {
  const { page } = await openChat()
  world.upstream.script('scripted-paid', {
    text: '值。',
    usage: { prompt_tokens: 100, completion_tokens: 4_900, total_tokens: 5_000 },
  })
  await button(page, `${chatText.modelPicker}：scripted`).click()
  await page.getByRole('option', { name: 'scripted-paid' }).click()
  await expect(page.getByText(shellText.coins('50.00'))).toBeVisible()
  await ask(page, '值多少？')
  await expectAnswer(page, '值。')
  await expect(page.getByText(shellText.coins('49.00'))).toBeVisible()
})
