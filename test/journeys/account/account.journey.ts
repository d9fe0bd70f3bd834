import { readFile } from 'node:fs/promises'
import { strFromU8, unzipSync } from 'fflate'
import { test } from 'vitest'
import { rewardInviters } from '#server/commerce/credit/invite-rewards.ts'
import { accountText } from '#web/text/account/account.ts'
import { signInText } from '#web/text/account/signIn.ts'
import { creditText } from '#web/text/credit/credit.ts'
import { statisticsText } from '#web/text/credit/statistics.ts'
import { keysText, provisionText } from '#web/text/keys.ts'
import { shellText } from '#web/text/shell.ts'
import { settingText } from '#web/text/setting.ts'
import { sharesText } from '#web/text/shares.ts'
import { homeText } from '#web/text/site/home.ts'
import { partnerText } from '#web/text/site/partner.ts'
import { uiText } from '#web/text/ui.ts'
import { letTimePass, signIn } from '../../world/sign-in.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { button, expect, expectNotice, pageLabel } from '../screen/chat-screen.ts'
import { createEmail } from './sign-in-screen.ts'

const world = useBrowserWorld()

let phoneCount = 0

test('a person signs in by phone, binds an e-mail address and takes the phone away, saves the own data as an archive, and gives the account up, with a warning and a code', async () => {
  const page = await world.visit('/login?redirect_to=/profile/setting')
  const [phone, email] = [`1390000${String(++phoneCount).padStart(4, '0')}`, createEmail()]
  await page.getByLabel('手机号或邮箱').fill(phone)
  await page.getByRole('button', { name: '获取验证码' }).click()
  await expect(page.getByText(`已发送到 ${phone}`)).toBeVisible()
  await page.getByLabel('验证码').fill(await world.getLoginCode(phone))
  await page.getByRole('button', { name: '登录', exact: true }).click()
  const ways = page.getByRole('list', { name: '登录方式' })
  await expect(ways).toContainText(phone)
  await letTimePass(world.db(), '2 minutes')
  await page.getByRole('button', { name: '绑定邮箱' }).click()
  const binding = page.getByRole('dialog', { name: '绑定邮箱' })
  await binding.getByRole('button', { name: `获取${phone} 收到的验证码` }).click()
  await expect(binding.getByText('已发送')).toHaveCount(1)
  await binding.getByLabel(`${phone} 收到的验证码`, { exact: true }).fill(await world.getLoginCode(phone))
  await binding.getByLabel('新的邮箱').fill(email)
  await binding.getByRole('button', { name: '获取新邮箱收到的验证码' }).click()
  await expect(binding.getByText('已发送')).toHaveCount(2)
  await binding.getByLabel('新邮箱收到的验证码', { exact: true }).fill(await world.getLoginCode(email))
  await binding.getByRole('button', { name: '确认绑定' }).click()
  await expect(ways).toContainText(email)
  await page.getByRole('button', { name: '解除绑定手机号' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '解除绑定' }).click()
  await expect(ways).not.toContainText(phone)
  await expect(page.getByRole('button', { name: '解除绑定邮箱' })).toHaveCount(0)
  await expect(page.getByRole('list', { name: '已登录的浏览器' })).toContainText('当前浏览器')

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: accountText.export }).click()
  const saved = await downloading
  expect(saved.suggestedFilename()).toMatch(/^问渠数据-\d{4}-\d\d-\d\d\.zip$/)
  const files = unzipSync(await readFile(await saved.path()))
  expect(
    Object.values(files)
      .map((bytes) => strFromU8(bytes))
      .join(),
  ).toContain(email)

  await letTimePass(world.db(), '2 minutes')
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
})

test('whoever was signed out elsewhere is treated so by the profile, the reminder of a low balance and the keys, and goes on once signed in again', async () => {
  const client = await world.user()
  const page = await world.visit('/profile/setting', { client, expectedErrors: /status of 401/ })
  const cookies = await page.context().cookies()
  const signOut = () => page.context().clearCookies()
  const signInAgain = async () => {
    await page.context().addCookies(cookies)
    // Another tab tells of a change of the person.
    await page.evaluate(() => new BroadcastChannel('wenqu.user').postMessage(null))
  }
  const name = page.getByLabel(settingText.name)
  await expect(name).toBeVisible()
  await expect(page.getByLabel(settingText.self_intro)).toBeVisible()
  for (const save of await button(page, uiText.save).all()) await expect(save).toBeDisabled()
  await signOut()
  await name.fill('晦庵')
  await button(page, uiText.save).first().click()
  await expect(page.getByText(settingText.signIn)).toBeVisible()
  await signInAgain()
  await expect(name).toBeVisible()

  await page.getByRole('link', { name: pageLabel('Balance', 'settings'), exact: true }).click()
  const reminder = page.getByRole('switch', { name: creditText.notifyEnabled })
  await expect(reminder).toBeVisible()
  await expect(button(page, uiText.save)).toBeDisabled()
  await signOut()
  await reminder.click()
  await button(page, uiText.save).click()
  await expect(page.getByText(statisticsText.signIn)).toBeVisible()
  await signInAgain()
  await expect(reminder).toBeVisible()

  await page.getByRole('button', { name: /的账户菜单$/ }).click()
  await page.getByRole('menuitem', { name: pageLabel('ApiKey', 'account') }).click()
  for (const [path, text] of [
    ['/profile/api-keys', keysText],
    ['/profile/provision-keys', provisionText],
  ] as const) {
    const navigation = page.getByRole('navigation', { name: shellText.mainNav })
    await navigation.locator(`a[href="${path}"]`).click()
    await button(page, text.create).click()
    const form = page.getByRole('dialog', { name: text.createTitle })
    await form.getByLabel(keysText.name).fill('示例')
    await signOut()
    await form.getByRole('button', { name: text.create }).click()
    await expect(page.getByText(keysText.signIn)).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: uiText.signIn })).toHaveAttribute(
      'href',
      `/login?${new URLSearchParams({ redirect_to: path })}`,
    )
    await signInAgain()
    await expect(button(page, text.create)).toBeVisible()
  }
})

test('a person copies the own link, and reads what it earned', async () => {
  const client = await world.user()
  const { invite_url } = await client.call('GET /api/user/info', {})
  const { pathname, search } = new URL(invite_url)
  const [paying, waiting] = [world.visitor(), world.visitor()]
  for (const invited of [paying, waiting]) {
    await invited.fetch(pathname + search)
    await signIn(invited, createEmail(), world.data_dir)
  }
  const { id } = await paying.call('POST /api/credit/orders', { body: { plan_id: 'coins-10' } })
  await paying.call('POST /api/credit/sandbox/pay', { body: { order_id: id } })
  await rewardInviters(world.db(), 100)
  const page = await world.visit('/partner', { client })
  const figures = page.getByRole('region', { name: partnerText.figures })
  await expect(figures.getByRole('definition')).toHaveText(['2 人', '1 人', '100.00 金币'])
  await expect(figures.getByRole('listitem')).toContainText([partnerText.waiting, partnerText.paid])
  await expectNotice(page, sharesText.copied, () =>
    page.getByRole('button', { name: partnerText.copy, exact: true }).click(),
  )
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(invite_url)
})
