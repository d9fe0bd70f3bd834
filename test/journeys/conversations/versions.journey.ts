import { test } from 'vitest'
import type { Locator, Page } from '@playwright/test'
import { PLACEHOLDER } from '#contract/chat.ts'
import { chatText } from '#web/text/chat.ts'
import { messagesText } from '#web/text/messages.ts'
import { shellText } from '#web/text/shell.ts'
import {
  expectAnswer,
  answers,
  waitForText,
  ask,
  button,
  composer,
  expect,
  questions,
  endlessScript,
  readSettledText,
  reopenAtOnce,
} from '../screen/chat-screen.ts'
import { composeInChrome } from '../screen/input-method.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { modelNames, platformNames } from '../../world/real-names.ts'

const world = useBrowserWorld()

/** Opens a conversation of 问一, which this model has answered, and 问二 → 答二. */
async function openTwoTurns(first = 'scripted'): Promise<Page> {
  const client = await world.user()
  const { sess_id } = await client.ask('问一', { model: first })
  await client.ask('问二', { sess_id, model: 'scripted' })
  const page = await world.visit(`/chat?sess_id=${sess_id}`, { client })
  await expect(questions(page)).toHaveText(['问一', '问二'])
  await expectAnswer(page, '答二。')
  return page
}

const menus = (page: Page): Locator => page.getByRole('button', { name: messagesText.actions, exact: true })
const item = (page: Page, name: string): Locator => page.getByRole('menuitem', { name })
const editor = (page: Page): Locator => page.getByLabel(messagesText.editLabel)
const position = (page: Page, nth: number, of: number): Locator =>
  page.getByText(messagesText.position(nth, of), { exact: true })

/** Chooses an action in the nth menu of a conversation: a question's, its answer's, and so on. */
async function chooseAction(page: Page, nth: number, name: string): Promise<void> {
  await menus(page).nth(nth).click()
  await item(page, name).click()
}

/** Returns the figures of tokens in the panel of the only answer. */
async function readFigures(page: Page): Promise<string[]> {
  const panel = page.getByRole('dialog', { name: messagesText.figures })
  await page.getByRole('button', { name: /金币$/ }).click()
  const values = panel.getByRole('definition').filter({ hasText: /Token$/ })
  await expect(values).not.toHaveCount(0)
  const figures = await values.allInnerTexts()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  return figures
}

async function expectConversation(page: Page, conversation: string[]): Promise<void> {
  const asked = conversation.filter((_, nth) => nth % 2 === 0)
  const said = conversation.filter((_, nth) => nth % 2 === 1)
  await expect(questions(page)).toHaveText(asked)
  await expect(answers(page)).toHaveText(said)
}

test('versions of an answer, of other models too, are walked through by keyboard and stay chosen after a reload; a turn is deleted after it was asked for; a question is asked in other words, and the old words come back', async () => {
  world.upstream.script('scripted', { text: '答一。' }, { text: '答二。' })
  const page = await openTwoTurns()
  await expectConversation(page, ['问一', '答一。', '问二', '答二。'])
  world.upstream.script('scripted', { text: '答二，换个说法。' }, { text: '答三。' })
  await button(page, chatText.regenerate).click()
  await expectAnswer(page, '答二，换个说法。')
  await expect(position(page, 2, 2)).toBeVisible()
  await button(page, messagesText.older).focus()
  await page.keyboard.press('Enter')
  await expectAnswer(page, '答二。')
  await expect(position(page, 1, 2)).toBeVisible()
  await expect(button(page, messagesText.older)).toBeFocused()
  await page.reload()
  await expectAnswer(page, '答二。')
  await ask(page, '问三')
  await expectAnswer(page, '答三。')
  await button(page, messagesText.newer).click()
  await expectConversation(page, ['问一', '答一。', '问二', '答二，换个说法。'])
  await button(page, messagesText.older).click()
  await expectConversation(page, ['问一', '答一。', '问二', '答二。', '问三', '答三。'])

  world.upstream.script('scripted-paid', { text: '我来答二。' })
  await chooseAction(page, 3, messagesText.otherModel)
  await page.getByRole('dialog').getByRole('button', { name: modelNames['scripted-paid'] }).click()
  await expectAnswer(page, '我来答二。')
  await expect(position(page, 3, 3)).toBeVisible()

  // The turns after it stay.
  await chooseAction(page, 1, messagesText.remove)
  const dialog = page.getByRole('dialog', { name: messagesText.removeTitle })
  await button(page, '取消').click()
  await expect(dialog).toBeHidden()
  await expectConversation(page, ['问一', '答一。', '问二', '我来答二。'])
  await chooseAction(page, 1, messagesText.remove)
  await dialog.getByRole('button', { name: messagesText.remove }).click()
  await expectConversation(page, ['问二', '我来答二。'])

  await chooseAction(page, 0, messagesText.edit)
  await expect(editor(page)).toBeFocused()
  await expect(editor(page)).toHaveValue('问二')
  await page.keyboard.press('Escape')
  await expectConversation(page, ['问二', '我来答二。'])
  // Enter that ends Chinese input does not send.
  await chooseAction(page, 0, messagesText.edit)
  await editor(page).fill('')
  await composeInChrome(page, '你好')
  await expect(editor(page)).toHaveValue('你好')
  await page.keyboard.type('！')
  await expect(editor(page)).toHaveValue('你好！')
  world.upstream.script('scripted-paid', { text: '答甲。' })
  await page.keyboard.press('Enter')
  await expectAnswer(page, '答甲。')
  await expectConversation(page, ['你好！', '答甲。'])
  await button(page, messagesText.older).click()
  await expectConversation(page, ['问二', '我来答二。'])
  await page.setViewportSize({ width: 390, height: 780 })
  await chooseAction(page, 0, messagesText.edit)
  await expect(editor(page)).toBeFocused()
  await expect(editor(page)).toBeInViewport()
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
})

test('what was thought is there when the conversation is opened; the line under an answer tells model and coins, a click the rest; a whole answer, or the words that are selected, are quoted into the composer; an answer that was stopped goes on as the same one; its figures that were closed before they came stay closed; the thoughts of the next are seen while they come, and fold; questions that could follow are asked by a click', async () => {
  const reasoning = '先看题目。\n再想源头在哪里。'
  const usage = { prompt_tokens: 500, completion_tokens: 1_500, total_tokens: 2_000 }
  world.upstream.script('twofold-cheap', { status: 500 })
  world.upstream.script('twofold-dear', { reasoning, text: '在方塘。', usage })
  world.upstream.script('scripted', { text: '答二。' })
  const page = await openTwoTurns('twofold')
  await expect(answers(page).first()).toHaveText(/^思考了.+在方塘。\s*$/)
  await answers(page)
    .getByRole('button', { name: /^思考了/ })
    .press('Enter')
  await expect(answers(page).first()).toContainText('先看题目。')

  const panel = page.getByRole('dialog', { name: messagesText.figures })
  const line = button(page, `${modelNames.twofold} · 4.00 金币`)
  await line.press('Enter')
  await expect(panel).toBeVisible()
  await reopenAtOnce(panel)
  await expect(panel.getByRole('listitem')).toHaveText([
    new RegExp(`^${platformNames.scripted}失败`),
    new RegExp(`^${platformNames.second}已回答 · .+秒$`),
  ])
  await expect(panel.getByRole('term')).toContainText([
    messagesText.platform,
    messagesText.firstWord,
    messagesText.time,
    messagesText.input,
    messagesText.output,
    messagesText.total,
  ])
  await expect(panel.getByRole('definition')).toContainText([
    platformNames.second,
    /秒$/,
    /秒$/,
    '500 Token',
    '1,500 Token',
    '4.00 金币',
  ])
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(line).toBeFocused()

  await composer(page).fill('这句怎么讲？')
  await chooseAction(page, 1, messagesText.quote)
  await expect(composer(page)).toHaveValue('> 在方塘。\n\n这句怎么讲？')
  await expect(composer(page)).toBeFocused()
  await composer(page).fill('')
  await answers(page).last().locator('p').click({ clickCount: 3 })
  const bar = page.getByRole('toolbar', { name: messagesText.selection })
  await expect(bar).toBeVisible()
  await bar.getByRole('button', { name: messagesText.quote }).click()
  await expect(composer(page)).toHaveValue('> 答二。\n\n')
  await expect(bar).toBeHidden()
  world.upstream.script('scripted', { text: '意思是第二个回答。' })
  await answers(page).last().locator('p').click({ clickCount: 3 })
  await bar.getByRole('button', { name: messagesText.explain }).click()
  await expectAnswer(page, '意思是第二个回答。')
  await expect(questions(page).last()).toHaveText(`> 答二。\n\n${messagesText.explainPrompt}`)

  await page.getByRole('link', { name: shellText.newChat, exact: true }).click()
  await expect(questions(page)).toHaveCount(0)
  world.upstream.script('scripted', endlessScript('第一部分的话，慢慢说来。'.repeat(8)), {
    text: '到此说完。',
  })
  await ask(page, '慢慢说')
  await waitForText(page, 20)
  await button(page, chatText.stop).click()
  await expect(answers(page)).toContainText(chatText.stopped)
  const begun = (await readSettledText(answers(page))).replace(chatText.stopped, '').trim()
  const before = await readFigures(page)
  await button(page, messagesText.continueAnswer).click()
  await expectAnswer(page, `${begun}到此说完。`)
  await expect(button(page, messagesText.continueAnswer)).toHaveCount(0)
  await expect.poll(() => readFigures(page)).not.toEqual(before)
  const after = await readFigures(page)

  world.upstream.script('scripted', { reasoning, text: '在方塘。', chars: 40, stall: 2 })
  await ask(page, '源头？')
  const live = page.getByRole('button', { name: messagesText.thinking })
  await expect(live).toContainText('再想源头在哪里。')
  await expect(answers(page).last()).not.toContainText(PLACEHOLDER)
  await page.reload()
  await expect(answers(page).first()).toHaveText(`${begun}到此说完。`)
  await expect(live).toContainText('再想源头在哪里。')

  const { promise: details, resolve: sendDetails } = Promise.withResolvers<void>()
  await page.route('**/api/chat/explain*', async (route) => {
    await details
    await route.continue()
  })
  await page.getByRole('button', { name: /金币$/ }).click()
  await expect(panel).toBeVisible()
  // The page learns of the closing only after the details have come, as on a busy machine.
  await page.evaluate(() => {
    document.addEventListener('toggle', (event) => event.stopPropagation(), { capture: true, once: true })
  })
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  const awaited = page.locator('[popover] .animate-shimmer')
  await expect(awaited).toHaveCount(1)
  sendDetails()
  await expect(awaited).toHaveCount(0)
  await expect(panel).toBeHidden()
  expect(await readFigures(page)).toEqual(after)

  await live.click()
  await expect(answers(page).last()).toContainText('先看题目。')
  world.upstream.release()
  await expect(answers(page).last()).toContainText('在方塘。')
  const fold = answers(page).getByRole('button', { name: /^思考了/ })
  await expect(fold).toHaveAttribute('aria-expanded', 'true')
  await fold.click()
  await expect(answers(page).last()).not.toContainText('先看题目。')
  await expect(answers(page).last()).toHaveText(/^思考了.+在方塘。\s*$/)

  world.upstream.script(
    'scripted',
    { text: '["甲？", "乙？", "丙？"]' },
    { text: '答甲。' },
    { text: '["丁？"]' },
  )
  await menus(page).last().click()
  await page.getByRole('menuitemradio', { name: messagesText.related }).click()
  const chips = page.getByRole('list', { name: messagesText.relatedLabel }).getByRole('button')
  await expect(chips).toHaveText(['甲？', '乙？', '丙？'])
  await chips.first().click()
  await expect(questions(page).last()).toHaveText('甲？')
  await expectAnswer(page, '答甲。')
  await expect(chips).toHaveText(['丁？'])
})
