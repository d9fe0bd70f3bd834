import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Frame, Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { agentsText } from '#web/text/agents/agents.ts'
import { agentFormText } from '#web/text/agents/form.ts'
import { launcherText } from '#web/text/agents/launcher.ts'
import { widgetText } from '#web/text/agents/widget.ts'
import { attachmentsText } from '#web/text/attachments.ts'
import { blocksText } from '#web/text/blocks.ts'
import { chatText } from '#web/text/chat.ts'
import { historyText } from '#web/text/history/history.ts'
import { markdownText } from '#web/text/markdown.ts'
import { feedbackText } from '#web/text/messages.ts'
import { sharesText } from '#web/text/shares.ts'
import { createAgent } from '../../agents/agent.ts'
import { upload, waitUntilRead } from '../../files/upload.ts'
import { latin, makePdf, makeScannedPdf } from '../../formats/make-pdf.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import type { Client } from '../../world/client.ts'
import { chooseMenuItem, field, filePicker, sources, tiles } from '../agents/agent-screen.ts'
import { answers, ask, button, composer, expect } from '../screen/chat-screen.ts'
import { expectNoBarriers, expectNoBarriersOnPhone } from './barriers.ts'
import { NARROWEST, WIDEST } from './controls.ts'
import { openPage } from './walk.ts'

const world = useBrowserWorld()
/** The answer to a query for the block of a new file, which does not exist yet. */
const UNKNOWN_FILE = /status of 404.*\/api\/block\/md5/s
const POEM = '# 其一\n\n半亩方塘一鉴开，天光云影共徘徊。\n\n# 其二\n\n问渠那得清如许？为有源头活水来。'

let client: Client
let agent: Awaited<ReturnType<typeof createAgent>>
/** Another person's site: 127.0.0.1, the app's host, is another site than localhost. */
let site: Server
let siteUrl: string
beforeAll(async () => {
  client = await world.user()
  const chat = { system_prompt: '', welcome_prompt: '你好，问我水位。', suggest_prompts: ['水位多高？'] }
  const canal = makePdf([{ content: latin(72, 700, 'A boat costs 30 coins an hour.') }])
  const texts = { '手册.md': '# 水位\n\n正常水位是 3.2 米。', 'canal.pdf': canal }
  agent = await createAgent(world, client, texts, { visible: 2, refer_source: true, settings: { chat } })
  const tag = `<script src="${world.url}/widget.js" data-agent="${agent.uuid}" async></script>`
  site = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
    response.end(
      `<!doctype html><html lang="zh-CN"><meta name="viewport" content="width=device-width"><title>方塘</title>${tag}<main><h1>方塘</h1><a href="#">链接</a></main>`,
    )
  }).listen(0)
  await once(site, 'listening')
  siteUrl = `http://localhost:${(site.address() as AddressInfo).port}`
  await client.call('PUT /api/agent/{id}/widget', {
    params: { id: agent.uuid },
    body: { enabled: true, sites: [siteUrl] },
  })
})
afterAll(() => void site.close())

const openCitation = (one: Page) =>
  answers(one)
    .last()
    .getByRole('link', { name: markdownText.cite(1, 'canal.pdf') })
    .click()
const passage = (page: Page) => page.getByRole('dialog', { name: agentsText.passage })

test('a document is listed, opened, asked about, and read again by a model', async () => {
  const table = { name: '价格.csv', type: 'text/csv', content: '品名,价格\n船,30\n' }
  const { id } = await upload(world, client, { ...table, channel: 'block' })
  await waitUntilRead(client, id)
  const page = await world.visit('/block', { client, expectedErrors: UNKNOWN_FILE })
  await expect(page.getByRole('list', { name: blocksText.list }).getByRole('listitem').first()).toBeVisible()
  await page.getByRole('link', { name: '价格.csv' }).click()
  await expect(page.getByRole('cell', { name: '30' })).toBeVisible()
  await expect(composer(page)).toBeVisible()
  await expectNoBarriers(page, 'a document and its conversation')
  await page.setViewportSize(NARROWEST)
  await button(page, blocksText.chatTab).click()
  await expectNoBarriersOnPhone(page, 'the conversation of a document')
  await page.setViewportSize(WIDEST)

  const scan = { name: '扫描.pdf', type: 'application/pdf', content: makeScannedPdf() }
  const scanned = await upload(world, client, { ...scan, channel: 'block' })
  await waitUntilRead(client, scanned.id)
  await openPage(page, `/block/${scanned.id}`)
  await page.getByText(blocksText.partRead(2, 3, 'page')).click()
  await button(page, blocksText.rereadByModel).click()
  await page
    .getByRole('dialog', { name: blocksText.rereadByModelTitle(1) })
    .getByLabel(blocksText.visionModel)
    .selectOption('seeing')
  await expectNoBarriers(page, 'what reading by a model costs')

  await openPage(page, '/chat')
  const poem = { name: '观书有感.md', mimeType: '', buffer: Buffer.from(POEM) }
  await page.locator('main input[type=file]').setInputFiles(poem)
  const chips = page.getByRole('list', { name: attachmentsText.attachments }).getByRole('listitem')
  await expect(chips).toContainText(/已就绪/)
  await expectNoBarriersOnPhone(page, 'a question with a file')
})

test('agents are listed, made, tried and tested', async () => {
  const page = await world.visit('/agents', { client, expectedErrors: UNKNOWN_FILE })
  await expect(tiles(page).first()).toBeVisible()
  await button(page, agentsText.menu('渠水')).click()
  await expect(page.getByRole('menuitem').first()).toBeVisible()
  await expectNoBarriers(page, 'the menu of an agent')
  await page.keyboard.press('Escape')

  await openPage(page, '/agent/create')
  await filePicker(page).setInputFiles({ name: '观书有感.md', mimeType: '', buffer: Buffer.from(POEM) })
  await expect(sources(page)).toContainText([/已就绪 · \d+ 段/])
  await expect(field(page, agentFormText.systemPrompt)).toBeVisible()
  await expectNoBarriers(page, 'the form of an agent')
  await page.setViewportSize(NARROWEST)
  await button(page, agentFormText.chatTab).click()
  await expectNoBarriersOnPhone(page, 'the trial of an agent')
  await page.setViewportSize(WIDEST)

  const { uuid, chatbot } = await createAgent(world, client, { '观书有感.md': POEM }, { name: '诗' })
  world.upstream.script('scripted', { text: '方塘[1]。' })
  const { sess_id } = await client.ask('鉴是什么？', { chatbot })
  const { messages } = await client.call('GET /api/chat/messages', { query: { sess_id } })
  await client.call('PUT /api/chat/message/{id}/feedback', {
    params: { id: messages[1]!.id },
    body: { rating: 'down', reasons: ['unclear'] },
  })
  await openPage(page, `/agent/${uuid}/edit`)
  await expect(page.getByText(`${feedbackText.reason.unclear} 1`, { exact: true })).toBeVisible()
  world.upstream.script(
    'scripted',
    { text: '["半亩方塘一鉴开是什么样子？","月亮离地球有多远？"]' },
    { text: '天光云影共徘徊[1]。' },
  )
  const { evaluation } = agentFormText
  await button(page, evaluation.start).click()
  await page
    .getByRole('list', { name: evaluation.missed(1, 1) })
    .getByRole('button')
    .click()
  await expect(passage(page)).toContainText('为有源头活水来')
  await expectNoBarriers(page, 'a passage that was missed')
  await page.keyboard.press('Escape')
  const tried = page.getByRole('list', { name: evaluation.answers(1, 2) })
  await tried.getByText(evaluation.unsupported(1)).click()
  await expect(tried.getByRole('list', { name: evaluation.unsupportedList })).toBeVisible()
  await expectNoBarriers(page, 'the answers of a test')
})

test('an agent is asked, its passages are read by its owner, its conversations shared, and its widget set', async () => {
  world.upstream.script('scripted', { text: 'A boat costs 30 coins an hour[1].' })
  const page = await world.visit(`/chat/agent/${agent.uuid}`, { client })
  await ask(page, 'What does a boat cost an hour?')
  await openCitation(page)
  await expect(passage(page).getByText('A boat costs 30 coins an hour.').first()).toBeVisible()
  await expectNoBarriers(page, 'a cited page of a PDF')
  await page.keyboard.press('Escape')
  await expect(passage(page)).toBeHidden()
  await button(page, chatText.share).click()
  const share = page.getByRole('dialog', { name: sharesText.title })
  await share.getByRole('button', { name: sharesText.create }).click()
  await expect(share.getByLabel(sharesText.link)).toBeVisible()
  await expectNoBarriers(page, 'a share of an agent')
  await page.keyboard.press('Escape')
  await button(page, historyText.sessions).click()
  const sessions = page.getByRole('dialog', { name: agentsText.sessions('渠水') })
  await expect(sessions.getByRole('link').first()).toBeVisible()
  await expectNoBarriersOnPhone(page, 'the conversations with an agent')
  await page.keyboard.press('Escape')
  await page.setViewportSize(WIDEST)
  await chooseMenuItem(page, '渠水', widgetText.menu)
  await expect(page.frameLocator('iframe').getByText('你好，问我水位。')).toBeVisible()
  await expectNoBarriersOnPhone(page, 'the settings of the widget')
})

test('others read passages without the document, and what was shared', async () => {
  world.upstream.script('scripted', { text: 'A boat costs 30 coins an hour[1].' })
  const reader = await world.user()
  const { sess_id } = await reader.ask('What does a boat cost an hour?', { chatbot: agent.chatbot })
  const page = await world.visit(`/chat/agent/${agent.uuid}?sess_id=${sess_id}`, { client: reader })
  await openCitation(page)
  await expect(passage(page).getByText(agentsText.passageOnly)).toBeVisible()
  await expectNoBarriers(page, 'a passage without its document')
  const query = { chatbot: agent.chatbot, sess_id }
  const { share } = await reader.call('GET /api/chat/session/link', { query })
  await openPage(page, `/share/${share.id}`)
  await expect(page.getByText(sharesText.withoutDocuments)).toBeVisible()
  await expectNoBarriers(page, 'what was shared of an agent')
})

test('the widget stands on another site', async () => {
  world.upstream.script('scripted', { text: '正常水位是 3.2 米[1]。' })
  const page = await world.visit(`${siteUrl}/`)
  await button(page, launcherText.open).click()
  const frame = page.frameLocator('iframe')
  await frame.getByRole('button', { name: '水位多高？' }).click()
  const answer = frame.getByRole('article', { name: chatText.answer })
  await expect(answer).toContainText('正常水位')
  await expect(answer).toHaveAttribute('aria-busy', 'false')
  const inside: Frame = page.frames().at(-1)!
  await expectNoBarriers(page, 'the frame of the widget', inside)
  await expectNoBarriers(page, 'the site of the widget')
  expect((await page.locator('iframe').boundingBox())!.width).toBeLessThan(420)
  await page.setViewportSize({ width: 390, height: 780 })
  await expect
    .poll(async () => {
      const { x, width } = (await page.locator('iframe').boundingBox())!
      return [x, width]
    })
    .toEqual([0, 390])
  await expectNoBarriers(page, 'the frame of the widget on a phone', inside)
  await expectNoBarriers(page, 'the site of the widget on a phone')
})
