import { test } from 'vitest'
import { getInvitationToken } from '../../organizations/organization.ts'
import { findAccessibilityViolations } from '../../world/browser.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { expect } from '../screen/chat-screen.ts'

const world = useBrowserWorld()
const PAGE = '/profile/organization'

test('an organization from its creation over an invitation that somebody accepts to a removed member', async () => {
  const owner = await world.user('org-owner@example.com')
  const page = await world.visit(PAGE, { client: owner })
  await expect(page.getByText('你还没有加入组织')).toBeVisible()
  expect(await findAccessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: '创建组织' }).click()
  const creating = page.getByRole('dialog', { name: '创建组织' })
  await creating.getByLabel('组织名称').fill('星河工作室')
  await creating.getByRole('button', { name: '创建组织' }).click()
  await expect(page.getByRole('heading', { name: '星河工作室' })).toBeVisible()

  await page.getByRole('button', { name: '转入金币' }).click()
  const deposit = page.getByRole('dialog', { name: '把自己的金币转入组织' })
  await deposit.getByLabel('金币数量').fill('20')
  await deposit.getByRole('button', { name: '转入金币' }).click()
  await expect(deposit).toBeHidden()
  await expect(page.getByText('20.00 金币', { exact: true })).toBeVisible()

  await page.getByLabel('邮箱').fill('不是邮箱')
  await page.getByRole('button', { name: '发送邀请' }).click()
  await expect(page.getByText('「不是邮箱」不是邮箱')).toBeVisible()
  await page.getByLabel('邮箱').fill('li@example.com，zhang@example.com')
  await page.getByRole('button', { name: '发送邀请' }).click()
  await expect(page.getByText('所有邀请发送成功')).toBeVisible()
  const open = page.getByRole('list', { name: '等待接受的邀请' })
  await expect(open.getByRole('listitem')).toHaveCount(2)
  await open.getByRole('button', { name: '撤回给 zhang@example.com 的邀请' }).click()
  await expect(open.getByRole('listitem')).toHaveCount(1)

  const member = await world.user('org-member@example.com')
  const token = await getInvitationToken(world, 'li@example.com')
  const invited = await world.visit(`${PAGE}?invitation=${token}`, { client: member })
  await expect(invited.getByRole('heading', { name: /邀请你加入「星河工作室」/ })).toBeVisible()
  expect(await findAccessibilityViolations(invited)).toEqual([])
  await invited.getByRole('button', { name: '加入组织' }).click()
  const payer = invited.getByRole('switch', { name: '由组织付费' })
  await expect(payer).toBeVisible()
  await expect(invited).toHaveURL(new RegExp(`${PAGE}$`))
  await payer.click()
  await expect(invited.getByText('组织余额 20.00 金币')).toBeVisible()

  await page.reload()
  const { name } = await member.call('GET /api/user/info', {})
  const row = page.getByRole('row', { name: new RegExp(name) })
  await row.getByRole('button', { name: `管理${name}` }).click()
  const managing = page.getByRole('dialog', { name: `管理成员：${name}` })
  await managing.getByLabel('额度上限（金币）').fill('5')
  await managing.getByLabel('角色').selectOption('admin')
  expect(await findAccessibilityViolations(page)).toEqual([])
  await managing.getByRole('button', { name: '保存' }).click()
  await expect(row).toContainText('管理员')
  await expect(row).toContainText('0.00 / 5.00')

  await row.getByRole('button', { name: `管理${name}` }).click()
  await managing.getByRole('button', { name: '移除成员' }).click()
  const removing = page.getByRole('dialog', { name: `移除${name}？` })
  await removing.getByRole('button', { name: '移除成员' }).click()
  await expect(row).toHaveCount(0)
  await invited.reload()
  await expect(invited.getByText('你还没有加入组织')).toBeVisible()
  expect((await member.call('GET /api/user/info', {})).organization).toBeNull()
})

test.each(['light', 'dark', 'phone'] as const)('the page of an organization: %s', async (look) => {
  const owner = await world.user()
  await owner.call('POST /api/organization', { body: { name: '星河工作室' } })
  const page = await world.visit(PAGE, { client: owner, look })
  await expect(page.getByRole('region', { name: '成员' }).getByRole('row')).toHaveCount(2)
  await expect(page.getByRole('button', { name: '发送邀请' })).toBeVisible()
  expect(await findAccessibilityViolations(page)).toEqual([])
})
