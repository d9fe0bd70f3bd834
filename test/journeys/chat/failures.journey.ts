import { describe, test } from 'vitest'
import type { Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
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
  slowScript,
  recordAnswerStates,
  readSettledText,
} from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()
const ANSWER = createSentences(80)

const openChat = async (expectedErrors?: RegExp): Promise<Page> =>
  world.visit('/chat', {
    client: await world.user(),
    ...(expectedErrors ? { expectedErrors } : {}),
  })

/** The answer says why it broke off, the text so far is there, now and after a reload; asking anew brings the whole. */
async function expectReason(page: Page, text: RegExp): Promise<void> {
  await expect(answers(page)).toHaveCount(1)
  await expect(answers(page)).toHaveText(text)
  await expect(answers(page).getByRole('alert')).not.toBeEmpty()
  const shown = await readSettledText(answers(page))
  await page.reload()
  await expect(answers(page)).toHaveText(shown)
  world.upstream.script('scripted', { text: '这次完整了。' })
  await button(page, chatText.regenerate).click()
  await expectAnswer(page, '这次完整了。')
  await expect(questions(page)).toHaveText(['为什么？'])
}

describe('an answer that fails says why and can be asked for again', () => {
  test('when the upstream refuses', async () => {
    const page = await openChat()
    world.upstream.script('scripted', { status: 500 })
    await ask(page, '为什么？')
    await expectReason(page, /^[^第]/)
  })

  test('when the upstream breaks off in mid-answer', async () => {
    const page = await openChat()
    world.upstream.script('scripted', { ...slowScript(ANSWER), cut: 20 })
    await ask(page, '为什么？')
    await expectReason(page, /^第1句，渠水清如许。第2句/)
  })

  test('when the server is started again in mid-answer', async () => {
    const page = await openChat(/ERR_/)
    world.upstream.script('scripted', slowScript(ANSWER))
    await ask(page, '为什么？')
    await waitForText(page, 40)
    await world.restart()
    await expectReason(page, /^第1句，渠水清如许。第2句/)
  })
})

test('a network that is away for a moment in mid-answer loses nothing and doubles nothing', async () => {
  const page = await openChat(/ERR_INTERNET_DISCONNECTED/)
  await recordAnswerStates(page)
  world.upstream.script('scripted', slowScript(ANSWER))
  await ask(page, '慢慢说')
  await waitForText(page, 40)
  await page.context().setOffline(true)
  // The answer goes on without this reader.
  await expect.poll(() => world.upstream.requests.at(-1)?.answered).toBe(true)
  await page.context().setOffline(false)
  await expectAnswer(page, ANSWER)
  const wrong = (await getAnswerStates(page)).filter((text) => !ANSWER.startsWith(text))
  expect(wrong).toEqual([])
  await expect(answers(page)).toHaveCount(1)
})

test('a question that could not be sent stays on the screen and can be sent again', async () => {
  const page = await openChat(/ERR_INTERNET_DISCONNECTED/)
  world.upstream.script('scripted', { text: '在。' })
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
  await ask(page, '在吗？')
  await expect(answers(page).getByRole('alert')).toBeVisible()
  await expect(questions(page)).toHaveText(['在吗？'])
  await page.context().setOffline(false)
  await button(page, chatText.regenerate).click()
  await expectAnswer(page, '在。')
  await page.reload()
  await expect(questions(page)).toHaveText(['在吗？'])
})
