import type { Page } from '@playwright/test'
import { sql } from 'drizzle-orm'
import { beforeAll, test } from 'vitest'
import { agentCategories } from '#contract/agents/agent-defaults.ts'
import { agentsText } from '#web/text/agents/agents.ts'
import { agentFormText } from '#web/text/agents/form.ts'
import { uiText } from '#web/text/ui.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import type { Client } from '../../world/client.ts'
import { button, expect, expectNotice, pageLabel } from '../screen/chat-screen.ts'
import { chooseMenuItem, tiles } from './agent-screen.ts'

const world = useBrowserWorld()
let owner: Client
let stranger: Client
beforeAll(async () => {
  ;[owner, stranger] = [await world.user(), await world.user()]
  const [library] = [await world.user()]
  const create = (client: Client, body: { name: string; visible?: 0 | 2; category_id?: number }) =>
    client.call('POST /api/agent', { body })
  for (let n = 0; n < 17; n++) {
    await create(library, { name: `馆藏甲${n}`, visible: 2 })
    await create(stranger, { name: `馆藏乙${n}`, visible: 2 })
  }
  await create(library, { name: '廿四诗话', visible: 2, category_id: agentCategories[0].id })
  await create(library, { name: '不给人看' })
  await create(owner, { name: '我的手册' })
  await world.db().execute(sql`UPDATE agents SET uses = 1500 WHERE name = '馆藏甲3'`)
  const { uuid } = await owner.call('GET /api/user/info', {})
  await world.db().execute(sql`
    INSERT INTO agent_uses (user_id, agent_id) SELECT ${uuid}, id FROM agents WHERE name = '廿四诗话'`)
})

const names = (page: Page) => tiles(page).getByRole('link')
const search = (page: Page) => page.getByLabel(agentsText.search)

test('one’s own agents come first, then public ones; they are found as one types, by category and by use, and come again after a failure; an owner makes one public with its link, private again, and deletes it, in the list and where it is asked', async () => {
  const { total } = await owner.call('GET /api/agents', { query: {} })
  const { uuid } = await stranger.call('POST /api/agent', { body: { name: '私' } })
  const expectedErrors = /status of (404|500)/
  const page = await world.visit(`/agent/${uuid}/edit`, { client: owner, expectedErrors })
  await expect(page.getByText(agentsText.gone)).toBeVisible()
  await page.getByRole('link', { name: agentsText.back, exact: true }).click()
  await expect(tiles(page)).toHaveCount(30)
  await expect(names(page).first()).toHaveText('我的手册')
  await expect(tiles(page).first()).toContainText(agentsText.private)
  // Agents that were asked lately are at hand.
  const recent = page.getByRole('region', { name: agentsText.recent }).getByRole('link')
  await expect(recent).toContainText(['廿四诗话'])
  await page.route(/\/api\/agents\?/, (route) =>
    route.fulfill({ status: 500, json: { message: '列表坏了', code: 'internal' } }),
  )
  await button(page, agentsText.more).click()
  await expect(page.getByText('列表坏了').first()).toBeVisible()
  await expect(tiles(page)).toHaveCount(0)
  await page.unroute(/\/api\/agents\?/)
  await button(page, uiText.retry).click()
  await expect(names(page).first()).toHaveText('我的手册')
  for (let shown = 30; shown < total; shown += 30) {
    await button(page, agentsText.more).click()
    await expect(tiles(page)).toHaveCount(Math.min(shown + 30, total))
  }
  await expect(button(page, agentsText.more)).toHaveCount(0)
  await expect(page.getByText('不给人看')).toHaveCount(0)

  await search(page).fill('廿四')
  await expect(names(page)).toHaveText(['廿四诗话'])
  await search(page).fill('没有这样的')
  await expect(page.getByText(agentsText.none)).toBeVisible()
  await button(page, agentsText.clear).click()
  await button(page, agentCategories[0].name).click()
  await expect(names(page)).toContainText(['廿四诗话'])
  await expect(page).toHaveURL(/category=1/)
  await button(page, agentsText.all).click()
  await button(page, agentsText.popular).click()
  await expect(names(page).first()).toHaveText('馆藏甲3')
  await expect(tiles(page).first()).toContainText(agentsText.uses('1.5k'))
  await expect(button(page, agentsText.more)).toHaveCount(0)
  await expect(page).toHaveURL(/tab=popular/)
  await names(page).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('馆藏甲3')
  await page.goBack()
  await expect(button(page, agentsText.popular)).toHaveAttribute('aria-pressed', 'true')
  await button(page, agentsText.default).click()
  await expect(names(page).first()).toHaveText('我的手册')

  // Names of their own for each try.
  const tag = crypto.randomUUID()
  const [once, open] = [`一次性${tag}`, `公开的${tag}`]
  const listed = await owner.call('POST /api/agent', { body: { name: once } })
  const asked = await owner.call('POST /api/agent', { body: { name: open, visible: 2 } })
  await search(page).fill(once)
  await expect(tiles(page)).toHaveCount(1)
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText())
  const confirmRemoval = () =>
    page.getByRole('dialog').getByRole('button', { name: agentsText.remove }).click()
  await chooseMenuItem(page, once, agentsText.publish)
  await expect(tiles(page)).toContainText([agentsText.public])
  // It becomes public before its link is copied.
  await expect.poll(readClipboard).toContain(`/chat/agent/${listed.uuid}`)
  await chooseMenuItem(page, once, agentsText.unpublish)
  await expect(tiles(page)).toContainText([agentsText.private])
  await chooseMenuItem(page, once, agentsText.remove)
  await button(page, uiText.cancel).click()
  await expect(tiles(page)).toHaveCount(1)
  await chooseMenuItem(page, once, agentsText.remove)
  await confirmRemoval()
  await expect(page.getByText(agentsText.none)).toBeVisible()

  await search(page).fill(open)
  await names(page).click()
  await expect(page).toHaveURL(`${world.url}/chat/agent/${asked.uuid}`)
  await expectNotice(page, '复制成功,快去分享给好友吧!', () =>
    chooseMenuItem(page, open, agentsText.copyLink),
  )
  await expect.poll(readClipboard).toContain(`/chat/agent/${asked.uuid}`)
  await expectNotice(page, agentsText.unpublished, () => chooseMenuItem(page, open, agentsText.unpublish))
  await chooseMenuItem(page, open, agentsText.remove)
  await confirmRemoval()
  await expect(page).toHaveURL(`${world.url}/agents`)
})

test('a guest signs in before making an agent', async () => {
  const guest = await world.visit('/agent/create')
  await expect(guest.getByText(agentFormText.signIn)).toBeVisible()
  await guest.getByRole('link', { name: pageLabel('AgentList', 'sidebar'), exact: true }).click()
  await expect(tiles(guest)).toHaveCount(30)
  await guest.getByRole('region', { name: agentsText.create }).getByRole('link').click()
  await expect(guest).toHaveURL(/\/login\?.*agent%2Fcreate/)
})
