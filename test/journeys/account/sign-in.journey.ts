import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'vitest'
import { findAccessibilityViolations } from '../../world/browser.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { letTimePass } from '../../world/sign-in.ts'
import { useResource } from '../../world/use-world.ts'
import { expect } from '../screen/chat-screen.ts'

/** WeChat: whoever comes to its page has scanned the code, and is sent back. */
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
}))

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
  expect(await findAccessibilityViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: '确认绑定' }).click()
  await expect(ways).toContainText(email)
  await page.getByRole('button', { name: '解除绑定手机号' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '解除绑定' }).click()
  await expect(ways).not.toContainText(phone)
  await expect(page.getByRole('button', { name: '解除绑定邮箱' })).toHaveCount(0)
  await expect(page.getByRole('list', { name: '已登录的浏览器' })).toContainText('当前浏览器')
  expect(await findAccessibilityViolations(page)).toEqual([])
})

test('a person signs in by WeChat and comes back to where they were going', async () => {
  const page = await world.visit('/login?redirect_to=/profile/setting')
  await page.getByRole('button', { name: '微信登录' }).click()
  await expect(page.getByRole('list', { name: '登录方式' })).toContainText('已绑定')
})
