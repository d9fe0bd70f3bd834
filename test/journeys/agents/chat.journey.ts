import type { Page } from '@playwright/test'
import { beforeAll, test } from 'vitest'
import { errors } from '#contract/errors.ts'
import { agentsText } from '#web/text/agents/agents.ts'
import { chatText } from '#web/text/chat.ts'
import { historyText } from '#web/text/history/history.ts'
import { messagesText } from '#web/text/messages.ts'
import { sharesText } from '#web/text/shares.ts'
import { shellText } from '#web/text/shell.ts'
import { createAgent } from '../../agents/agent.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import type { Client } from '../../world/client.ts'
import { signInOnAnotherTab } from '../account/sign-in-screen.ts'
import {
  answers,
  ask,
  button,
  composer,
  expect,
  expectAnswer,
  expectNotice,
  holdSession,
  questions,
  waitForIdle,
} from '../screen/chat-screen.ts'

const world = useBrowserWorld()
let client: Client
let agent: Awaited<ReturnType<typeof createAgent>>
let path: string
beforeAll(async () => {
  client = await world.user()
  const settings = {
    chat: { system_prompt: '', welcome_prompt: '你好，问我水位。', suggest_prompts: ['水位多高？'] },
  }
  agent = await createAgent(
    world,
    client,
    { '手册.md': '# 水位\n\n正常水位是 3.2 米。' },
    { visible: 2, settings },
  )
  path = `/chat/agent/${agent.uuid}`
})

const dialog = (page: Page) => page.getByRole('dialog', { name: agentsText.sessions('渠水') })
const sessions = (page: Page) => dialog(page).getByRole('link')
/** Creates an earlier conversation. */
async function createConversation(question: string, answer: string): Promise<string> {
  world.upstream.script('scripted', { text: answer })
  const { chatbot } = agent
  const { session } = await client.call('POST /api/chat/session/new', { body: { chatbot } })
  await client.ask(question, { chatbot, sess_id: session.id })
  return session.id
}

test('conversations with an agent are begun, kept in the address, switched, renamed and deleted; a phone has one way to a new one, which stays on the screen when the one before it is given its session late', async () => {
  const page = await world.visit(path, { client: await world.user() })
  await expect(page.getByText('你好，问我水位。')).toBeVisible()
  world.upstream.script('scripted', { text: '三米多[1]。' })
  await button(page, '水位多高？').click()
  await expect(answers(page).last()).toContainText('三米多')
  await expect(page).toHaveURL(/\?sess_id=/)
  const first = page.url()
  await page.locator('header').getByRole('link', { name: chatText.newSession }).click()
  await expect(page.getByText('你好，问我水位。')).toBeVisible()
  await expect(page).toHaveURL(world.url + path)
  world.upstream.script('scripted', { text: '春天涨。' })
  await ask(page, '何时涨水？')
  await expectAnswer(page, '春天涨。')

  await button(page, historyText.sessions).click()
  await expect(sessions(page)).toHaveCount(2)
  await expect(sessions(page).filter({ hasText: '何时涨水？' })).toHaveAttribute('aria-current', 'page')
  await dialog(page)
    .getByRole('button', { name: historyText.sessionMenu('水位多高？') })
    .click()
  await page.getByRole('menuitem', { name: historyText.rename }).click()
  await dialog(page).getByRole('textbox').fill('水位')
  await dialog(page).getByRole('textbox').press('Enter')
  await sessions(page).filter({ hasText: '水位' }).last().click()
  await expect(dialog(page)).toBeHidden()
  await expect(page).toHaveURL(first)
  await expect(questions(page)).toHaveText(['水位多高？'])

  await button(page, historyText.sessions).click()
  await dialog(page)
    .getByRole('button', { name: historyText.sessionMenu('水位') })
    .click()
  await page.getByRole('menuitem', { name: historyText.remove }).click()
  await page
    .getByRole('dialog', { name: historyText.removeTitle })
    .getByRole('button', { name: historyText.remove })
    .click()
  await expect(page).toHaveURL(world.url + path)
  await expect(page.getByText('你好，问我水位。')).toBeVisible()

  await page.setViewportSize({ width: 390, height: 780 })
  const newChat = page.getByRole('link', { name: shellText.newChat })
  await expect(newChat).toHaveCount(1)
  await expect(composer(page)).toBeVisible()
  world.upstream.script('scripted', { text: '从源头来。' })
  const release = await holdSession(page)
  await ask(page, '水从何来？')
  await expect(questions(page)).toHaveText(['水从何来？'])
  await newChat.click()
  await expect(questions(page)).toHaveCount(0)
  const asked = page.waitForResponse('**/api/chat/create')
  release()
  await asked
  await waitForIdle(page)
  await expect(page).toHaveURL(world.url + path)
})

test('a page shows no conversation with somebody else than its own; an agent answers with its own model, also in a copy of a conversation; a share names the agent, and is continued with it', async () => {
  const general = await client.call('POST /api/chat/session/new', { body: {} })
  const { sess_id } = await client.ask('你好', { sess_id: general.session.id })
  const body = { sess_id, chatbot: agent.chatbot }
  await client.call('POST /api/chat/session/fork', { body })
  await createConversation('水位？', '三米多[1]。')
  const expectedErrors = /status of 404.*\/api\/chat\//s
  const page = await world.visit(`${path}?sess_id=${sess_id}`, { client, expectedErrors })
  await expect(page.getByText(chatText.gone)).toBeVisible()
  await expect(answers(page)).toHaveCount(0)
  await expect(button(page, chatText.share)).toHaveCount(0)
  await ask(page, '还在吗？')
  await expect(answers(page)).toContainText(errors.not_found.message)

  await button(page, historyText.sessions).click()
  await sessions(page).filter({ hasText: '你好' }).first().click()
  // The foreign answer says so.
  await expect(page.getByText(messagesText.generalAnswer)).toHaveCount(1)
  await button(page, messagesText.actions).last().click()
  await expect(page.getByRole('menuitem', { name: messagesText.regenerate })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: messagesText.otherModel })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await ask(page, '问渠')
  await expect(answers(page)).toHaveCount(2)
  await expect(page.getByText(messagesText.generalAnswer)).toHaveCount(1)

  await button(page, historyText.sessions).click()
  await sessions(page).filter({ hasText: '水位？' }).first().click()
  await expect(questions(page)).toHaveText(['水位？'])
  const own = new URL(page.url()).searchParams.get('sess_id')!
  await button(page, chatText.share).click()
  const share = page.getByRole('dialog', { name: sharesText.title })
  await share.getByRole('button', { name: sharesText.create }).click()
  const url = new URL(await share.getByLabel(sharesText.link).inputValue())
  await page.keyboard.press('Escape')
  await expect(share).toBeHidden()
  await expectNotice(page, historyText.forked, () => button(page, historyText.fork).click())
  await expect(page).not.toHaveURL(new RegExp(own))
  await expect(page).toHaveURL(new RegExp(`${path}\\?sess_id=`))
  world.upstream.script('scripted', { text: '一直如此。' })
  await ask(page, '一直吗？')
  await expectAnswer(page, '一直如此。')
  await expect(questions(page)).toHaveCount(2)
  await expect(page.getByText(messagesText.generalAnswer)).toHaveCount(0)

  await signInOnAnotherTab(page, await world.user())
  await page.goto(world.url + url.pathname)
  await expect(page.getByRole('link', { name: '渠水' })).toHaveAttribute('href', path)
  await expect(page.getByText(sharesText.withoutDocuments)).toBeVisible()
  await button(page, sharesText.continue).click()
  await expect(page).toHaveURL(new RegExp(`${path}\\?sess_id=`))
  await expect(answers(page)).toHaveCount(1)
})
