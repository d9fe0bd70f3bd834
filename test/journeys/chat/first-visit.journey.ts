import { test } from 'vitest'
import { PLACEHOLDER } from '#contract/chat.ts'
import { authText } from '#web/text/auth.ts'
import { chatText } from '#web/text/chat.ts'
import { historyText } from '#web/text/history/history.ts'
import { outboxText } from '#web/text/docs/reference.ts'
import { homeText } from '#web/text/site/home.ts'
import { shellText } from '#web/text/shell.ts'
import {
  expectAnswer,
  answers,
  ask,
  button,
  composer,
  expect,
  questions,
  createSentences,
  slowScript,
} from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld({ NODE_ENV: 'development', GUEST_TURNS: '2' })
const ANSWER = createSentences(30)

test('a stranger asks as a guest, sees the placeholder, then text, signs in, and finds the conversation again', async () => {
  const { upstream } = world
  upstream.script('scripted', { ...slowScript(ANSWER), stall: 'body' })
  const page = await world.visit('/')
  await page.getByRole('link', { name: homeText.start }).click()
  await ask(page, '什么是渠？')
  await expect(answers(page)).toHaveText(PLACEHOLDER)
  await expect(questions(page)).toHaveText('什么是渠？')
  await expect.poll(() => upstream.requests.length).toBe(1)
  upstream.release()
  await expectAnswer(page, ANSWER)

  await page.getByRole('link', { name: shellText.login, exact: true }).click()
  await page.getByLabel(authText.email).fill('stranger@example.com')
  await button(page, authText.getCode).click()
  await expect(page.getByText(authText.codeSent('stranger@example.com', 10))).toBeVisible()
  await page.getByLabel(authText.code).fill(await world.getLoginCode('stranger@example.com'))
  await button(page, authText.submit).click()

  await expect(page).toHaveURL(/\/chat\?sess_id=/)
  await expect(page.getByText(shellText.coins('50.00'))).toBeVisible()
  await expect(page.getByRole('navigation', { name: historyText.sessions })).toContainText('什么是渠？')
  await expectAnswer(page, ANSWER)
  upstream.script('scripted', { text: '河是自然形成的。' })
  await ask(page, '那么河呢？')
  await expectAnswer(page, '河是自然形成的。')
  await expect(questions(page)).toHaveText(['什么是渠？', '那么河呢？'])
})

test('the code is read in the outbox, as on a machine that sends no mail', async () => {
  const page = await world.visit('/login')
  const outbox = page.getByRole('link', { name: authText.outbox })
  await page.getByLabel(authText.email).fill('outbox@example.com')
  await page.keyboard.press('Enter')
  await expect(page.getByText(authText.codeSent('outbox@example.com', 10))).toBeVisible()
  const tab = await page.context().newPage()
  await tab.goto(await outbox.evaluate((link: HTMLAnchorElement) => link.href))
  const message = tab.getByRole('listitem').filter({ hasText: 'outbox@example.com' })
  await message.getByRole('button', { name: outboxText.copyCode('') }).click()
  let code = ''
  const copyCode = async () => (code = await tab.evaluate(() => navigator.clipboard.readText()))
  await expect.poll(copyCode).toMatch(/^\d{6}$/)
  await page.getByLabel(authText.code).fill(code)
  await page.keyboard.press('Enter')
  await expect(page.getByText(shellText.coins('50.00'))).toBeVisible()
})

test('a wrong code says so and can be corrected', async () => {
  const page = await world.visit('/login', { expectedErrors: /status of 422/ })
  await page.getByLabel(authText.email).fill('wrong@example.com')
  await button(page, authText.getCode).click()
  await expect(page.getByText(authText.codeSent('wrong@example.com', 10))).toBeVisible()
  const code = await world.getLoginCode('wrong@example.com')
  await page.getByLabel(authText.code).fill(code === '000000' ? '000001' : '000000')
  await page.keyboard.press('Enter')
  await expect(page.getByText('验证码错误或已失效，请重新获取')).toBeVisible()
  await page.getByLabel(authText.code).fill(code)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/chat/)
})

test('a guest who has used up the day is asked to sign in, and the question is still there afterwards', async () => {
  world.upstream.script('scripted', { text: '好。' })
  const page = await world.visit('/chat', { expectedErrors: /status of 401/ })
  for (const prompt of ['一', '二']) {
    await ask(page, prompt)
    await expectAnswer(page, '好。')
  }
  await ask(page, '第三个问题')
  await expect(answers(page).last()).toContainText('今天的试用次数已用完，登录后可继续使用')
  await page.getByRole('link', { name: chatText.signIn }).click()
  await page.getByLabel(authText.email).fill('limit@example.com')
  await button(page, authText.getCode).click()
  await expect(page.getByText(authText.codeSent('limit@example.com', 10))).toBeVisible()
  await page.getByLabel(authText.code).fill(await world.getLoginCode('limit@example.com'))
  await button(page, authText.submit).click()
  await expect(page).toHaveURL(/\/chat\?sess_id=/)
  await expect(questions(page)).toHaveText(['一', '二'])
  await expect(composer(page)).toHaveValue('第三个问题')
  await page.keyboard.press('Enter')
  await expectAnswer(page, '好。')
  await expect(questions(page)).toHaveText(['一', '二', '第三个问题'])
})

test('where the browser forbids storage, a question is answered all the same', async () => {
  world.upstream.script('scripted', { text: '在。' })
  const page = await world.visit('/chat')
  await page.context().addInitScript(() => {
    const get = () => {
      throw new DOMException('forbidden', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get })
  })
  await page.reload()
  await ask(page, '在吗？')
  await expectAnswer(page, '在。')
})
