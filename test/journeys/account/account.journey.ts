import { readFile } from 'node:fs/promises'
import { strFromU8, unzipSync } from 'fflate'
import { test } from 'vitest'
import { accountText } from '#web/text/account/account.ts'
import { signInText } from '#web/text/account/signIn.ts'
import { creditText } from '#web/text/credit/credit.ts'
import { statisticsText } from '#web/text/credit/statistics.ts'
import { settingText } from '#web/text/setting.ts'
import { homeText } from '#web/text/site/home.ts'
import { uiText } from '#web/text/ui.ts'
import { findAccessibilityViolations } from '../../world/browser.ts'
import { letTimePass } from '../../world/sign-in.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { button, expect } from '../screen/chat-screen.ts'

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
  expect(await findAccessibilityViolations(page)).toEqual([])
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

test('whoever was signed out elsewhere is treated so by the profile and the reminder of a low balance', async () => {
  const [writer, payer] = [await world.user(), await world.user()]
  const setting = await world.visit('/profile/setting', { client: writer, expectedErrors: /status of 401/ })
  const name = setting.getByLabel(settingText.name)
  await expect(name).toBeVisible()
  await expect(setting.getByLabel(settingText.self_intro)).toBeVisible()
  for (const save of await button(setting, uiText.save).all()) await expect(save).toBeDisabled()
  await writer.call('POST /logout', {})
  await name.fill('晦庵')
  await button(setting, uiText.save).first().click()
  await expect(setting.getByText(settingText.signIn)).toBeVisible()

  const balance = await world.visit('/profile/balance', { client: payer, expectedErrors: /status of 401/ })
  const reminder = balance.getByRole('switch', { name: creditText.notifyEnabled })
  await expect(reminder).toBeVisible()
  await expect(button(balance, uiText.save)).toBeDisabled()
  await payer.call('POST /logout', {})
  await reminder.click()
  await button(balance, uiText.save).click()
  await expect(balance.getByText(statisticsText.signIn)).toBeVisible()
})
