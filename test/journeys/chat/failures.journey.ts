import { test } from 'vitest'
import type { Page } from '@playwright/test'
import { PLACEHOLDER } from '#contract/chat.ts'
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
import { useBrowserWorld } from '../../world/browser-world.ts'
import { modelNames } from '../../world/real-names.ts'

const world = useBrowserWorld()
const ANSWER = createSentences(80)

const openChat = async (expectedErrors: RegExp): Promise<Page> =>
  world.visit('/chat', { client: await world.user(), expectedErrors, isFirst: true })

/** Expects the answer to say why it broke off, and to keep its text so far, also after a reload. */
async function expectReason(page: Page, text: RegExp): Promise<void> {
  await expect(answers(page)).toHaveCount(1)
  await expect(answers(page)).toHaveText(text)
  await expect(answers(page).getByRole('alert')).not.toBeEmpty()
  const shown = await readSettledText(answers(page))
  await page.reload()
  await expect(answers(page)).toHaveText(shown)
}

test('an answer that fails says why and can be asked for again: when the upstream refuses, breaks off, or the server is started again', async () => {
  const page = await openChat(/ERR_/)
  world.upstream.script('scripted', { status: 500 })
  await ask(page, '为什么？')
  await expectReason(page, /^[^第]/)
  world.upstream.script('scripted', { ...slowScript(ANSWER), cut: 20 })
  await button(page, chatText.regenerate).click()
  await expectReason(page, /^第1句，渠水清如许。第2句/)
  world.upstream.script('scripted', endlessScript(`重来：${ANSWER}`))
  await button(page, chatText.regenerate).click()
  await expect(answers(page)).toContainText(/重来：第1句.+第4句/)
  await world.restart()
  await expectReason(page, /^重来：第1句，渠水清如许。第2句/)
  world.upstream.script('scripted', { text: '这次完整了。' })
  await button(page, chatText.regenerate).click()
  await expectAnswer(page, '这次完整了。')
  await expect(questions(page)).toHaveText(['为什么？'])
})

test('a network that is away in mid-answer loses nothing and doubles nothing; a question that it keeps from being sent waits on the screen until it is back', async () => {
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

  world.upstream.script('scripted', { text: '在。' })
  await waitForIdle(page)
  await page.context().setOffline(true)
  await ask(page, '在吗？')
  await expect(answers(page).last().getByRole('alert')).toContainText(messagesText.offline)
  await expect(button(page, chatText.resend)).toBeVisible()
  await expect(questions(page)).toHaveText(['慢慢说', '在吗？'])
  await page.context().setOffline(false)
  await expectAnswer(page, '在。')
  await page.reload()
  await expect(questions(page)).toHaveText(['慢慢说', '在吗？'])
  await expect(composer(page)).toBeEmpty()
})

test('a question that could not be sent is a draft after a reload, and asked once when only the answer of the server was lost', async () => {
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

  world.upstream.script('scripted', { text: '还在。' })
  await page.route('**/api/chat/create', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await ask(page, '还在吗？')
  await expect(answers(page).last().getByRole('alert')).toContainText(messagesText.notSent)
  await page.unroute('**/api/chat/create')
  await button(page, `${chatText.modelPicker}：${modelNames.scripted}`).click()
  await page.getByRole('option', { name: modelNames['farui-scripted'] }).click()
  await button(page, chatText.resend).click()
  await expectAnswer(page, '还在。')
  await page.reload()
  await expect(questions(page)).toHaveText(['在吗？', '还在吗？'])
})

test('the answer says in its place that no session could be opened, that the server gave no message, and what it says against a question', async () => {
  const page = await openChat(/status of (502|404)/)
  await page.route('**/api/chat/session/new', (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad Gateway' }),
  )
  await ask(page, '在吗？')
  await expect(answers(page).getByRole('alert')).toContainText(messagesText.newSessionFailed)
  await page.reload()
  await page.unroute('**/api/chat/session/new')
  await page.route('**/api/chat/create', (route) => route.fulfill({ json: {} }))
  await ask(page, '在吗？')
  await expect(answers(page)).toContainText(messagesText.noChatMessage)
  await page.reload()
  await page.unroute('**/api/chat/create')
  await page.route('**/api/chat/create', (route) =>
    route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), model: 'none' }) }),
  )
  await ask(page, '在吗？')
  await expect(answers(page).getByRole('alert')).toContainText('模型不存在或已下线')
  await expect(answers(page)).not.toContainText(PLACEHOLDER)
})
