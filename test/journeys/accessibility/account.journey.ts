import { createCanvas } from '@napi-rs/canvas'
import { test } from 'vitest'
import { readOutbox } from '#server/core/mail.ts'
import { notify } from '#server/notifications/notifications.ts'
import { accountText } from '#web/text/account/account.ts'
import { signInText } from '#web/text/account/signIn.ts'
import { creditText } from '#web/text/credit/credit.ts'
import { statisticsText } from '#web/text/credit/statistics.ts'
import { samplesText } from '#web/text/docs/samples.ts'
import { keysText, provisionText } from '#web/text/keys.ts'
import { picturesText } from '#web/text/pictures.ts'
import { settingText } from '#web/text/setting.ts'
import { homeText } from '#web/text/site/home.ts'
import { getInvitationToken, grant, join } from '../../organizations/organization.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { chooseMenuItem, createUsedKey, dialog } from '../keys/key-screen.ts'
import { button, expect, expectAnswer } from '../screen/chat-screen.ts'
import { expectNoBarriers, expectNoBarriersOnPhone } from './barriers.ts'
import { WIDEST } from './controls.ts'
import { openPage } from './walk.ts'

const world = useBrowserWorld()

test('Home answers a guest, and an address that is none is said to be so', async () => {
  world.upstream.script('scripted', { text: '活水就是流动的水。' })
  const page = await world.visit('/')
  await page.getByRole('button', { name: homeText.demoQuestions[0]! }).click()
  await expectAnswer(page, '活水就是流动的水。')
  await expectNoBarriers(page, 'an answer on Home')
  await openPage(page, '/login')
  await page.getByLabel('手机号或邮箱').fill('不是邮箱')
  await page.getByRole('button', { name: '获取验证码' }).click()
  await expect(page.getByLabel('手机号或邮箱')).toHaveAttribute('aria-invalid', 'true')
  await expectNoBarriers(page, 'an error at signing in')
})

test('the settings crop a picture, bind a phone and give an account up; messages are read; an organization has members and dialogs', async () => {
  const [client, member] = [await world.user(), await world.user()]
  const { uuid } = await client.call('GET /api/user/info', {})
  const { uuid: id } = await client.call('POST /api/organization', { body: { name: '星河工作室' } })
  await grant(world, client, 20)
  await client.call('POST /api/organization/{id}/deposit', { params: { id }, body: { coins: 20 } })
  await join(world, client, id, member)
  const { name } = await member.call('GET /api/user/info', {})
  await notify(world.db(), uuid, { channel: 'credit', title: '余额不足', text: '余额已低于 5 金币。' })
  const page = await world.visit('/profile/setting', { client })
  const picture = createCanvas(900, 300).toBuffer('image/png')
  await page
    .getByRole('group', { name: settingText.avatar })
    .locator('input[type=file]')
    .setInputFiles({ name: '照片.png', mimeType: 'image/png', buffer: picture })
  await expect(dialog(page, picturesText.crop)).toBeVisible()
  await expectNoBarriers(page, 'a picture that is cropped')
  await page.keyboard.press('Escape')
  await button(page, signInText.bindOf('phone', false)).click()
  await expect(dialog(page, signInText.bindTitle('phone'))).toBeVisible()
  await expectNoBarriers(page, 'binding a phone')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: accountText.delete }).click()
  await expect(dialog(page, accountText.deleteTitle)).toContainText(/余额 \d+\.\d\d 金币将作废/)
  await expectNoBarriers(page, 'giving the account up')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: /^消息，\d 条未读$/ }).click()
  const panel = dialog(page, '未读消息')
  await expect(panel.getByRole('listitem').filter({ hasText: '余额不足' })).toHaveCount(1)
  await expectNoBarriers(page, 'messages that were not read')
  await panel.getByRole('link', { name: '查看全部消息' }).click()
  await page.getByRole('tab', { name: '更新日志' }).click()
  await page.getByRole('button', { name: '更早的更新' }).click()
  await expect(page.getByRole('heading', { name: '对话、模型与计费' })).toBeVisible()
  await expectNoBarriers(page, 'release notes')

  await openPage(page, '/profile/organization')
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toBeVisible()
  await row.getByRole('button', { name: `管理${name}` }).click()
  await expect(dialog(page, `管理成员：${name}`)).toBeVisible()
  await expectNoBarriers(page, 'a member')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '解散组织' }).click()
  await dialog(page, '解散「星河工作室」？').getByRole('textbox').fill('星河工作室')
  await expectNoBarriers(page, 'dissolving an organization')
})

test('keys have a menu, forms, figures and samples; coins are bought and spent, and have a bill', async () => {
  const client = await world.user()
  await createUsedKey(world, client, 'flat')
  world.upstream.script('flat', { text: '好' })
  await client.ask('一个问题', { model: 'flat' })
  await client.call('POST /api/provision_keys', { body: { name: '系统', max_days: 30 } })
  const page = await world.visit('/profile/api-keys', { client })
  await expect(page.getByText('示例', { exact: true })).toBeVisible()
  for (const name of Object.values(samplesText.tabs)) {
    await page.getByRole('tab', { name, exact: true }).click()
    await expect(page.getByRole('tabpanel', { name })).toBeVisible()
    await expectNoBarriers(page, `the sample for ${name}`)
  }
  await expectNoBarriersOnPhone(page, 'a sample')
  await button(page, keysText.menu('示例')).click()
  await expect(page.getByRole('menuitem').first()).toBeVisible()
  await expectNoBarriers(page, 'the menu of a key')
  await page.getByRole('menuitem', { name: keysText.edit }).click()
  await dialog(page, keysText.editTitle).getByText(keysText.advanced).click()
  await expectNoBarriersOnPhone(page, 'the form of a key')
  await page.keyboard.press('Escape')
  await chooseMenuItem(page, '示例', keysText.usage)
  await expect(page.getByRole('figure')).toBeVisible()
  await expectNoBarriersOnPhone(page, 'the use of a key')
  await page.getByRole('button', { name: keysText.today }).click()
  await expectNoBarriers(page, 'the use of a key today')
  await page.keyboard.press('Escape')
  await chooseMenuItem(page, '默认密钥', keysText.usage)
  await expect(page.getByText(keysText.noUsage)).toBeVisible()
  await expectNoBarriers(page, 'a key without use')
  await page.keyboard.press('Escape')
  await chooseMenuItem(page, '示例', keysText.rotate)
  await dialog(page, keysText.rotateTitle).getByRole('button', { name: keysText.rotate }).click()
  await expect(dialog(page, keysText.valueTitle)).toBeVisible()
  await expectNoBarriers(page, 'the value of a key')

  await openPage(page, '/profile/provision-keys')
  await expect(page.getByText('系统', { exact: true })).toBeVisible()
  await chooseMenuItem(page, '系统', keysText.edit)
  await expect(dialog(page, provisionText.editTitle)).toBeVisible()
  await expectNoBarriers(page, 'the form of a provision key')
  await page.keyboard.press('Escape')
  await chooseMenuItem(page, '系统', keysText.remove)
  await expect(dialog(page, provisionText.removeTitle)).toBeVisible()
  await expectNoBarriers(page, 'the question before a key is deleted')

  await openPage(page, '/credit')
  await button(page, creditText.buy).click()
  await expect(page.getByRole('img', { name: creditText.code })).toBeVisible()
  await expectNoBarriersOnPhone(page, 'the code of an order')
  await page.keyboard.press('Escape')
  await page.setViewportSize(WIDEST)
  await openPage(page, '/profile/transactions')
  const table = page.getByRole('region', { name: statisticsText.transactions })
  await table.getByRole('button').first().click()
  await expect(dialog(page, statisticsText.billTitle)).toContainText(statisticsText.charged)
  await expectNoBarriersOnPhone(page, 'a bill')
})

test('an invitation into an organization is shown, and refused for good', async () => {
  const [owner, invited] = [await world.user(), await world.user()]
  const { uuid: id } = await owner.call('POST /api/organization', { body: { name: '星河工作室' } })
  const { uuid } = await invited.call('GET /api/user/info', {})
  const emails = [`${uuid}@example.com`]
  await owner.call('POST /api/organization/{id}/members/invite', { params: { id }, body: { emails } })
  const token = await getInvitationToken(world, emails[0]!)
  const page = await world.visit(`/profile/organization?invitation=${token}`, { client: invited })
  await expect(page.getByRole('heading', { name: /邀请你加入「星河工作室」/ })).toBeVisible()
  await expectNoBarriers(page, 'an invitation')
  const refusal = await getRefusalPath(emails[0]!)
  await openPage(page, refusal)
  await page.getByRole('button', { name: '不再接收' }).click()
  await expect(page.getByRole('heading', { name: '已停止发送' })).toBeVisible()
  await expectNoBarriersOnPhone(page, 'no more invitations')
})

async function getRefusalPath(email: string): Promise<string> {
  const mail = (await readOutbox(world.data_dir, 500)).find(({ to }) => to === email)
  return new URL(mail!.unsubscribe_url!).pathname
}
