import { test } from 'vitest'
import type { PageName } from '#contract/pages.ts'
import { authText } from '#web/text/auth.ts'
import { organizationText } from '#web/text/account/organization.ts'
import { signInText } from '#web/text/account/signIn.ts'
import { fieldsText, keysText } from '#web/text/keys.ts'
import { calculatorText } from '#web/text/models.ts'
import { shellText } from '#web/text/shell.ts'
import { uiText } from '#web/text/ui.ts'
import { join } from '../../organizations/organization.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { chooseMenuItem, dialog } from '../keys/key-screen.ts'
import { button, expect, pageLabel } from '../screen/chat-screen.ts'
import { expectFailures, FAILED_CALLS, failWordless, interceptCall } from './provoke.ts'

const world = useBrowserWorld({ WECHAT_APP_ID: 'wx1', WECHAT_APP_SECRET: 'secret' })

test('signing in says what failed: the code that was asked for, the sign-in, the way to WeChat', async () => {
  const page = await world.visit('/login', { expectedErrors: FAILED_CALLS })
  await expectFailures(page, 'GET /wechat/login', '微信登录失败，请重试', () =>
    button(page, authText.wechat).click(),
  )
  await page.getByLabel(authText.email).fill('failing@example.com')
  await expectFailures(page, 'POST /auth/vcode', '获取验证码失败，请检查网络是否正常', () =>
    button(page, authText.getCode).click(),
  )
  await page.getByLabel(authText.code, { exact: true }).fill('123456')
  await expectFailures(page, 'POST /login', '登录失败，请检查网络是否正常', () =>
    button(page, authText.submit).click(),
  )
})

test('who is signed in is told that binding, signing out, a key, what a model costs, or something about an organization has failed', async () => {
  const owner = await world.user()
  const page = await world.visit('/profile/setting', { client: owner, expectedErrors: FAILED_CALLS })
  const accountMenu = page.getByRole('button', { name: /的账户菜单$/ })
  const openFromMenu = async (name: PageName) => {
    await accountMenu.click()
    await page.getByRole('menuitem', { name: pageLabel(name, 'account'), exact: true }).click()
  }
  await button(page, signInText.bindOf('email', true)).click()
  await expectFailures(page, 'POST /auth/email', '绑定失败，请检查网络是否正常', () =>
    button(page, signInText.confirm).click(),
  )
  await page.keyboard.press('Escape')
  await expectFailures(page, 'POST /logout', '退出信登录失败，请重试', async () => {
    await accountMenu.click()
    await page.getByRole('menuitem', { name: shellText.logout }).click()
  })

  await openFromMenu('ApiKey')
  await button(page, keysText.create).click()
  const form = dialog(page, keysText.createTitle)
  await form.getByLabel(fieldsText.name.label).fill('示例')
  await expectFailures(page, 'POST /api/api_keys', '创建 API Key 失败，请重试', () =>
    form.getByRole('button', { name: keysText.create }).click(),
  )
  await page.keyboard.press('Escape')
  await chooseMenuItem(page, '默认密钥', keysText.edit)
  const edit = dialog(page, keysText.editTitle)
  await edit.getByLabel(fieldsText.name.label).fill('改了')
  await expectFailures(page, 'PUT /api/api_keys/{id}', '更新 API Key 失败，请重试', () =>
    edit.getByRole('button', { name: uiText.save }).click(),
  )
  await page.keyboard.press('Escape')
  await expectFailures(page, 'PATCH /api/api_keys/{id}/status', '更新 API Key 失败，请重试', () =>
    chooseMenuItem(page, '默认密钥', keysText.disable),
  )

  const undo = await interceptCall(page, 'POST /api/token/costs', failWordless)
  await page.getByRole('link', { name: pageLabel('Caculator', 'platform'), exact: true }).click()
  await expect(page.getByText('服务端计算失败，请重试')).toHaveCount(1)
  await undo()
  await button(page, uiText.retry).click()
  await expect(page.getByText(calculatorText.failed)).toHaveCount(0)

  await openFromMenu('Organization')
  await button(page, organizationText.create).click()
  const creating = page.getByRole('dialog', { name: organizationText.create })
  await creating.getByLabel(organizationText.name).fill('星河工作室')
  await expectFailures(page, 'POST /api/organization', '创建组织失败，请重试', () =>
    creating.getByRole('button', { name: organizationText.create }).click(),
  )
  const { uuid: id } = await owner.call('POST /api/organization', { body: { name: '星河工作室' } })
  const member = await world.user()
  await join(world, owner, id, member)
  const { name } = await member.call('GET /api/user/info', {})
  await page.reload()
  await page.getByLabel(organizationText.emails).fill('li@organization.example')
  await expectFailures(page, 'POST /api/organization/{id}/members/invite', '邀请成员失败，请重试', () =>
    button(page, organizationText.send).click(),
  )
  await expectFailures(
    page,
    'DELETE /api/organization/{id}/members/{userId}',
    '移除成员失败，请重试',
    async () => {
      await button(page, organizationText.manage(name)).click()
      await page
        .getByRole('dialog', { name: organizationText.manageTitle(name) })
        .getByRole('button', { name: organizationText.remove })
        .click()
      await page
        .getByRole('dialog', { name: organizationText.removeTitle(name) })
        .getByRole('button', { name: organizationText.remove })
        .click()
    },
  )
})
