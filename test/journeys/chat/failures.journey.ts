import { describe, test } from 'vitest'
import type { Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { messagesText } from '#web/text/messages.ts'
import {
  expectAnswer,
  answers,
  getAnswerStates,
  waitForText,
  ask,
  button,
  composer,
  expect,
  questions,
  createSentences,
  endlessScript,
  slowScript,
  recordAnswerStates,
  readSettledText,
  waitForIdle,
} from '../screen/chat-screen.ts'
import { findAccessibilityViolations } from '../../world/browser.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld({ SIGNUP_COINS: '1' })
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
    world.upstream.script('scripted', endlessScript(ANSWER))
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

describe('a question that could not be sent', () => {
  test('waits on the screen while the network is away, and is sent by itself when it is back', async () => {
    const page = await openChat(/ERR_INTERNET_DISCONNECTED/)
    world.upstream.script('scripted', { text: '在。' })
    await waitForIdle(page)
    await page.context().setOffline(true)
    await ask(page, '在吗？')
    await expect(answers(page).getByRole('alert')).toContainText(messagesText.offline)
    await expect(button(page, chatText.resend)).toBeVisible()
    await expect(questions(page)).toHaveText(['在吗？'])
    await page.context().setOffline(false)
    await expectAnswer(page, '在。')
    await page.reload()
    await expect(questions(page)).toHaveText(['在吗？'])
    await expect(composer(page)).toBeEmpty()
  })

  test('is a draft after a reload', async () => {
    const page = await openChat(/ERR_FAILED/)
    await page.route('**/api/chat/create', (route) => route.abort())
    await ask(page, '在吗？')
    await expect(answers(page).getByRole('alert')).toContainText(messagesText.notSent)
    await page.reload()
    await expect(composer(page)).toHaveValue('在吗？')
    await page.unroute('**/api/chat/create')
    world.upstream.script('scripted', { text: '在。' })
    await button(page, chatText.send).click()
    await expectAnswer(page, '在。')
    await page.reload()
    await expect(composer(page)).toBeEmpty()
  })

  test('is asked once when only the answer of the server was lost, whichever model was chosen since', async () => {
    const page = await openChat(/ERR_FAILED/)
    world.upstream.script('scripted', { text: '在。' })
    await page.route('**/api/chat/create', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await ask(page, '在吗？')
    await expect(answers(page).getByRole('alert')).toContainText(messagesText.notSent)
    await page.unroute('**/api/chat/create')
    await button(page, `${chatText.modelPicker}：scripted`).click()
    await page.getByRole('option', { name: /^farui-scripted/ }).click()
    await button(page, chatText.resend).click()
    await expectAnswer(page, '在。')
    await page.reload()
    await expect(questions(page)).toHaveText(['在吗？'])
  })
})

test('where no session could be opened, the answer says so in these words', async () => {
  const page = await openChat(/status of 502/)
  await page.route('**/api/chat/session/new', (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad Gateway' }),
  )
  await ask(page, '在吗？')
  await expect(answers(page).getByRole('alert')).toContainText(messagesText.newSessionFailed)
})

test('a question that the coins are not enough for says what it needs, and goes to a cheaper model', async () => {
  const page = await world.visit('/chat?model=scripted-paid', {
    client: await world.user(),
    expectedErrors: /status of 402/,
  })
  await expect(page.getByRole('button', { name: /scripted-paid/ })).toBeVisible()
  await ask(page, '问渠那得清如许？'.repeat(1000))
  const alert = answers(page).getByRole('alert')
  await expect(alert).toContainText(/最短的回答也需要 \d+\.\d\d 金币；可用余额 1\.00 金币/)
  await expect(alert.getByRole('link', { name: messagesText.recharge })).toHaveAttribute(
    'href',
    /^\/credit\?need=\d+\.\d\d&back=%2Fchat/,
  )
  expect(await findAccessibilityViolations(page)).toEqual([])
  world.upstream.script('scripted', { text: '为有源头活水来。' })
  await button(page, messagesText.cheaperModel).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^scripted /u })
    .first()
    .click()
  await expectAnswer(page, '为有源头活水来。')
})
