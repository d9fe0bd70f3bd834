import { test } from 'vitest'
import type { Page } from '@playwright/test'
import { authText } from '#web/text/auth.ts'
import { expectAnswer, composer, expect, questions } from '../screen/chat-screen.ts'
import { composeInChrome, composeInSafari } from '../screen/input-method.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()

async function focusComposer(): Promise<Page> {
  world.upstream.script('scripted', { text: '收到。' })
  const page = await world.visit('/chat', { client: await world.user() })
  await expect(composer(page)).toBeFocused()
  return page
}

test('Enter sends, Shift+Enter begins a new line', async () => {
  const page = await focusComposer()
  await page.keyboard.type('第一行')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('第二行')
  await expect(composer(page)).toHaveValue('第一行\n第二行')
  await expect(questions(page)).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expectAnswer(page, '收到。')
  await expect(questions(page)).toHaveText('第一行\n第二行')
  await expect(composer(page)).toHaveValue('')
  await expect(composer(page)).toBeFocused()
})

test('blank lines are not sent', async () => {
  const page = await focusComposer()
  await page.keyboard.press('Enter')
  await page.keyboard.type('   ')
  await page.keyboard.press('Enter')
  await page.keyboard.type('有字了')
  await page.keyboard.press('Enter')
  await expectAnswer(page, '收到。')
  await expect(questions(page)).toHaveCount(1)
})

test.each(['Chrome', 'Safari'])(
  'Enter that ends Chinese input does not send, in the order of %s',
  async (order) => {
    const page = await focusComposer()
    if (order === 'Chrome') await composeInChrome(page, '你好')
    else await composeInSafari(page, composer(page), '你好')
    await expect(composer(page)).toHaveValue('你好')
    await page.keyboard.type('！')
    await expect(composer(page)).toHaveValue('你好！')
    await expect(questions(page)).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expectAnswer(page, '收到。')
    await expect(questions(page)).toHaveText('你好！')
  },
)

test('Enter that ends Chinese input asks for no sign-in code, Enter does', async () => {
  const page = await world.visit('/login')
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') asked.push(new URL(request.url()).pathname)
  })
  const email = page.getByLabel(authText.email)
  await email.focus()
  await composeInChrome(page, 'lin@example.com')
  await expect(email).toHaveValue('lin@example.com')
  await page.keyboard.press('End')
  expect(asked).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page.getByText(/验证码已发送|已发送/)).toBeVisible()
  expect(asked).toEqual(['/auth/vcode'])
})
