import type { Page } from '@playwright/test'
import { beforeAll, test } from 'vitest'
import { agentsText } from '#web/text/agents/agents.ts'
import { blocksText } from '#web/text/blocks.ts'
import { chatText } from '#web/text/chat.ts'
import { markdownText } from '#web/text/markdown.ts'
import { webSearchText } from '#web/text/webSearch.ts'
import { createAgent } from '../../agents/agent.ts'
import { latin, makePdf } from '../../formats/make-pdf.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import type { Client } from '../../world/client.ts'
import { answers, ask, expect } from '../screen/chat-screen.ts'

const world = useBrowserWorld()

const HANDBOOK = '# 年假\n\n员工入职满一年后，每年有十五天带薪年假。\n\n# 租车\n\n公车每小时租金 30 元。'
const line = (at: number, text: string) => latin(72, 780 - at * 16, text)
const LINES = ['The canal is closed in winter.', 'A boat costs 30 coins an hour.', 'Dogs stay ashore.']
const CANAL = makePdf([
  { content: line(0, 'Nothing of interest stands on the first page of this booklet.') },
  { content: LINES.map((text, at) => line(at, text)).join('\n') },
])

let client: Client
let path: string
beforeAll(async () => {
  client = await world.user()
  const form = { name: '渠', visible: 2, refer_source: true } as const
  path = `/chat/agent/${(await createAgent(world, client, { '手册.md': HANDBOOK, 'canal.pdf': CANAL }, form)).uuid}`
})

const dialog = (page: Page) => page.getByRole('dialog', { name: agentsText.passage })
/** Returns the marked text of the page, without spaces. */
const readMarked = (page: Page) =>
  page.evaluate(() =>
    [...(CSS.highlights.get('passage') ?? [])].map((range) =>
      (range as Range).toString().replaceAll(/\s/g, ''),
    ),
  )
const citation = (page: Page, place: string) =>
  answers(page)
    .last()
    .getByRole('link', { name: markdownText.cite(1, place) })

/** Asks about the PDF, and clicks on the answer's citation. */
async function openCitation(page: Page): Promise<void> {
  world.upstream.script('scripted', { text: 'It is open in summer. A boat costs 30 coins an hour[1].' })
  await ask(page, 'What does a boat cost an hour?')
  await citation(page, 'canal.pdf').click()
  await expect(dialog(page)).toContainText(blocksText.page(2))
}

test('a citation of an agent opens the document of its owner where its words stand, a PDF at its page', async () => {
  world.upstream.script('scripted', { text: '每年十五天[1]。未休的年假折成三倍工资。' })
  const page = await world.visit(path, { client })
  await ask(page, '年假有几天？')
  await expect(answers(page).last()).toContainText('每年十五天')
  await page.getByText(webSearchText.unsupported(1, [])).click()
  await expect(page.getByRole('listitem').filter({ hasText: '三倍工资' })).toBeVisible()
  await citation(page, '手册.md › 年假').click()
  await expect(dialog(page)).toContainText('十五天带薪年假')
  const marked = '员工入职满一年后，每年有十五天带薪年假'
  await expect.poll(async () => (await readMarked(page)).join()).toContain(marked)
  await expect.poll(async () => (await readMarked(page)).join()).not.toContain('公车')
  await dialog(page).getByRole('link', { name: agentsText.openSource }).click()
  await expect(page.getByRole('heading', { level: 1, name: '手册.md' })).toBeVisible()
  await expect.poll(async () => (await readMarked(page)).join()).toContain(marked)

  await page.goBack()
  await page.locator('header').getByRole('link', { name: chatText.newSession }).click()
  await expect(answers(page)).toHaveCount(0)
  await openCitation(page)
  const target = page.getByRole('region', { name: blocksText.document }).locator('[data-target]')
  await expect(target).toHaveAttribute('data-page', '2')
  await expect(target.getByText('A boat costs 30 coins an hour.')).toBeInViewport()
  await expect.poll(async () => (await readMarked(page)).join()).toContain('Aboatcosts30coinsanhour')
})

test('a PDF that an agent cites is not shown to others, but its passage is with the sentence that the answer rests on', async () => {
  const page = await world.visit(path, { client: await world.user() })
  await openCitation(page)
  await expect(dialog(page)).toContainText('canal.pdf')
  await expect(dialog(page)).toContainText('Dogs stay ashore.')
  await expect.poll(() => readMarked(page)).toEqual(['Aboatcosts30coinsanhour'])
  await expect(dialog(page).getByText(agentsText.passageOnly)).toBeVisible()
  await expect(dialog(page).getByRole('link')).toHaveCount(0)
})
