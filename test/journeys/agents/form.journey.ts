import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createCanvas } from '@napi-rs/canvas'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { DEFAULT_SUGGEST_PROMPTS } from '#contract/agents/agent-defaults.ts'
import { uploadMessages } from '#contract/uploads.ts'
import { createEgress } from '#server/core/egress/egress.ts'
import { agentsText } from '#web/text/agents/agents.ts'
import { agentFormText as text } from '#web/text/agents/form.ts'
import { feedbackText } from '#web/text/messages.ts'
import { picturesText } from '#web/text/pictures.ts'
import { uiText } from '#web/text/ui.ts'
import { webSearchText } from '#web/text/webSearch.ts'
import { createAgent } from '../../agents/agent.ts'
import { createRecording } from '../../gateway/operations/operation-caller.ts'
import { findAccessibilityViolations } from '../../world/browser.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import type { Client } from '../../world/client.ts'
import { answers, ask, button, expect } from '../screen/chat-screen.ts'
import { chooseMenuItem, draftState, field, filePicker, sources, tiles } from './agent-screen.ts'

/** A site of the public internet, as far as these journeys go. */
let site: Server
beforeAll(async () => {
  const page = '<title>观书</title><article><p>昨夜江边春水生，艨艟巨舰一毛轻。</p></article>'
  site = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page)
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
})
afterAll(() => void site.close())
const egress = createEgress({
  resolve: async () => ['127.0.0.1'],
  isAllowedAddress: (address) => address === '127.0.0.1',
  isAllowedPort: () => true,
})

const world = useBrowserWorld({}, { egress })
let client: Client
beforeAll(async () => {
  client = await world.user()
})

/** Whoever asks for the block of a file that is new is told that there is none. */
const UNKNOWN_FILE = /status of 404.*\/api\/block\/md5/s
const POEM = {
  name: '观书有感.md',
  mimeType: '',
  buffer: Buffer.from(
    '# 其一\n\n半亩方塘一鉴开，天光云影共徘徊。\n\n# 其二\n\n问渠那得清如许？为有源头活水来。',
  ),
}
const BROKEN = { name: '坏.bin', mimeType: '', buffer: Buffer.from([0, 1, 2, 255, 254, 0, 9]) }
const isReady = /已就绪 · \d+ 段/

test('an agent is made of a file and a link, tried beside its form with a cited answer, and saved', async () => {
  const page = await world.visit('/agent/create', { client, expectedErrors: UNKNOWN_FILE })
  const titles: string[] = []
  page.on('request', (request) => void (request.url().endsWith('/title') && titles.push(request.url())))
  await expect(page.getByText(text.noSources)).toBeVisible()
  await filePicker(page).setInputFiles(POEM)
  await expect(sources(page)).toContainText([isReady])
  await expect(field(page, text.name)).toHaveValue('观书有感')
  await expect(page.getByText(text.evaluation.later)).toBeVisible()
  await field(page, text.link).fill(`http://site.example:${(site.address() as AddressInfo).port}/a`)
  await button(page, text.addLink).click()
  await expect(sources(page)).toContainText([isReady, isReady])
  world.upstream.script('scripted', { text: '因为有源头活水[1]。' })
  await ask(page, '问渠那得清如许？')
  await expect(answers(page).last()).toContainText('因为有源头活水')
  await expect(page.getByRole('list', { name: webSearchText.passages })).toContainText('观书有感')
  await button(page, text.create).click()
  await expect(page).toHaveURL(/\/chat\/agent\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('观书有感')
  // What was tried is in no list.
  expect(titles).toEqual([])
  await expect(button(page, DEFAULT_SUGGEST_PROMPTS[0]!)).toBeVisible()
})

test('an unsaved form is kept over a reload, and thrown away when that is confirmed', async () => {
  const expectedErrors = new RegExp(`${UNKNOWN_FILE.source}|ERR_FAILED`, 's')
  const page = await world.visit('/agent/create', { client, expectedErrors })
  await filePicker(page).setInputFiles(POEM)
  await expect(sources(page)).toContainText([isReady])
  await field(page, text.name).fill('草稿')
  await field(page, text.suggestPrompts).fill('写了什么？\n\n谁写的？')
  await page.getByRole('switch', { name: text.switches.public.label }).click()
  await page.getByRole('radio', { name: text.chatLevels[1]!.label }).click()
  await expect(field(page, text.welcome)).toHaveValue(/草稿/)
  await expect(draftState(page)).toHaveText(text.draft.saved)
  await field(page, text.desc).fill('刚刚写下')
  await page.reload()
  await expect(field(page, text.desc)).toHaveValue('刚刚写下')
  await expect(field(page, text.name)).toHaveValue('草稿')
  await expect(draftState(page)).toHaveText(text.draft.saved)
  // What is sent while the page is left may not arrive at all.
  await page.route(/\/api\/agent\/[^/]+$/, (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  )
  await field(page, text.desc).fill('没有送到')
  await page.reload()
  await expect(field(page, text.desc)).toHaveValue('没有送到')
  await page.unrouteAll()
  await field(page, text.desc).fill('送到了')
  await expect(draftState(page)).toHaveText(text.draft.saved)
  const { data } = await client.call('POST /api/agent/draft', { body: { agent: null } })
  expect(data.desc).toBe('送到了')
  // What was saved elsewhere since is newer than what was left here.
  await page.reload()
  await expect(field(page, text.desc)).toHaveValue('送到了')
  await expect(field(page, text.suggestPrompts)).toHaveValue('写了什么？\n谁写的？')
  await expect(page.getByRole('switch', { name: text.switches.public.label })).toBeChecked()
  await expect(page.getByRole('radio', { name: text.chatLevels[1]!.label })).toBeChecked()
  await expect(sources(page)).toContainText([isReady])
  await expect(button(page, '谁写的？')).toBeVisible()
  await button(page, text.discard).click()
  await page.getByRole('dialog').getByRole('button', { name: text.discard }).click()
  await expect(page).toHaveURL(/\/agents$/)
  await page.goto(`${world.url}/agent/create`)
  await expect(field(page, text.name)).toHaveValue('')
})

test('the trial that comes late takes the focus from nobody who writes in the form', async () => {
  const page = await world.visit('/agents', { client })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/api\/chat\/sessions/, async (route) => {
    await released
    await route.continue()
  })
  await page.goto(`${world.url}/agent/create`)
  await field(page, text.desc).fill('慢慢写')
  release()
  await expect(page.getByRole('region', { name: text.testChat }).getByRole('textbox')).toBeVisible()
  await page.keyboard.type('完')
  await expect(field(page, text.desc)).toHaveValue('慢慢写完')
})

test('a logo is chosen, stands in the trial at once, and is kept', async () => {
  const page = await world.visit('/agent/create', { client })
  const picture = createCanvas(300, 300).toBuffer('image/png')
  const chooser = page.getByRole('group', { name: text.logo })
  await chooser
    .locator('input[type=file]')
    .setInputFiles({ name: '头像.png', mimeType: 'image/png', buffer: picture })
  const dialog = page.getByRole('dialog', { name: picturesText.crop })
  await dialog.getByRole('button', { name: uiText.confirm }).click()
  const shown = page.getByRole('region', { name: text.testChat }).locator('img')
  await expect(shown).toHaveAttribute('src', /^\/pictures\//)
  await page.reload()
  await expect(shown).toHaveAttribute('src', /^\/pictures\//)
})

test('an agent is edited in a draft: nothing of it changes before it is saved', async () => {
  const { uuid } = await client.call('POST /api/agent', { body: { name: '手册', desc: '旧的' } })
  const page = await world.visit('/agents?q=手册', { client })
  await chooseMenuItem(page, '手册', agentsText.edit)
  await field(page, text.name).fill('新手册')
  await expect(draftState(page)).toHaveText(text.draft.saved)
  const read = async () => (await client.call('GET /api/agent/{id}', { params: { id: uuid } })).data
  expect(await read()).toMatchObject({ name: '手册' })
  await expect(field(page, text.name)).toHaveValue('新手册')
  await button(page, text.save).click()
  await expect(page).toHaveURL(`${world.url}/chat/agent/${uuid}`)
  expect(await read()).toMatchObject({ name: '新手册', desc: '旧的' })
  await page.goto(`${world.url}/agents?q=新手册`)
  await expect(tiles(page)).toContainText(['新手册'])
})

test('a source that cannot be read says why, and is tried again or removed; a second task is refused', async () => {
  const expectedErrors = /status of 404.*\/api\/block\/md5|status of 422/s
  const page = await world.visit('/agent/create', { client, expectedErrors })
  await filePicker(page).setInputFiles(BROKEN)
  await expect(sources(page).locator('.text-danger')).toContainText(/[一-鿿]/)
  await button(page, text.retry('坏.bin')).click()
  await expect(sources(page).locator('.text-danger')).toContainText(/[一-鿿]/)
  await button(page, text.remove('坏.bin')).click()
  await expect(sources(page)).toHaveCount(0)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(/link\/extract/, async (route) => {
    await released
    await route.fulfill({ status: 422, json: { message: '打不开', code: 'link_failed' } })
  })
  await field(page, text.link).fill('site.example')
  await button(page, text.addLink).click()
  await filePicker(page).setInputFiles(POEM)
  await expect(page.getByText(uploadMessages.unfinished)).toBeVisible()
  release()
  await expect(page.getByText('打不开')).toBeVisible()
  await expect(field(page, text.link)).toHaveValue('site.example')
})

test('all sources that are being read are stopped at once, and one is read again when it is wanted after all', async () => {
  const page = await world.visit('/agent/create', { client, expectedErrors: UNKNOWN_FILE })
  // A recording is written down as long as the platform takes.
  world.upstream.script('scripted-asr', { stall: 'headers' })
  const recording = {
    name: '会议.wav',
    mimeType: 'audio/wav',
    buffer: Buffer.from(await createRecording(1).arrayBuffer()),
  }
  await filePicker(page).setInputFiles(POEM)
  await expect(sources(page)).toContainText([isReady])
  // The draft does not have the recording yet when it is stopped.
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const saving = page.waitForRequest((request) => request.method() === 'PUT')
  await page.route(/\/api\/agent\/[^/]+$/, async (route) => {
    await released
    await route.continue()
  })
  await filePicker(page).setInputFiles(recording)
  await saving
  await expect(sources(page)).toContainText([isReady, /读取和索引/])
  await button(page, text.cancelAll).click()
  release()
  await expect(sources(page)).toContainText([isReady, '已停止读取，可以重新读取'])
  await expect(button(page, text.cancelAll)).toHaveCount(0)
  world.upstream.script('scripted-asr', { text: '明天放水。' })
  world.upstream.release()
  await button(page, text.retry('会议.wav')).click()
  await expect(sources(page)).toContainText([isReady, isReady])
})

test('an agent is tested with questions from its sources: its score per version, what was missed, a stop and a refusal', async () => {
  const { uuid, chatbot, blocks } = await createAgent(world, client, {
    '观书有感.md': POEM.buffer.toString(),
  })
  world.upstream.script('scripted', { text: '方塘[1]。' })
  const { sess_id } = await client.ask('鉴是什么？', { chatbot })
  const { messages } = await client.call('GET /api/chat/messages', { query: { sess_id } })
  await client.call('PUT /api/chat/message/{id}/feedback', {
    params: { id: messages[1]!.id },
    body: { rating: 'down', reasons: ['unclear'] },
  })
  const page = await world.visit(`/agent/${uuid}/edit`, { client, expectedErrors: /status of 409/ })
  await expect(page.getByText(`${feedbackText.reason.unclear} 1`, { exact: true })).toBeVisible()
  const scores = page.getByRole('region', { name: text.evaluation.results })
  world.upstream.script(
    'scripted',
    { text: '["半亩方塘一鉴开是什么样子？","月亮离地球有多远？"]' },
    { text: '天光云影共徘徊[1]。' },
  )
  await button(page, text.evaluation.start).click()
  await expect(scores.getByRole('row')).toContainText([
    text.evaluation.hit_1,
    /第 1 版当前.*50%50%50%答出 2 \/ 2/,
  ])
  await page
    .getByRole('list', { name: text.evaluation.missed(1, 1) })
    .getByRole('button')
    .click()
  const dialog = page.getByRole('dialog', { name: agentsText.passage })
  await expect(dialog).toContainText('为有源头活水来')
  expect(await findAccessibilityViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  const tried = page.getByRole('list', { name: text.evaluation.answers(1, 2) })
  await tried.getByText(text.evaluation.unsupported(1)).click()
  await expect(tried.getByRole('list', { name: text.evaluation.unsupportedList })).toHaveText(
    '天光云影共徘徊[1]。',
  )
  expect(await findAccessibilityViolations(page)).toEqual([])
  await expect(tried.getByText(text.evaluation.noPassages)).toBeVisible()
  await tried.getByText(text.evaluation.allSupported).click()
  await tried
    .getByRole('button', { name: /观书有感/ })
    .first()
    .click()
  await expect(dialog).toContainText('观书有感.md')
  await page.keyboard.press('Escape')

  const embeds = blocks.map((id) => ({ id }))
  await client.call('PUT /api/agent/{id}', {
    params: { id: uuid },
    body: { name: '诗', model: 'scripted', embeds },
  })
  await page.reload()
  world.upstream.script('scripted', { stall: 'headers' })
  await button(page, text.evaluation.again).click()
  await expect(page.getByText(text.evaluation.progress(0, 2))).toBeVisible()
  await button(page, text.evaluation.cancel).click()
  await expect(scores.getByRole('row')).toContainText([
    text.evaluation.hit_1,
    /第 2 版当前.*已停止自测/,
    /第 1 版/,
  ])
  world.upstream.release()
  await page.route(/agent\/[^/]+\/evaluation$/, (route) =>
    route.fulfill({ status: 409, json: { message: '先添加文件', code: 'agent_empty' } }),
  )
  await button(page, text.evaluation.again).click()
  await expect(page.getByText('先添加文件')).toBeVisible()
  await expect(button(page, text.evaluation.again)).toBeEnabled()
})

test('prompts are generated; a failure of that, or of saving, is told, and leaves the form as it was', async () => {
  const page = await world.visit('/agent/create', { client, expectedErrors: /status of (402|409)/ })
  await field(page, text.name).fill('诗话')
  world.upstream.script('scripted', { text: '你是诗话，只谈诗，不谈别的。' })
  await button(page, text.generateSystemPrompt).click()
  await expect(field(page, text.systemPrompt)).toHaveValue(/你是诗话，只谈诗，不谈别的。/)
  const samples = { welcome_message: '来谈诗吧', suggest_messages: ['谁写的？', '写了什么？'] }
  world.upstream.script('scripted', { text: JSON.stringify(samples) })
  await button(page, text.generateSamples).click()
  await expect(field(page, text.welcome)).toHaveValue('来谈诗吧')
  await expect(field(page, text.suggestPrompts)).toHaveValue('谁写的？\n写了什么？')

  await page.route(/agent\/sample_prompts/, (route) =>
    route.fulfill({ status: 402, json: { message: '金币不够', code: 'insufficient_balance' } }),
  )
  await button(page, text.generateSamples).click()
  await expect(page.getByText('金币不够')).toBeVisible()
  await expect(button(page, text.generateSamples)).toBeEnabled()
  await expect(field(page, text.welcome)).toHaveValue('来谈诗吧')
  await page.route(/\/api\/agent$/, (route) =>
    route.fulfill({ status: 409, json: { message: '太多了', code: 'agent_count' } }),
  )
  await button(page, text.create).click()
  await expect(page.getByText('太多了')).toBeVisible()
  await expect(button(page, text.create)).toBeEnabled()
  await expect(field(page, text.name)).toHaveValue('诗话')
})

test('on a phone form and trial are two tabs; a guest is asked to sign in, and a strange agent is not there', async () => {
  const page = await world.visit('/agent/create', { client, look: 'phone' })
  await expect(field(page, text.name)).toBeVisible()
  await button(page, text.chatTab).click()
  await expect(field(page, text.name)).toBeHidden()
  await expect(page.getByRole('region', { name: text.testChat })).toBeVisible()
  const guest = await world.visit('/agent/create')
  await expect(guest.getByText(text.signIn)).toBeVisible()
  const { uuid } = await client.call('POST /api/agent', { body: { name: '私' } })
  const stranger = await world.user()
  const strange = await world.visit(`/agent/${uuid}/edit`, {
    client: stranger,
    expectedErrors: /status of 404/,
  })
  await expect(strange.getByText(agentsText.gone)).toBeVisible()
})

describe.each(['light', 'dark', 'phone'] as const)('%s', (look) => {
  test('nobody stumbles over the form and the trial beside it', async () => {
    const page = await world.visit('/agent/create', { client, look, expectedErrors: UNKNOWN_FILE })
    if (look === 'light') {
      await filePicker(page).setInputFiles(POEM)
      await expect(sources(page)).toContainText([isReady])
    }
    await expect(field(page, text.systemPrompt)).toBeVisible()
    expect(await findAccessibilityViolations(page)).toEqual([])
    if (look === 'phone') {
      await button(page, text.chatTab).click()
      expect(await findAccessibilityViolations(page)).toEqual([])
    }
  })
})
