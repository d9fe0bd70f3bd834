import { test } from 'vitest'
import { findAccessibilityViolations } from '../../world/browser.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { expect } from '../screen/chat-screen.ts'

const world = useBrowserWorld({
  TENCENT_SECRET_ID: 'AKID-test',
  TENCENT_SECRET_KEY: 'tencent-secret',
  CAPTCHA_APP_ID: '190000001',
  CAPTCHA_APP_SECRET: 'captcha-secret',
})

/** What Tencent's script does, as far as the page sees it: shows itself, and tells how the person answered. */
const SCRIPT = `window.TencentCaptcha = class {
  constructor(appId, onAnswer) { Object.assign(this, { appId, onAnswer }) }
  show() {
    const dialog = document.createElement('dialog')
    dialog.setAttribute('aria-label', '验证 ' + this.appId)
    for (const [name, answer] of [['关闭', { ret: 2 }], ['通过', { ret: 0, ticket: 'dev', randstr: '@abc' }]]) {
      const button = document.createElement('button')
      button.textContent = name
      button.onclick = () => { dialog.remove(); this.onAnswer(answer) }
      dialog.append(button)
    }
    document.body.append(dialog)
    dialog.showModal()
  }
}`

test('where Tencent Captcha is configured its script is loaded for a code and no earlier, and asks the person', async () => {
  const page = await world.visit('/login')
  let loads = 0
  await page.route('https://turing.captcha.qcloud.com/TJCaptcha.js', (route) => {
    loads++
    return route.fulfill({ contentType: 'text/javascript', body: SCRIPT })
  })
  const email = 'captcha@example.com'
  await page.getByLabel('手机号或邮箱').fill(email)
  expect(loads).toBe(0)
  await page.getByRole('button', { name: '获取验证码' }).click()
  const captcha = page.getByRole('dialog', { name: '验证 190000001' })
  await captcha.getByRole('button', { name: '关闭' }).click()
  await expect(page.getByText('请先完成验证，再获取验证码')).toBeVisible()
  expect(await findAccessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: '获取验证码' }).click()
  await captcha.getByRole('button', { name: '通过' }).click()
  await expect(page.getByText(`已发送到 ${email}`)).toBeVisible()
  await page.getByLabel('验证码').fill(await world.getLoginCode(email))
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page).toHaveURL(/\/chat/)
  expect(loads).toBe(1)
})
