import type { Locator, Page } from '@playwright/test'
import { test } from 'vitest'
import { readOutbox } from '#server/core/mail.ts'
import { organizationText } from '#web/text/account/organization.ts'
import { shellText } from '#web/text/shell.ts'
import { chooseOrganization, getInvitationToken, grant, join } from '../../organizations/organization.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { modelNames } from '../../world/real-names.ts'
import { chooseMenuItem, tiles } from '../agents/agent-screen.ts'
import { expect, expectNotice, pageLabel } from '../screen/chat-screen.ts'

const world = useBrowserWorld()
const PAGE = '/profile/organization'

async function openGlossary(page: Page): Promise<Locator> {
  const navigation = page.getByRole('navigation', { name: shellText.mainNav })
  await navigation.getByRole('link', { name: pageLabel('Fanyi', 'sidebar'), exact: true }).click()
  await page.getByRole('button', { name: '术语表' }).click()
  const glossary = page.getByRole('dialog', { name: '术语表' })
  await glossary.getByRole('button', { name: '「星河工作室」的术语' }).click()
  return glossary
}

test('an organization from its creation over an invitation that somebody accepts to a removed member; members invite and remove whom they invited, until the owner closes that', async () => {
  const owner = await world.user()
  await grant(world, owner, 30)
  const page = await world.visit(PAGE, { client: owner })
  await expect(page.getByText('你还没有加入组织')).toBeVisible()
  await page.getByRole('button', { name: '创建组织' }).click()
  const creating = page.getByRole('dialog', { name: '创建组织' })
  await creating.getByLabel('组织名称').fill('星河工作室')
  await creating.getByRole('button', { name: '创建组织' }).click()
  await expect(page.getByRole('heading', { name: '星河工作室' })).toBeVisible()
  const members = page.getByRole('region', { name: '成员' })
  await expect(members.getByRole('row')).toHaveCount(2)

  await page.getByRole('button', { name: '转入金币' }).click()
  const deposit = page.getByRole('dialog', { name: '把自己的金币转入组织' })
  await expect(deposit).toContainText('可以转入 30.00 金币')
  await expect(deposit).toContainText('另有 50.00 金币是注册或邀请时赠送的')
  await deposit.getByLabel('金币数量').fill('20')
  await deposit.getByRole('button', { name: '转入金币' }).click()
  await expect(deposit).toBeHidden()
  await expect(page.getByText('20.00 金币', { exact: true })).toBeVisible()

  await page.getByLabel('邮箱').fill('不是邮箱')
  await page.getByRole('button', { name: '发送邀请' }).click()
  await expect(page.getByText('「不是邮箱」不是邮箱')).toBeVisible()
  await page.getByLabel('邮箱').fill('li@organization.example，zhang@organization.example')
  await expectNotice(page, '所有邀请发送成功', () => page.getByRole('button', { name: '发送邀请' }).click())
  const open = page.getByRole('list', { name: '等待接受的邀请' })
  await expect(open.getByRole('listitem')).toHaveCount(2)
  await open.getByRole('button', { name: '撤回给 zhang@organization.example 的邀请' }).click()
  await expect(open.getByRole('listitem')).toHaveCount(1)

  const member = await world.user()
  const token = await getInvitationToken(world, 'li@organization.example')
  const invited = await world.visit(`${PAGE}?invitation=${token}`, { client: member })
  await expect(invited.getByRole('heading', { name: /邀请你加入「星河工作室」/ })).toBeVisible()
  await invited.getByRole('button', { name: '加入组织' }).click()
  const payer = invited.getByRole('switch', { name: '由组织付费' })
  await expect(payer).toBeVisible()
  await expect(invited).toHaveURL(new RegExp(`${PAGE}$`))
  await payer.click()
  await expect(invited.getByText('组织余额 20.00 金币')).toBeVisible()

  const guest = await world.user()
  const guestName = (await guest.call('GET /api/user/info', {})).name
  const { uuid: id } = (await member.call('GET /api/user/info', {})).organization!
  await join(world, member, id, guest)
  await expect(invited.getByText(organizationText.inviteOpen)).toBeVisible()
  await invited.getByLabel('邮箱').fill('wang@organization.example')
  await expectNotice(invited, '所有邀请发送成功', () =>
    invited.getByRole('button', { name: '发送邀请' }).click(),
  )
  const own = invited.getByRole('list', { name: '等待接受的邀请' })
  await expect(own.getByRole('listitem')).toHaveCount(1)
  const rows = invited.getByRole('region', { name: '成员' }).getByRole('row')
  await expect(rows).toHaveCount(4)
  const removeGuest = invited.getByRole('button', { name: `移除${guestName}` })
  await expect(invited.getByRole('button', { name: /^(移除|管理)/ })).toHaveCount(1)
  await removeGuest.click()
  await invited
    .getByRole('dialog', { name: `移除${guestName}？` })
    .getByRole('button', { name: '移除成员' })
    .click()
  await expect(rows).toHaveCount(3)
  await join(world, member, id, guest)

  const toggle = page.getByRole('switch', { name: '成员也可以邀请' })
  await toggle.click()
  await expect(members.getByRole('row')).toHaveCount(4)
  await expect(toggle).not.toBeChecked()
  // Any change brings the news of the organization; invitations from before can still be taken back.
  await own.getByRole('button', { name: '撤回给 wang@organization.example 的邀请' }).click()
  await expect(invited.getByText(organizationText.inviteClosed)).toBeVisible()
  await expect(invited.getByLabel('邮箱')).toHaveCount(0)
  await expect(rows).toHaveCount(4)
  await expect(removeGuest).toHaveCount(0)
  await expect(own).toHaveCount(0)

  const { name } = await member.call('GET /api/user/info', {})
  const row = page.getByRole('row', { name: new RegExp(name) })
  await row.getByRole('button', { name: `管理${name}` }).click()
  const managing = page.getByRole('dialog', { name: `管理成员：${name}` })
  await managing.getByLabel('额度上限（金币）').fill('5')
  await managing.getByLabel('角色').selectOption('admin')
  await managing.getByRole('button', { name: '保存' }).click()
  await expect(row).toContainText('管理员')
  await expect(row).toContainText('0.00 / 5.00')

  await row.getByRole('button', { name: `管理${name}` }).click()
  await managing.getByRole('button', { name: '移除成员' }).click()
  const removing = page.getByRole('dialog', { name: `移除${name}？` })
  await removing.getByRole('button', { name: '移除成员' }).click()
  await expect(row).toHaveCount(0)
  expect((await member.call('GET /api/user/info', {})).organization).toBeNull()
})

test('an agent and terms are shared with the organization; its bills are listed; dissolving it ends all that', async () => {
  const [owner, member] = [await world.user(), await world.user()]
  const { uuid: id } = await owner.call('POST /api/organization', { body: { name: '星河工作室' } })
  await grant(world, owner, 20)
  await owner.call('POST /api/organization/{id}/deposit', { params: { id }, body: { coins: 20 } })
  await join(world, owner, id, member)
  await chooseOrganization(member)
  world.upstream.script('flat', { text: '好。' })
  await member.ask('谁付费？', { model: 'flat' })
  await owner.call('POST /api/agent', { body: { name: '社内手册' } })

  const page = await world.visit('/agents', { client: owner })
  await chooseMenuItem(page, '社内手册', '设为组织可见')
  await expect(tiles(page).filter({ hasText: '社内手册' })).toContainText('组织')
  const shared = await world.visit('/agents', { client: member })
  const { name } = await owner.call('GET /api/user/info', {})
  await expect(tiles(shared).filter({ hasText: '社内手册' })).toContainText(`组织${name}`)

  const glossary = await openGlossary(page)
  await expect(glossary.getByText('还没有术语')).toBeVisible()
  await glossary.getByLabel('术语', { exact: true }).fill('活水')
  await glossary.getByLabel('译法', { exact: true }).fill('living water')
  await glossary.getByRole('button', { name: '添加' }).click()
  await expect(glossary.getByRole('listitem')).toContainText(['活水'])
  const readGlossary = await openGlossary(shared)
  await expect(readGlossary.getByRole('listitem')).toContainText(['活水'])
  await expect(readGlossary.getByRole('button', { name: '删除“活水”' })).toHaveCount(0)

  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /的账户菜单$/ }).click()
  await page.getByRole('menuitem', { name: pageLabel('Organization', 'account') }).click()
  const bill = page.getByRole('region', { name: '账单明细' }).getByRole('row').nth(1)
  await expect(bill).toContainText(`对话 · ${modelNames.flat}`)
  await page.getByRole('button', { name: '解散组织' }).click()
  const dissolving = page.getByRole('dialog', { name: '解散「星河工作室」？' })
  await expect(dissolving).toContainText('19.00 金币')
  await expect(dissolving.getByRole('button', { name: '解散组织' })).toBeDisabled()
  await dissolving.getByRole('textbox').fill('星河工作室')
  await dissolving.getByRole('button', { name: '解散组织' }).click()
  await expect(page.getByText('你还没有加入组织')).toBeVisible()
  expect(
    (await member.call('GET /api/agents', { query: {} })).items.map((agent) => agent.name),
  ).not.toContain('社内手册')
})

test('whoever is invited by mail wants no more of that', async () => {
  const owner = await world.user()
  const { uuid: id } = await owner.call('POST /api/organization', { body: { name: '星河工作室' } })
  const emails = ['invited@refusal.example']
  await owner.call('POST /api/organization/{id}/members/invite', { params: { id }, body: { emails } })
  const mail = (await readOutbox(world.data_dir, 500)).find(({ to }) => to === emails[0])
  const page = await world.visit(new URL(mail!.unsubscribe_url!).pathname)
  await page.getByRole('button', { name: '不再接收' }).click()
  await expect(page.getByRole('heading', { name: '已停止发送' })).toBeVisible()
  await page.getByRole('button', { name: '恢复接收' }).click()
  await expect(page.getByRole('heading', { name: '不再接收组织邀请？' })).toBeVisible()
})
