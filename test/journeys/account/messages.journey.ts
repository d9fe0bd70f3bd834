import { test } from 'vitest'
import { notify } from '#server/notifications/notifications.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { expect } from '../screen/chat-screen.ts'

const world = useBrowserWorld()

test('a message is announced without a reload, leads on, and is kept on the page of messages beside the release notes; a payment on another device is known here, too', async () => {
  const client = await world.user()
  const { uuid } = await client.call('GET /api/user/info', {})
  const page = await world.visit('/healthz', { client })
  await page.clock.install()
  await page.goto(`${world.url}/models`)
  await expect(page.getByRole('button', { name: '消息', exact: true })).toBeVisible()
  await notify(world.db(), uuid, {
    channel: 'task',
    title: '翻译已完成',
    text: '“湖.docx”已经可以查看了。',
    link: '/profile/tasks',
  })
  // The page queries every 15 s.
  await page.clock.fastForward(16_000)
  await page.getByRole('button', { name: '消息，1 条未读' }).click()
  const panel = page.getByRole('dialog', { name: '未读消息' })
  await expect(panel.getByRole('listitem')).toHaveText([/翻译已完成.*“湖\.docx”已经可以查看了。/])
  await panel.getByRole('button', { name: '全部标为已读' }).click()
  await expect(panel).toContainText('没有未读消息')
  await expect(page.locator('[aria-label="消息"][aria-haspopup]')).toBeAttached()
  await panel.getByRole('link', { name: '查看全部消息' }).click()
  await expect(panel).toBeHidden()
  const list = page.getByRole('list', { name: '消息' })
  await expect(list.getByRole('listitem')).toHaveText([/翻译已完成/])
  await page.getByRole('button', { name: '金币' }).click()
  await expect(page.getByText('还没有消息')).toBeVisible()
  await page.getByRole('tab', { name: '更新日志' }).click()
  await page.getByRole('button', { name: '更早的更新' }).click()
  await expect(page.getByRole('heading', { name: '对话、模型与计费' })).toBeVisible()
  await page.getByRole('tab', { name: '消息' }).click()
  await page.getByRole('button', { name: '全部', exact: true }).click()
  await list.getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('任务')

  const { id } = await client.call('POST /api/credit/orders', { body: { plan_id: 'geek-monthly' } })
  await client.call('POST /api/credit/sandbox/pay', { body: { order_id: id } })
  await page.clock.fastForward(16_000)
  await expect(page.getByRole('button', { name: /的账户菜单$/ })).toContainText('极客会员')
  await expect(page.getByRole('button', { name: '消息，1 条未读' })).toBeVisible()
})
