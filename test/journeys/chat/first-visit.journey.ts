import { test } from 'vitest'
import type { Page } from '@playwright/test'
import { PLACEHOLDER } from '#contract/chat.ts'
import { authText } from '#web/text/auth.ts'
import { chatText } from '#web/text/chat.ts'
import { historyText } from '#web/text/history/history.ts'
import { messagesText } from '#web/text/messages.ts'
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
import { composeInChrome } from '../screen/input-method.ts'
import { modelNames } from '../../world/real-names.ts'
import { getQuestion } from '../../world/upstream/script.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld({
  NODE_ENV: 'development',
  GUEST_TURNS: '2',
  SIGNUP_COINS: '1',
  TITLE_MODEL: 'flat',
})
const ANSWER = createSentences(10)
const titles = (page: Page) => page.getByRole('navigation', { name: historyText.sessions }).getByRole('link')
/** Tells whether a request asks a model this question, rather than for a title or anything else. */
const isAsked = (body: unknown, question: string): boolean =>
  getQuestion((body as { messages?: unknown }).messages) === question

test('a stranger asks as a guest, sees the placeholder, then text, is offered no documents, is asked to sign in once the day is used up, reads the code in the outbox, types a wrong one first, and finds the conversation and the question again; a question that the coins are not enough for says what it needs, and goes to a cheaper model; after its first answer the conversation gets a short title', async () => {
  const { upstream } = world
  upstream.script('scripted', { ...slowScript(ANSWER), stall: 'body' }, { text: '好。' })
  upstream.script('flat', { text: '什么是渠？' })
  const page = await world.visit('/', { expectedErrors: /status of (401|402|422)/ })
  await page.getByRole('link', { name: homeText.start }).click()
  await ask(page, '什么是渠？')
  await expect(answers(page)).toHaveText([PLACEHOLDER])
  await expect(questions(page)).toHaveText(['什么是渠？'])
  await expect(button(page, chatText.prompts)).toBeVisible()
  await expect(button(page, chatText.attach)).toHaveCount(0)
  await expect.poll(() => upstream.requests.filter(({ body }) => isAsked(body, '什么是渠？')).length).toBe(1)
  upstream.release()
  await expectAnswer(page, ANSWER)
  await ask(page, '那么河呢？')
  await expectAnswer(page, '好。')
  await ask(page, '第三个问题')
  await expect(answers(page).last()).toContainText('今天的试用次数已用完，登录后可继续使用')
  await page.getByRole('link', { name: chatText.signIn }).click()
  // Enter that ends Chinese input requests no code; Enter alone does.
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'POST' && pathname.startsWith('/auth/')) asked.push(pathname)
  })
  const email = page.getByLabel(authText.email)
  await email.focus()
  await composeInChrome(page, 'limit@example.com')
  await expect(email).toHaveValue('limit@example.com')
  await page.keyboard.press('End')
  expect(asked).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page.getByText(authText.codeSent('limit@example.com', 10))).toBeVisible()
  expect(asked).toEqual(['/auth/vcode'])

  const outbox = page.getByRole('link', { name: authText.outbox })
  const tab = await page.context().newPage()
  await tab.goto(await outbox.evaluate((link: HTMLAnchorElement) => link.href))
  const message = tab.getByRole('listitem').filter({ hasText: 'limit@example.com' })
  await message.getByRole('button', { name: outboxText.copyCode('') }).click()
  let code = ''
  const copyCode = async () => (code = await tab.evaluate(() => navigator.clipboard.readText()))
  await expect.poll(copyCode).toMatch(/^\d{6}$/)
  await page.getByLabel(authText.code).fill(code === '000000' ? '000001' : '000000')
  await page.keyboard.press('Enter')
  await expect(page.getByText('验证码错误或已失效，请重新获取')).toBeVisible()
  await page.getByLabel(authText.code).fill(code)
  await button(page, authText.submit).click()

  await expect(page).toHaveURL(/\/chat\?sess_id=/)
  await expect(page.getByText(shellText.coins('1.00'))).toBeVisible()
  await expect(titles(page)).toHaveText(['什么是渠？'])
  await expect(questions(page)).toHaveText(['什么是渠？', '那么河呢？'])
  await expect(answers(page)).toHaveText([ANSWER, '好。'])
  await expect(composer(page)).toHaveValue('第三个问题')
  await composer(page).press('Enter')
  await expect(answers(page)).toHaveCount(3)
  await expectAnswer(page, '好。')
  await expect(questions(page)).toHaveText(['什么是渠？', '那么河呢？', '第三个问题'])

  await page.getByRole('link', { name: shellText.newChat, exact: true }).click()
  await expect(questions(page)).toHaveCount(0)
  await button(page, `${chatText.modelPicker}：${modelNames.scripted}`).click()
  await page.getByRole('option', { name: modelNames['scripted-paid'] }).click()
  await ask(page, '问渠那得清如许？'.repeat(1000))
  const alert = answers(page).getByRole('alert')
  await expect(alert).toContainText(/最短的回答也需要 \d+\.\d\d 金币；可用余额 1\.00 金币/)
  await expect(alert.getByRole('link', { name: messagesText.recharge })).toHaveAttribute(
    'href',
    /^\/credit\?need=\d+\.\d\d&back=%2Fchat/,
  )
  world.upstream.script('scripted', { text: '为有源头活水来。' })
  world.upstream.script('flat', { text: '活水之源', delay_ms: 300 }, { text: '不该有的标题' })
  await button(page, messagesText.cheaperModel).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(`^${modelNames.scripted} `, 'u') })
    .first()
    .click()
  await expectAnswer(page, '为有源头活水来。')
  await expect(titles(page)).toHaveText(['活水之源', '什么是渠？'])
  await ask(page, '再问一句')
  await expect(answers(page)).toHaveCount(2)
  await expectAnswer(page, '为有源头活水来。')
  await expect(titles(page)).toHaveText(['活水之源', '什么是渠？'])
})
