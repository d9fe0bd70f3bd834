import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { test } from 'vitest'
import { rewardInviters } from '#server/commerce/credit/invite-rewards.ts'
import { accountText } from '#web/text/account/account.ts'
import { signInText } from '#web/text/account/signIn.ts'
import { creditText } from '#web/text/credit/credit.ts'
import { statisticsText } from '#web/text/credit/statistics.ts'
import { keysText, provisionText } from '#web/text/keys.ts'
import { settingText } from '#web/text/setting.ts'
import { sharesText } from '#web/text/shares.ts'
import { homeText } from '#web/text/site/home.ts'
import { partnerText } from '#web/text/site/partner.ts'
import { uiText } from '#web/text/ui.ts'
import { letTimePass, signIn } from '../../world/sign-in.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { button, expect, expectNotice } from '../screen/chat-screen.ts'

const world = useBrowserWorld()

test('the own data are saved as an archive; then the account is given up, with a warning and a code', async () => {
  const email = 'leaver@example.com'
  const client = await world.user(email)
  world.upstream.script('scripted', { text: '活水。' })
  await client.ask('什么是活水？')
  await letTimePass(world.db(), '2 minutes')
  const page = await world.visit('/profile/setting', { client })
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: accountText.export }).click()
  const saved = await downloading
  expect(saved.suggestedFilename()).toMatch(/^问渠数据-\d{4}-\d\d-\d\d\.zip$/)
  const files = unzipSync(await readFile(await saved.path()))
  expect(
    Object.values(files)
      .map((bytes) => strFromU8(bytes))
      .join(),
  ).toContain('什么是活水？')

  await page.getByRole('button', { name: accountText.delete }).click()
  const dialog = page.getByRole('dialog', { name: accountText.deleteTitle })
  await expect(dialog).toContainText(/余额 \d+\.\d\d 金币将作废/)
  const confirm = dialog.getByRole('button', { name: accountText.confirm })
  const label = signInText.oldCode(email)
  await dialog.getByRole('button', { name: signInText.sendOf(label) }).click()
  await expect(dialog.getByText(signInText.sent)).toBeVisible()
  await dialog.getByRole('textbox', { name: label }).fill(await world.getLoginCode(email))
  await expect(confirm).toBeDisabled()
  await dialog.getByRole('checkbox').check()
  await confirm.click()
  await expect(page.getByRole('heading', { name: homeText.heading })).toBeVisible()
  await expect(page.getByRole('link', { name: homeText.login })).toBeVisible()
  expect((await client.fetch('/api/user/info')).status).toBe(401)
})

test('a person signs in by phone, binds an e-mail address, and takes the phone away', async () => {
  const page = await world.visit('/login?redirect_to=/profile/setting')
  const [phone, email] = ['13900000001', 'phone-owner@example.com']
  await page.getByLabel('手机号或邮箱').fill(phone)
  await page.getByRole('button', { name: '获取验证码' }).click()
  await expect(page.getByText(`已发送到 ${phone}`)).toBeVisible()
  await page.getByLabel('验证码').fill(await world.getLoginCode(phone))
  await page.getByRole('button', { name: '登录', exact: true }).click()
  const ways = page.getByRole('list', { name: '登录方式' })
  await expect(ways).toContainText(phone)
  await letTimePass(world.db(), '2 minutes')
  await page.getByRole('button', { name: '绑定邮箱' }).click()
  const dialog = page.getByRole('dialog', { name: '绑定邮箱' })
  await dialog.getByRole('button', { name: `获取${phone} 收到的验证码` }).click()
  await expect(dialog.getByText('已发送')).toHaveCount(1)
  await dialog.getByLabel(`${phone} 收到的验证码`, { exact: true }).fill(await world.getLoginCode(phone))
  await dialog.getByLabel('新的邮箱').fill(email)
  await dialog.getByRole('button', { name: '获取新邮箱收到的验证码' }).click()
  await expect(dialog.getByText('已发送')).toHaveCount(2)
  await dialog.getByLabel('新邮箱收到的验证码', { exact: true }).fill(await world.getLoginCode(email))
  await dialog.getByRole('button', { name: '确认绑定' }).click()
  await expect(ways).toContainText(email)
  await page.getByRole('button', { name: '解除绑定手机号' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '解除绑定' }).click()
  await expect(ways).not.toContainText(phone)
  await expect(page.getByRole('button', { name: '解除绑定邮箱' })).toHaveCount(0)
  await expect(page.getByRole('list', { name: '已登录的浏览器' })).toContainText('当前浏览器')
})

test('whoever was signed out elsewhere is treated so by the profile, the reminder of a low balance and the keys', async () => {
  const client = await world.user()
  const setting = await world.visit('/profile/setting', { client, expectedErrors: /status of 401/ })
  const open = async (path: string): Promise<Page> => {
    const page = await setting.context().newPage()
    await page.goto(world.url + path)
    return page
  }
  const name = setting.getByLabel(settingText.name)
  await expect(name).toBeVisible()
  await expect(setting.getByLabel(settingText.self_intro)).toBeVisible()
  for (const save of await button(setting, uiText.save).all()) await expect(save).toBeDisabled()
  const balance = await open('/profile/balance')
  const reminder = balance.getByRole('switch', { name: creditText.notifyEnabled })
  await expect(reminder).toBeVisible()
  await expect(button(balance, uiText.save)).toBeDisabled()
  const keys: [Page, string, Locator][] = []
  for (const [path, text] of [
    ['/profile/api-keys', keysText],
    ['/profile/provision-keys', provisionText],
  ] as const) {
    const page = await open(path)
    await button(page, text.create).click()
    const form = page.getByRole('dialog', { name: text.createTitle })
    await form.getByLabel(keysText.name).fill('示例')
    keys.push([page, path, form.getByRole('button', { name: text.create })])
  }

  await client.call('POST /logout', {})
  await name.fill('晦庵')
  await button(setting, uiText.save).first().click()
  await expect(setting.getByText(settingText.signIn)).toBeVisible()
  await reminder.click()
  await button(balance, uiText.save).click()
  await expect(balance.getByText(statisticsText.signIn)).toBeVisible()
  for (const [page, path, create] of keys) {
    await create.click()
    await expect(page.getByText(keysText.signIn)).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: uiText.signIn })).toHaveAttribute(
      'href',
      `/login?${new URLSearchParams({ redirect_to: path })}`,
    )
  }
})

test('a person copies the own link, and reads what it earned', async () => {
  const client = await world.user()
  const { invite_url } = await client.call('GET /api/user/info', {})
  const invited = world.visitor()
  const { pathname, search } = new URL(invite_url)
  await invited.fetch(pathname + search)
  await signIn(invited, 'invited@partner.example', world.data_dir)
  const page = await world.visit('/partner', { client })
  const figures = page.getByRole('region', { name: partnerText.figures })
  await expect(figures.getByRole('definition')).toHaveText(['1 人', '0 人', '0.00 金币'])
  await expect(figures.getByRole('listitem')).toContainText(partnerText.waiting)
  await expectNotice(page, sharesText.copied, () =>
    page.getByRole('button', { name: partnerText.copy, exact: true }).click(),
  )
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(invite_url)

  const { id } = await invited.call('POST /api/credit/orders', { body: { plan_id: 'coins-10' } })
  await invited.call('POST /api/credit/sandbox/pay', { body: { order_id: id } })
  await rewardInviters(world.db(), 100)
  await page.reload()
  await expect(figures.getByRole('definition')).toHaveText(['1 人', '1 人', '100.00 金币'])
  await expect(figures.getByRole('listitem')).toContainText(partnerText.paid)
})
