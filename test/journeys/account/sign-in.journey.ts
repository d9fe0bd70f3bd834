import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'vitest'
import { signInText } from '#web/text/account/signIn.ts'
import { authText } from '#web/text/auth.ts'
import { shellText } from '#web/text/shell.ts'
import { homeText } from '#web/text/site/home.ts'
import { serviceText } from '#web/text/site/service.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { useResource } from '../../world/use-world.ts'
import { expect, pageLabel } from '../screen/chat-screen.ts'
import { createEmail } from './sign-in-screen.ts'

/** Stands for WeChat: a visit to its page counts as a scanned code, and is sent back. */
const wechat = useResource(async () => {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://wechat')
    if (pathname !== '/connect/qrconnect')
      return response.end(JSON.stringify({ openid: 'o-1', unionid: 'u-1' }))
    const back = new URL(searchParams.get('redirect_uri') ?? '')
    const query = new URLSearchParams({ code: 'scanned', state: searchParams.get('state') ?? '' })
    return response.writeHead(302, { Location: `${world.url}${back.pathname}?${query.toString()}` }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
})
const world = useBrowserWorld(async () => ({
  WECHAT_APP_ID: 'wx1',
  WECHAT_APP_SECRET: 'secret',
  WECHAT_CONNECT_URL: wechat.url,
  WECHAT_API_URL: wechat.url,
  TENCENT_SECRET_ID: 'AKID-test',
  TENCENT_SECRET_KEY: 'tencent-secret',
  CAPTCHA_APP_ID: '190000001',
  CAPTCHA_APP_SECRET: 'captcha-secret',
  CONTACT: 'help@wenqu.example',
}))

/** Stands for Tencent's script as the page sees it: it shows itself, and reports the person's answer. */
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

test('terms, privacy and charging can be read, and the operator be reached; a person signs in by WeChat, comes back to where they were, and signs out; where Tencent Captcha is configured its script is loaded for a code and no earlier, and asks the person, who does not come back to the form', async () => {
  const page = await world.visit('/service')
  for (const { title } of serviceText.sections) {
    await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible()
  }
  await expect(page.getByText('help@wenqu.example')).toBeVisible()
  const account = page.getByRole('button', { name: /的账户菜单$/ })
  await page.getByRole('link', { name: shellText.login, exact: true }).click()
  await page.getByRole('button', { name: authText.wechat }).click()
  // The fragment of the address at WeChat stays.
  await expect(page).toHaveURL(/\/service(#wechat_redirect)?$/)
  await account.click()
  await page.getByRole('menuitem', { name: pageLabel('Setting', 'account') }).click()
  await expect(page.getByRole('list', { name: signInText.title })).toContainText(signInText.bound)
  await page.goto(`${world.url}/logout/confirm`)
  await page.getByRole('button', { name: shellText.logout }).click()
  await expect(page).toHaveURL(`${world.url}/`)

  let loads = 0
  await page.route('https://turing.captcha.qcloud.com/TJCaptcha.js', (route) => {
    loads++
    return route.fulfill({ contentType: 'text/javascript', body: SCRIPT })
  })
  await page.getByRole('link', { name: homeText.login }).click()
  const email = createEmail()
  await page.getByLabel(authText.email).fill(email)
  expect(loads).toBe(0)
  await page.getByRole('button', { name: authText.getCode }).click()
  const captcha = page.getByRole('dialog', { name: '验证 190000001' })
  await captcha.getByRole('button', { name: '关闭' }).click()
  await expect(page.getByText(authText.captchaClosed)).toBeVisible()
  await page.getByRole('button', { name: authText.getCode }).click()
  await captcha.getByRole('button', { name: '通过' }).click()
  await expect(page.getByText(authText.codeSent(email, 10))).toBeVisible()
  await page.getByLabel(authText.code, { exact: true }).fill(await world.getLoginCode(email))
  const entries = await page.evaluate(() => history.length)
  await page.getByRole('button', { name: authText.submit, exact: true }).click()
  await expect(page).toHaveURL(/\/chat/)
  await expect(account).toBeVisible()
  expect(loads).toBe(1)
  // The page has taken the place of the form.
  expect(await page.evaluate(() => history.length)).toBe(entries)
})
