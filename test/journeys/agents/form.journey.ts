import { createCanvas } from '@napi-rs/canvas'
import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { DEFAULT_SUGGEST_PROMPTS } from '#contract/agents/agent-defaults.ts'
import { uploadMessages } from '#contract/uploads.ts'
import { agentsText } from '#web/text/agents/agents.ts'
import { agentFormText as text } from '#web/text/agents/form.ts'
import { feedbackText } from '#web/text/messages.ts'
import { picturesText } from '#web/text/pictures.ts'
import { uiText } from '#web/text/ui.ts'
import { webSearchText } from '#web/text/webSearch.ts'
import { createAgent } from '../../agents/agent.ts'
import { createRecording } from '../../gateway/operations/operation-caller.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { answers, ask, button, expect, pageLabel } from '../screen/chat-screen.ts'
import { chooseMenuItem, draftState, field, filePicker, sources, tiles } from './agent-screen.ts'

const world = useBrowserWorld()

/** The answer to a query for the block of a new file, which does not exist yet. */
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

test('an unsaved form takes the focus from nobody, has its prompts generated, stays as it was where something fails, is kept over a reload, has two tabs on a phone, and is thrown away when that is confirmed; a source that cannot be read is removed, or tried again, a second task is refused, and all that are being read are stopped at once; the agent is tried beside its form with a cited answer, saved, and edited in a draft', async () => {
  const client = await world.user()
  const expectedErrors = new RegExp(`${UNKNOWN_FILE.source}|status of (402|409|422)|ERR_FAILED`, 's')
  // The trial loads late, while the person already writes in the form.
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const holdTrial = (page: Page) =>
    page.route(/\/api\/chat\/sessions/, async (route) => {
      await released
      await route.continue()
    })
  const page = await world.visit('/agent/create', { client, expectedErrors, beforeLoad: holdTrial })
  await field(page, text.desc).fill('慢慢写')
  release()
  const trial = page.getByRole('region', { name: text.testChat })
  await expect(trial.getByRole('textbox')).toBeVisible()
  await page.keyboard.type('完')
  await expect(field(page, text.desc)).toHaveValue('慢慢写完')

  await expect(page.getByText(text.noSources)).toBeVisible()
  await filePicker(page).setInputFiles(POEM)
  await expect(sources(page)).toContainText([isReady])
  await expect(field(page, text.name)).toHaveValue('观书有感')
  await field(page, text.name).fill('诗话')
  await expect(field(page, text.welcome)).toHaveValue(/诗话/)
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

  await field(page, text.suggestPrompts).fill('写了什么？\n\n谁写的？')
  await page.getByRole('switch', { name: text.switches.public.label }).click()
  await page.getByRole('radio', { name: text.chatLevels[1]!.label }).click()
  const picture = createCanvas(300, 300).toBuffer('image/png')
  await page
    .getByRole('group', { name: text.logo })
    .locator('input[type=file]')
    .setInputFiles({ name: '头像.png', mimeType: 'image/png', buffer: picture })
  await page
    .getByRole('dialog', { name: picturesText.crop })
    .getByRole('button', { name: uiText.confirm })
    .click()
  await expect(trial.locator('img')).toHaveAttribute('src', /^\/pictures\//)
  await expect(draftState(page)).toHaveText(text.draft.saved)
  // A request that is sent on leaving the page may not arrive at all.
  await page.route(/\/api\/agent\/[^/]+$/, (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  )
  await field(page, text.desc).fill('没有送到')
  await page.reload()
  await expect(field(page, text.desc)).toHaveValue('没有送到')
  await expect(field(page, text.name)).toHaveValue('诗话')
  await expect(trial.locator('img')).toHaveAttribute('src', /^\/pictures\//)
  await expect(page.getByRole('switch', { name: text.switches.public.label })).toBeChecked()
  await expect(page.getByRole('radio', { name: text.chatLevels[1]!.label })).toBeChecked()
  await expect(sources(page)).toContainText([isReady])
  await expect(button(page, '谁写的？')).toBeVisible()
  await page.unrouteAll()
  await field(page, text.desc).fill('送到了')
  await expect(draftState(page)).toHaveText(text.draft.saved)
  const { data } = await client.call('POST /api/agent/draft', { body: { agent: null } })
  expect(data).toMatchObject({
    name: '诗话',
    desc: '送到了',
    visible: 2,
    settings: { chat: { welcome_prompt: '来谈诗吧', suggest_prompts: ['写了什么？', '谁写的？'] } },
  })

  await page.setViewportSize({ width: 390, height: 780 })
  await expect(field(page, text.name)).toBeVisible()
  await button(page, text.chatTab).click()
  await expect(field(page, text.name)).toBeHidden()
  await expect(trial).toBeVisible()
  await page.setViewportSize({ width: 1280, height: 820 })
  await button(page, text.discard).click()
  await page.getByRole('dialog').getByRole('button', { name: text.discard }).click()
  await expect(page).toHaveURL(/\/agents$/)

  await page.getByRole('region', { name: agentsText.create }).getByRole('link').click()
  await expect(field(page, text.name)).toHaveValue('')
  const titles: string[] = []
  page.on('request', (request) => void (request.url().endsWith('/title') && titles.push(request.url())))
  await filePicker(page).setInputFiles(BROKEN)
  await expect(sources(page).locator('.text-danger')).toContainText(/[一-鿿]/)
  await button(page, text.remove('坏.bin')).click()
  await expect(sources(page)).toHaveCount(0)
  const link = Promise.withResolvers<void>()
  await page.route(/link\/extract/, async (route) => {
    await link.promise
    await route.fulfill({ status: 422, json: { message: '打不开', code: 'link_failed' } })
  })
  await field(page, text.link).fill('site.example')
  await button(page, text.addLink).click()
  await filePicker(page).setInputFiles(POEM)
  await expect(page.getByText(uploadMessages.unfinished)).toBeVisible()
  link.resolve()
  await expect(page.getByText('打不开')).toBeVisible()
  await expect(field(page, text.link)).toHaveValue('site.example')

  // The transcription takes as long as the platform's call.
  world.upstream.script('scripted-asr', { stall: 'headers' })
  const recording = {
    name: '会议.wav',
    mimeType: 'audio/wav',
    buffer: Buffer.from(await createRecording(1).arrayBuffer()),
  }
  await filePicker(page).setInputFiles(POEM)
  await expect(sources(page)).toContainText([isReady])
  // The stopped draft does not have the recording yet.
  const draft = Promise.withResolvers<void>()
  const saving = page.waitForRequest((request) => request.method() === 'PUT')
  await page.route(/\/api\/agent\/[^/]+$/, async (route) => {
    await draft.promise
    await route.continue()
  })
  await filePicker(page).setInputFiles(recording)
  await saving
  await expect(sources(page)).toContainText([isReady, /读取和索引/])
  await button(page, text.cancelAll).click()
  draft.resolve()
  await expect(sources(page)).toContainText([isReady, '已停止读取，可以重新读取'])
  await expect(button(page, text.cancelAll)).toHaveCount(0)
  world.upstream.script('scripted-asr', { text: '明天放水。' })
  world.upstream.release()
  await button(page, text.retry('会议.wav')).click()
  await expect(sources(page)).toContainText([isReady, isReady])

  await field(page, text.name).fill('手册')
  await field(page, text.desc).fill('谈诗')
  await expect(page.getByText(text.evaluation.later)).toBeVisible()
  world.upstream.script('scripted', { text: '因为有源头活水[1]。' })
  await ask(page, '问渠那得清如许？')
  await expect(answers(page).last()).toContainText('因为有源头活水')
  await expect(page.getByRole('list', { name: webSearchText.passages })).toContainText('观书有感')
  await button(page, text.create).click()
  await expect(page).toHaveURL(/\/chat\/agent\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('手册')
  // The trial's conversation is in no list.
  expect(titles).toEqual([])
  await expect(button(page, DEFAULT_SUGGEST_PROMPTS[0]!)).toBeVisible()

  // The agent stays as it is until it is saved.
  const address = page.url()
  await chooseMenuItem(page, '手册', agentsText.edit)
  await field(page, text.name).fill('新手册')
  await expect(draftState(page)).toHaveText(text.draft.saved)
  const params = { id: address.slice(-36) }
  const read = async () => (await client.call('GET /api/agent/{id}', { params })).data
  expect(await read()).toMatchObject({ name: '手册' })
  await expect(field(page, text.name)).toHaveValue('新手册')
  await button(page, text.save).click()
  await expect(page).toHaveURL(address)
  expect(await read()).toMatchObject({ name: '新手册', desc: '谈诗' })
  await page.getByRole('link', { name: pageLabel('AgentList', 'sidebar'), exact: true }).click()
  await expect(tiles(page)).toContainText(['新手册'])
})

test('an agent is tested with questions from its sources: its score per version, what was missed, a stop and a refusal', async () => {
  const client = await world.user()
  const { uuid, chatbot } = await createAgent(world, client, {
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
  await page.keyboard.press('Escape')
  const tried = page.getByRole('list', { name: text.evaluation.answers(1, 2) })
  await tried.getByText(text.evaluation.unsupported(1)).click()
  await expect(tried.getByRole('list', { name: text.evaluation.unsupportedList })).toHaveText(
    '天光云影共徘徊[1]。',
  )
  await expect(tried.getByText(text.evaluation.noPassages)).toBeVisible()
  await tried.getByText(text.evaluation.allSupported).click()
  await tried
    .getByRole('button', { name: /观书有感/ })
    .first()
    .click()
  await expect(dialog).toContainText('观书有感.md')
  await page.keyboard.press('Escape')

  await field(page, text.name).fill('诗')
  await button(page, text.save).click()
  await chooseMenuItem(page, '诗', agentsText.edit)
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
