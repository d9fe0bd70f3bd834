import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FrameLocator, Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { agentsText } from '#web/text/agents/agents.ts'
import { launcherText } from '#web/text/agents/launcher.ts'
import { widgetText } from '#web/text/agents/widget.ts'
import { chatText } from '#web/text/chat.ts'
import { markdownText } from '#web/text/markdown.ts'
import { uiText } from '#web/text/ui.ts'
import { createAgent } from '../../agents/agent.ts'
import type { VisitOptions } from '../../world/browser.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import type { Client } from '../../world/client.ts'
import { button, expect } from '../screen/chat-screen.ts'
import { chooseMenuItem } from './agent-screen.ts'

const world = useBrowserWorld()

/** Another person's site, with a strict policy of its own: 127.0.0.1, the app's host, is another site than localhost. */
let site: Server
let tag = ''
let client: Client
let agent: Awaited<ReturnType<typeof createAgent>>
const getSite = (host = 'localhost'): string => `http://${host}:${(site.address() as AddressInfo).port}`
beforeAll(async () => {
  site = createServer((_, response) => {
    const policy = `default-src 'none'; script-src ${world.url}; frame-src ${world.url}; style-src 'none'`
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy })
    response.end(
      `<!doctype html><html lang="zh-CN"><meta name="viewport" content="width=device-width"><title>方塘</title>${tag}<main><h1>方塘</h1><a href="#">链接</a></main>`,
    )
  }).listen(0)
  await once(site, 'listening')
  client = await world.user()
  agent = await createAgent(
    world,
    client,
    { '手册.md': '# 水位\n\n正常水位是 3.2 米，超过 4.5 米就要开闸放水。' },
    {
      visible: 2,
      refer_source: true,
      settings: { chat: { welcome_prompt: '你好，问我水位。', suggest_prompts: ['水位多高？'] } },
    },
  )
  tag = `<script src="${world.url}/widget.js" data-agent="${agent.uuid}" async></script>`
  await client.call('PUT /api/agent/{id}/widget', {
    params: { id: agent.uuid },
    body: { enabled: true, sites: [getSite()] },
  })
})
afterAll(() => void site.close())

const visitSite = (options: VisitOptions): Promise<Page> =>
  world.visit(`${getSite()}/`, { ...options, isFirst: true })
const getFrame = (page: Page): FrameLocator => page.frameLocator('iframe')
const getAnswers = (frame: FrameLocator) => frame.getByRole('article', { name: chatText.answer })

async function open(page: Page): Promise<FrameLocator> {
  await button(page, launcherText.open).click()
  const frame = getFrame(page)
  await expect(frame.getByRole('heading', { name: '渠水' })).toBeVisible()
  return frame
}

test('a visitor of another site opens the frame by keyboard, asks, is shown the cited passage, and finds the conversation again; no longer of an agent that is not to be had, nor on a site that is not allowed', async () => {
  world.upstream.script('scripted', { text: '正常水位是 3.2 米[1]。' })
  // The person is signed in to the app, but a stranger in the frame.
  const page = await visitSite({ client, expectedErrors: /frame-ancestors|Framing/ })
  const shown = page.locator('iframe')
  await expect(shown).toHaveCount(0)
  const opener = button(page, launcherText.open)
  await expect(opener).toHaveAttribute('aria-expanded', 'false')
  await opener.focus()
  await page.keyboard.press('Enter')
  const frame = getFrame(page)
  await expect(frame.getByLabel(chatText.widgetLabel)).toBeFocused()
  await expect(button(page, launcherText.close)).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Escape')
  await expect(shown).toBeHidden()
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(frame.getByLabel(chatText.widgetLabel)).toBeVisible()
  await button(page, launcherText.close).click()
  await expect(shown).toBeHidden()
  expect(
    await page.evaluate(() => Object.keys(globalThis).filter((name) => /wenqu|widget/i.test(name))),
  ).toEqual([])

  await open(page)
  expect((await shown.boundingBox())!.width).toBeLessThan(420)
  await expect(frame.getByText('你好，问我水位。')).toBeVisible()
  await frame.getByRole('button', { name: '水位多高？' }).click()
  await expect(getAnswers(frame)).toContainText('正常水位是 3.2 米')
  await getAnswers(frame)
    .getByRole('link', { name: markdownText.cite(1, '手册.md › 水位') })
    .click()
  const dialog = frame.getByRole('dialog', { name: agentsText.passage })
  await expect(dialog).toContainText('超过 4.5 米就要开闸放水')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(getAnswers(frame)).toBeVisible()

  // On a phone it is as wide as the screen.
  await page.setViewportSize({ width: 390, height: 780 })
  await page.reload()
  await expect(getAnswers(await open(page))).toContainText('正常水位是 3.2 米')
  expect(await shown.boundingBox()).toMatchObject({ x: 0, width: 390 })
  await frame.getByRole('button', { name: chatText.newSession }).click()
  await expect(frame.getByText('你好，问我水位。')).toBeVisible()
  // The conversation in the frame is none of the signed-in person's.
  const { items } = await client.call('GET /api/chat/sessions', { query: { chatbot: agent.chatbot } })
  expect(items).toEqual([])

  const params = { id: agent.uuid }
  await client.call('POST /api/agent/{id}/link', { params, body: { visible: 0 } })
  await page.reload()
  await button(page, launcherText.open).click()
  await expect(frame.getByText(widgetText.unavailable)).toBeVisible()
  await client.call('POST /api/agent/{id}/link', { params, body: { visible: 2 } })

  // A site that is not allowed.
  await page.goto(getSite('127.0.0.1'))
  await button(page, launcherText.open).click()
  const refused = page.frames().at(-1)!
  await expect.poll(() => refused.url()).toContain('chrome-error')
  await expect(getFrame(page).getByText('渠水')).toHaveCount(0)
})

test('an owner lets an agent be embedded, copies the tag and sees how it looks', async () => {
  const { uuid } = await client.call('POST /api/agent', {
    body: { name: '新渠', model: 'scripted', visible: 2 },
  })
  const page = await world.visit(`/chat/agent/${uuid}`, { client, expectedErrors: /status of 422/ })
  await chooseMenuItem(page, '新渠', widgetText.menu)
  const dialog = page.getByRole('dialog', { name: widgetText.title })
  await expect(dialog.getByRole('button', { name: uiText.save })).toBeDisabled()
  await dialog.getByRole('switch', { name: widgetText.enabled }).click()
  await dialog.getByLabel(widgetText.sites).fill('不是 网址:x')
  await dialog.getByRole('button', { name: uiText.save }).click()
  await expect(dialog.getByLabel(widgetText.sites)).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel(widgetText.sites).fill('www.example.com/shop')
  await dialog.getByLabel(widgetText.limit).fill('20')
  await dialog.getByRole('button', { name: uiText.save }).click()
  await expect(dialog.getByLabel(widgetText.sites)).toHaveValue('https://www.example.com')
  await expect(dialog.getByText(`data-agent="${uuid}" async></script>`)).toBeVisible()
  const preview = page.frameLocator('iframe')
  await expect(preview.getByRole('heading', { name: '新渠' })).toBeVisible()
  await expect(preview.getByRole('link', { name: widgetText.provided })).toBeVisible()
})
