import { beforeAll, test } from 'vitest'
import { agentsText } from '#web/text/agents/agents.ts'
import { agentFormText } from '#web/text/agents/form.ts'
import { chatText } from '#web/text/chat.ts'
import { markdownText } from '#web/text/markdown.ts'
import { webSearchText } from '#web/text/webSearch.ts'
import { findAccessibilityViolations } from '../../world/browser.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import type { Client } from '../../world/client.ts'
import { answers, button, composer, expect } from '../screen/chat-screen.ts'
import { filePicker, sources } from './agent-screen.ts'

const world = useBrowserWorld()
let client: Client
beforeAll(async () => {
  client = await world.user()
})

const UNKNOWN_FILE = /status of 404.*\/api\/block\/md5/s
const HANDBOOK = '# 年假\n\n员工入职满一年后，每年有十五天带薪年假。\n\n# 租车\n\n公车每小时租金 30 元。'

test('a citation of an agent shows its passage, and its owner gets from there into the document', async () => {
  world.upstream.script('scripted', { text: '每年十五天[1]。未休的年假折成三倍工资。' })
  const page = await world.visit('/agent/create', { client, expectedErrors: UNKNOWN_FILE })
  await filePicker(page).setInputFiles({ name: '手册.md', mimeType: '', buffer: Buffer.from(HANDBOOK) })
  await expect(sources(page)).toContainText([/已就绪 · \d+ 段/])
  await button(page, agentFormText.create).click()
  await expect(page).toHaveURL(/\/chat\/agent\/[0-9a-f-]{36}$/)
  await composer(page).fill('年假有几天？')
  await button(page, chatText.send).click()
  await expect(answers(page).last()).toContainText('每年十五天')
  await expect(page.getByText(webSearchText.unsupported(1, []))).toBeVisible()
  await page.getByText(webSearchText.unsupported(1, [])).click()
  await expect(page.getByRole('listitem').filter({ hasText: '三倍工资' })).toBeVisible()
  await answers(page)
    .last()
    .getByRole('link', { name: markdownText.cite(1, '手册.md › 年假') })
    .click()
  const dialog = page.getByRole('dialog', { name: agentsText.passage })
  await expect(dialog).toContainText('十五天带薪年假')
  expect(await findAccessibilityViolations(page)).toEqual([])
  await dialog.getByRole('link', { name: agentsText.openSource }).click()
  await expect(page.getByRole('heading', { level: 1, name: '手册.md' })).toBeVisible()
})
