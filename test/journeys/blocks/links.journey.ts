import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, test } from 'vitest'
import type { PageName } from '#contract/pages.ts'
import { createEgress } from '#server/core/egress/egress.ts'
import { agentsText } from '#web/text/agents/agents.ts'
import { agentFormText } from '#web/text/agents/form.ts'
import { blocksText } from '#web/text/blocks.ts'
import { documentsText } from '#web/text/translate/documents.ts'
import { translateText } from '#web/text/translate/text.ts'
import { replyWith } from '../../translate/document.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { sources } from '../agents/agent-screen.ts'
import { button, expect, pageLabel } from '../screen/chat-screen.ts'

/** Stands for a page of the public internet. */
const PARAGRAPHS = ['The lake is quiet in the morning.', 'A book is a house with an open door.']
const article = PARAGRAPHS.map((one) => `<p>${`${one} `.repeat(8)}</p>`).join('')
const site = createServer((_, response) =>
  response
    .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
    .end(
      `<html><head><title>On Reading</title></head><body><nav>Menu</nav><article><h1>On Reading</h1>${article}</article></body></html>`,
    ),
)
beforeAll(() => once(site.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => void site.close())
const egress = createEgress({
  resolve: async () => ['127.0.0.1'],
  isAllowedAddress: (address) => address === '127.0.0.1',
  isAllowedPort: () => true,
})

const world = useBrowserWorld({}, { egress })

test('a web page becomes a clean article with a way to the page itself, a source of an agent, and a translation below its paragraphs', async () => {
  const page = await world.visit('/block', { client: await world.user() })
  const url = `http://reading.example:${(site.address() as AddressInfo).port}/reading.html`
  await page.getByLabel(blocksText.link).fill(url)
  await button(page, blocksText.linkAdd).click()
  const contents = page.getByRole('region', { name: blocksText.contents })
  await expect(contents).toContainText('A book is a house with an open door.')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('On Reading')
  await expect(contents).not.toContainText('Menu')
  await page.evaluate(() => {
    window.open = (address) => Object.assign(window, { opened: address }) && null
  })
  await button(page, blocksText.menu('On Reading')).click()
  await page.getByRole('menuitem', { name: blocksText.openSource }).click()
  expect(await page.evaluate(() => (window as Window & { opened?: string }).opened)).toBe(url)

  const sidebar = (name: PageName) =>
    page.getByRole('link', { name: pageLabel(name, 'sidebar'), exact: true })
  await sidebar('AgentList').click()
  await page.getByRole('region', { name: agentsText.create }).getByRole('link').click()
  await page.getByLabel(agentFormText.link, { exact: true }).fill(url)
  await button(page, agentFormText.addLink).click()
  await expect(sources(page)).toContainText([/On Reading.*已就绪 · \d+ 段/s])

  await sidebar('Fanyi').click()
  await page.getByRole('link', { name: translateText.modeNames.link }).click()
  await page.getByLabel(documentsText.link).fill(url)
  await button(page, documentsText.linkAdd).click()
  await expect(page.getByText(/大约 .* 金币|全部译过/)).toBeVisible()
  for (const model of ['flat', 'scripted']) world.upstream.script(model, { reply: replyWith() })
  await page.getByRole('button', { name: documentsText.start }).click()
  await expect(page.getByText(documentsText.state.done)).toBeVisible()
  await expect(button(page, documentsText.viewNames.article)).toHaveAttribute('aria-pressed', 'true')
  const preview = page.getByRole('region', { name: documentsText.preview })
  const original = preview.locator('p', { hasText: 'lake' }).first()
  const translation = preview.locator('p', { hasText: '译' }).first()
  await expect(original).toBeVisible()
  const getOffset = async () => {
    const [above, below] = [(await original.boundingBox())!, (await translation.boundingBox())!]
    return { x: below.x - above.x, isBelow: below.y > above.y }
  }
  await expect.poll(getOffset).toEqual({ x: 0, isBelow: true })
})
