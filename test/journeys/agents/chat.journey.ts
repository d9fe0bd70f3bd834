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

test('conversations with an agent are begun, kept in the address, switched, renamed and deleted', async () => {
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
  await page.reload()
  await expect(questions(page)).toHaveText('何时涨水？')

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
  await expect(questions(page)).toHaveText('水位多高？')

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
})

test('a phone has one way to a new conversation with the agent, which stays on the screen when the one before it is given its session late', async () => {
  const sessId = await createConversation('水位几何？', '三米多。')
  const page = await world.visit(`${path}?sess_id=${sessId}`, { client, look: 'phone' })
  const newChat = page.getByRole('link', { name: shellText.newChat })
  await expect(newChat).toHaveCount(1)
  await newChat.click()
  await expect(page).toHaveURL(world.url + path)
  await expect(composer(page)).toBeVisible()

  world.upstream.script('scripted', { text: '春天涨。' })
  const release = await holdSession(page)
  await ask(page, '何时涨水？')
  await expect(questions(page)).toHaveText('何时涨水？')
  await newChat.click()
  await expect(questions(page)).toHaveCount(0)
  const asked = page.waitForResponse('**/api/chat/create')
  release()
  await asked
  await waitForIdle(page)
  await expect(page).toHaveURL(world.url + path)
})

test('a page shows no conversation with somebody else than its own, as little as one that never was', async () => {
  const { uuid } = await client.call('POST /api/agent', { body: { name: '别处', visible: 2 } })
  const mine = await createConversation('水位在哪？', '三米多。')
  const { sess_id } = await client.ask('你好')
  const expectedErrors = /status of 404.*\/api\/chat\//s
  const page = await world.visit(`${path}?sess_id=${mine}`, { client, expectedErrors })
  await expect(answers(page)).toHaveCount(1)
  const foreign = [
    `${path}?sess_id=${sess_id}`,
    `/chat?sess_id=${mine}`,
    `/chat/agent/${uuid}?sess_id=${mine}`,
  ]
  for (const address of foreign) {
    await page.goto(world.url + address)
    await expect(page.getByText(chatText.gone)).toBeVisible()
    await expect(answers(page)).toHaveCount(0)
    await expect(button(page, chatText.share)).toHaveCount(0)
    await ask(page, '还在吗？')
    await expect(answers(page)).toContainText(errors.not_found.message)
  }
  await page.goto(`${world.url}/chat?sess_id=${sess_id}`)
  await expect(answers(page)).toHaveCount(1)
})

test('an agent answers with its own model, also in a copy of a conversation; a share names the agent, and is continued with it', async () => {
  const general = await client.call('POST /api/chat/session/new', { body: {} })
  const { sess_id } = await client.ask('你好', { sess_id: general.session.id })
  const body = { sess_id, chatbot: agent.chatbot }
  const { session } = await client.call('POST /api/chat/session/fork', { body })
  const page = await world.visit(`${path}?sess_id=${session.id}`, { client })
  // The foreign answer says so.
  await expect(page.getByText(messagesText.generalAnswer)).toHaveCount(1)
  await button(page, messagesText.actions).last().click()
  await expect(page.getByRole('menuitem', { name: messagesText.regenerate })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: messagesText.otherModel })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await ask(page, '问渠')
  await expect(answers(page)).toHaveCount(2)
  await expect(page.getByText(messagesText.generalAnswer)).toHaveCount(1)

  const own = await createConversation('水位？', '三米多[1]。')
  await page.goto(`${world.url}${path}?sess_id=${own}`)
  await expect(questions(page)).toHaveText('水位？')
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

  const guest = await world.visit(url.pathname)
  await expect(guest.getByRole('link', { name: '渠水' })).toHaveAttribute('href', path)
  await expect(guest.getByText(sharesText.withoutDocuments)).toBeVisible()
  const reader = await world.visit(url.pathname, { client: await world.user() })
  await button(reader, sharesText.continue).click()
  await expect(reader).toHaveURL(new RegExp(`${path}\\?sess_id=`))
  await expect(answers(reader)).toHaveCount(1)
})
