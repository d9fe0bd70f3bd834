import { test } from 'vitest'
import type { Page } from '@playwright/test'
import { PLACEHOLDER } from '#contract/chat.ts'
import { chatText } from '#web/text/chat.ts'
import { messagesText } from '#web/text/messages.ts'
import { shellText } from '#web/text/shell.ts'
import {
  expectAnswer,
  answers,
  ask,
  button,
  composer,
  expect,
  questions,
  createSentences,
  endlessScript,
  slowScript,
  readSettledText,
  waitForIdle,
} from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { modelNames } from '../../world/real-names.ts'

const world = useBrowserWorld()
const ANSWER = createSentences(20)

/** Expects the answer to say why it broke off, and to keep its text so far; returns all it shows. */
async function readReason(page: Page, text: RegExp): Promise<string> {
  await expect(answers(page)).toHaveCount(1)
  await expect(answers(page)).toHaveText([text])
  await expect(answers(page).getByRole('alert')).not.toBeEmpty()
  return readSettledText(answers(page))
}

test('an answer that fails says why, also after a reload, and can be asked for again: when the upstream refuses, breaks off, or the server is started again; a question that could not be sent says why in the place of its answer, is a draft after a reload, waits for a network that is away, and is asked once when only the answer of the server was lost', async () => {
  const expectedErrors = /status of (502|404)|ERR_/
  const page = await world.visit('/chat', { client: await world.user(), expectedErrors })
  world.upstream.script('scripted', { status: 500 })
  await ask(page, '为什么？')
  const refused = await readReason(page, /^[^第]/)
  world.upstream.script('scripted', { ...slowScript(ANSWER), cut: 20 })
  await button(page, chatText.regenerate).click()
  const cut = await readReason(page, /^第1句，渠水清如许。第2句/)
  world.upstream.script('scripted', endlessScript(`重来：${ANSWER}`))
  await button(page, chatText.regenerate).click()
  await expect(answers(page)).toContainText(/重来：第1句.+第4句/)
  await world.restart()
  const interrupted = await readReason(page, /^重来：第1句，渠水清如许。第2句/)
  await page.reload()
  await expect(answers(page)).toHaveText([interrupted])
  for (const earlier of [cut, refused]) {
    await button(page, messagesText.older).click()
    await expect(answers(page)).toHaveText([earlier])
  }
  world.upstream.script('scripted', { text: '这次完整了。' })
  await button(page, chatText.regenerate).click()
  await expectAnswer(page, '这次完整了。')
  await expect(questions(page)).toHaveText(['为什么？'])

  await page.getByRole('link', { name: shellText.newChat, exact: true }).click()
  await expect(questions(page)).toHaveCount(0)
  const reason = answers(page).last().getByRole('alert')
  const resend = () => reason.getByRole('button').click()
  await page.route('**/api/chat/session/new', (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad Gateway' }),
  )
  await ask(page, '在吗？')
  await expect(reason).toContainText(messagesText.newSessionFailed)
  await page.unroute('**/api/chat/session/new')
  await page.route('**/api/chat/create', (route) => route.fulfill({ json: {} }))
  await resend()
  await expect(reason).toContainText(messagesText.noChatMessage)
  await page.unroute('**/api/chat/create')
  await page.route('**/api/chat/create', (route) =>
    route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), model: 'none' }) }),
  )
  await resend()
  await expect(reason).toContainText('模型不存在或已下线')
  await expect(answers(page)).not.toContainText(PLACEHOLDER)
  await page.unroute('**/api/chat/create')
  await page.route('**/api/chat/create', (route) => route.abort())
  await resend()
  await expect(reason).toContainText(messagesText.notSent)
  await page.reload()
  await expect(composer(page)).toHaveValue('在吗？')
  await page.unroute('**/api/chat/create')
  world.upstream.script('scripted', { text: '在。' })
  await button(page, chatText.send).click()
  await expectAnswer(page, '在。')

  world.upstream.script('scripted', { text: '还在。' })
  await page.route('**/api/chat/create', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await ask(page, '还在吗？')
  await expect(reason).toContainText(messagesText.notSent)
  await page.unroute('**/api/chat/create')
  await button(page, `${chatText.modelPicker}：${modelNames.scripted}`).click()
  await page.getByRole('option', { name: modelNames['farui-scripted'] }).click()
  await button(page, chatText.resend).click()
  await expectAnswer(page, '还在。')

  world.upstream.script('scripted', { text: '当然。' })
  await waitForIdle(page)
  await page.context().setOffline(true)
  await ask(page, '一直在吗？')
  await expect(reason).toContainText(messagesText.offline)
  await expect(button(page, chatText.resend)).toBeVisible()
  await expect(questions(page)).toHaveText(['在吗？', '还在吗？', '一直在吗？'])
  await page.context().setOffline(false)
  await expectAnswer(page, '当然。')
  await expect(questions(page)).toHaveText(['在吗？', '还在吗？', '一直在吗？'])
  await expect(composer(page)).toBeEmpty()
})
