import { describe, test } from 'vitest'
import type { CDPSession, Locator, Page } from '@playwright/test'
import { PLACEHOLDER } from '#contract/chat.ts'
import { chatText } from '#web/text/chat.ts'
import { turnsText } from '#web/text/turns.ts'
import { axe } from '../browser.ts'
import type { Visit } from '../browser.ts'
import { answered, answers, arriving, ask, button, composer, expect, questions, slow } from './chat-screen.ts'
import { setStage } from './stage.ts'

const stage = setStage()

async function onChat(visit: Visit = {}): Promise<Page> {
  const page = await stage.visit('/chat', { client: await stage.world.user(), ...visit })
  await expect(composer(page)).toBeVisible()
  return page
}

/** A conversation of 问一 → 答一, 问二 → 答二 on the screen. */
async function twoTurns(visit: Visit = {}): Promise<Page> {
  stage.world.upstream.script('scripted', { text: '答一。' }, { text: '答二。' })
  const page = await onChat(visit)
  await ask(page, '问一')
  await answered(page, '答一。')
  await ask(page, '问二')
  await answered(page, '答二。')
  return page
}

const menus = (page: Page): Locator => page.getByRole('button', { name: turnsText.actions, exact: true })
const item = (page: Page, name: string): Locator => page.getByRole('menuitem', { name })
const editor = (page: Page): Locator => page.getByLabel(turnsText.editLabel)
const position = (page: Page, nth: number, of: number): Locator =>
  page.getByText(turnsText.position(nth, of), { exact: true })

/** The menus of a conversation, in order: a question's, its answer's, and so on. */
async function act(page: Page, nth: number, name: string): Promise<void> {
  await menus(page).nth(nth).click()
  await item(page, name).click()
}

async function shows(page: Page, conversation: string[]): Promise<void> {
  const asked = conversation.filter((_, nth) => nth % 2 === 0)
  const said = conversation.filter((_, nth) => nth % 2 === 1)
  await expect(questions(page)).toHaveText(asked)
  await expect(answers(page)).toHaveText(said)
}

test('versions of an answer are walked through by keyboard, and stay chosen after a reload', async () => {
  const page = await twoTurns()
  stage.world.upstream.script('scripted', { text: '答二，换个说法。' }, { text: '答三。' })
  await button(page, chatText.regenerate).click()
  await answered(page, '答二，换个说法。')
  await expect(position(page, 2, 2)).toBeVisible()
  await button(page, turnsText.older).focus()
  await page.keyboard.press('Enter')
  await answered(page, '答二。')
  await expect(position(page, 1, 2)).toBeVisible()
  await expect(button(page, turnsText.older)).toBeFocused()
  await page.reload()
  await answered(page, '答二。')
  await ask(page, '问三')
  await answered(page, '答三。')
  await button(page, turnsText.newer).click()
  await shows(page, ['问一', '答一。', '问二', '答二，换个说法。'])
  await button(page, turnsText.older).click()
  await shows(page, ['问一', '答一。', '问二', '答二。', '问三', '答三。'])
})

test('a question is asked in other words; the old words and what followed come back', async () => {
  const page = await twoTurns()
  stage.world.upstream.script('scripted', { text: '答甲。' })
  await act(page, 0, turnsText.edit)
  await expect(editor(page)).toBeFocused()
  await expect(editor(page)).toHaveValue('问一')
  await page.keyboard.press('Escape')
  await shows(page, ['问一', '答一。', '问二', '答二。'])
  await act(page, 0, turnsText.edit)
  await editor(page).fill('问甲')
  await page.keyboard.press('Enter')
  await answered(page, '答甲。')
  await shows(page, ['问甲', '答甲。'])
  await button(page, turnsText.older).click()
  await shows(page, ['问一', '答一。', '问二', '答二。'])
  await page.reload()
  await shows(page, ['问一', '答一。', '问二', '答二。'])
})

describe('Enter that ends Chinese input does not send what is being edited', () => {
  test('in the order of Chrome', async () => {
    const page = await twoTurns()
    await act(page, 2, turnsText.edit)
    await editor(page).fill('')
    const session: CDPSession = await page.context().newCDPSession(page)
    await session.send('Input.imeSetComposition', { text: 'nihao', selectionStart: 5, selectionEnd: 5 })
    await session.send('Input.dispatchKeyEvent', {
      type: 'rawKeyDown',
      key: 'Enter',
      code: 'Enter',
      windowsVirtualKeyCode: 229,
    })
    await session.send('Input.insertText', { text: '你好' })
    await expect(editor(page)).toHaveValue('你好')
    stage.world.upstream.script('scripted', { text: '收到。' })
    await page.keyboard.press('Enter')
    await answered(page, '收到。')
    await shows(page, ['问一', '答一。', '你好', '收到。'])
  })

  test('in the order of Safari', async () => {
    const page = await twoTurns()
    await act(page, 2, turnsText.edit)
    await editor(page).fill('你好')
    await editor(page).evaluate((field) => {
      field.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
      field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: '你好' }))
      const init = { key: 'Enter', code: 'Enter', keyCode: 229, which: 229, bubbles: true, cancelable: true }
      field.dispatchEvent(new KeyboardEvent('keydown', init))
    })
    await page.keyboard.type('！')
    await expect(editor(page)).toHaveValue('你好！')
    stage.world.upstream.script('scripted', { text: '收到。' })
    await page.keyboard.press('Enter')
    await shows(page, ['问一', '答一。', '你好！', '收到。'])
  })
})

test('an answer that was stopped goes on as the same one, here and in another tab', async () => {
  const page = await onChat()
  stage.world.upstream.script('scripted', slow('第一部分的话，慢慢说来。'.repeat(20)), { text: '到此说完。' })
  await ask(page, '慢慢说')
  await arriving(page, 20)
  await button(page, chatText.stop).click()
  await expect(answers(page)).toContainText(chatText.stopped)
  const tab = await page.context().newPage()
  await tab.goto(page.url())
  const begun = ((await answers(tab).textContent()) ?? '').replace(chatText.stopped, '').trim()
  await button(page, turnsText.goOn).click()
  await answered(page, `${begun}到此说完。`)
  await answered(tab, `${begun}到此说完。`)
  await expect(button(page, turnsText.goOn)).toHaveCount(0)
  await page.reload()
  await answered(page, `${begun}到此说完。`)
})

test('a turn is deleted after it was asked for, what came after it stays', async () => {
  const page = await twoTurns()
  await act(page, 1, turnsText.remove)
  const dialog = page.getByRole('dialog', { name: turnsText.removeTitle })
  await button(page, '取消').click()
  await expect(dialog).toBeHidden()
  await shows(page, ['问一', '答一。', '问二', '答二。'])
  await act(page, 1, turnsText.remove)
  await dialog.getByRole('button', { name: turnsText.remove }).click()
  await shows(page, ['问二', '答二。'])
  await page.reload()
  await shows(page, ['问二', '答二。'])
})

test('another model answers again', async () => {
  const page = await twoTurns()
  stage.world.upstream.script('scripted-paid', { text: '我来答二。' })
  await act(page, 3, turnsText.otherModel)
  await page.getByRole('dialog').getByRole('button', { name: 'scripted-paid' }).click()
  await answered(page, '我来答二。')
  await expect(position(page, 2, 2)).toBeVisible()
})

test('a whole answer, or the words that are selected, are quoted into the composer', async () => {
  const page = await twoTurns()
  await composer(page).fill('这句怎么讲？')
  await act(page, 1, turnsText.quote)
  await expect(composer(page)).toHaveValue('> 答一。\n\n这句怎么讲？')
  await expect(composer(page)).toBeFocused()
  await composer(page).fill('')
  await answers(page).last().locator('p').click({ clickCount: 3 })
  const bar = page.getByRole('toolbar', { name: turnsText.selection })
  await expect(bar).toBeVisible()
  expect(await axe(page)).toEqual([])
  await bar.getByRole('button', { name: turnsText.quote }).click()
  await expect(composer(page)).toHaveValue('> 答二。\n\n')
  await expect(bar).toBeHidden()
  stage.world.upstream.script('scripted', { text: '意思是第二个回答。' })
  await answers(page).last().locator('p').click({ clickCount: 3 })
  await bar.getByRole('button', { name: turnsText.explain }).click()
  await answered(page, '意思是第二个回答。')
  await expect(questions(page).last()).toHaveText(`> 答二。\n\n${turnsText.explainPrompt}`)
})

test('what is thought is seen while it comes, folds, and is there after a reload', async () => {
  const page = await onChat()
  const thought = '先看题目。\n再想源头在哪里。'
  stage.world.upstream.script('scripted', { reasoning: thought, text: '在方塘。', chars: 40, stall: 2 })
  await ask(page, '源头？')
  const live = page.getByRole('button', { name: turnsText.thinking })
  await expect(live).toContainText('再想源头在哪里。')
  await expect(answers(page)).not.toContainText(PLACEHOLDER)
  await page.reload()
  await expect(live).toContainText('再想源头在哪里。')
  await live.click()
  await expect(answers(page)).toContainText('先看题目。')
  stage.world.upstream.release()
  await expect(answers(page)).toContainText('在方塘。')
  const fold = answers(page).getByRole('button', { name: /^思考了/ })
  await expect(fold).toHaveAttribute('aria-expanded', 'true')
  await fold.click()
  await expect(answers(page)).not.toContainText('先看题目。')
  await page.reload()
  await expect(answers(page)).toHaveText(/^思考了.+在方塘。\s*$/)
  await fold.press('Enter')
  await expect(answers(page)).toContainText('先看题目。')
})

test('the line under an answer tells model, platform, tokens and coins, and a click the attempts', async () => {
  const page = await onChat()
  stage.world.upstream.script('twofold-cheap', { status: 500 })
  const usage = { prompt_tokens: 500, completion_tokens: 1_500, total_tokens: 2_000 }
  stage.world.upstream.script('twofold-dear', { text: '值。', usage })
  await button(page, `${chatText.modelPicker}：scripted`).click()
  await page.getByRole('option', { name: 'twofold' }).click()
  await ask(page, '值多少？')
  await answered(page, '值。')
  const line = page.getByRole('button', { name: /^twofold · second · .+ · 500 \+ 1.5k tokens · 4.00 金币$/ })
  await line.click()
  const panel = page.getByRole('dialog', { name: turnsText.figures })
  await expect(panel.getByRole('listitem')).toHaveText([/^scripted失败/, /^second已回答.+4.00 金币$/])
  await expect(panel).toContainText('1,500 tokens')
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(line).toBeFocused()
})

test('questions that could follow are shown when they are wanted, asked by a click, and stay', async () => {
  const page = await onChat()
  stage.world.upstream.script(
    'scripted',
    { text: '答一。' },
    { text: '["甲？", "乙？", "丙？"]' },
    { text: '答甲。' },
    { text: '["丁？"]' },
  )
  await ask(page, '问一')
  await answered(page, '答一。')
  await menus(page).last().click()
  await page.getByRole('menuitemradio', { name: turnsText.related }).click()
  const chips = page.getByRole('list', { name: turnsText.relatedLabel }).getByRole('button')
  await expect(chips).toHaveText(['甲？', '乙？', '丙？'])
  await page.reload()
  await expect(chips).toHaveText(['甲？', '乙？', '丙？'])
  await chips.first().click()
  await expect(questions(page).last()).toHaveText('甲？')
  await answered(page, '答甲。')
  await expect(chips).toHaveText(['丁？'])
})

test('an answer of the server without a message says so in the place of the answer', async () => {
  const page = await onChat()
  await page.route('**/api/chat/create', (route) => route.fulfill({ json: {} }))
  await ask(page, '在吗？')
  await expect(answers(page)).toContainText(chatText.noChatMessage)
})

test('what the server says against a question takes the place of the answer', async () => {
  const page = await onChat({ expected: /status of 404/ })
  stage.world.upstream.script('scripted', { text: '在。' })
  await page.route('**/api/chat/create', (route) =>
    route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), model: 'none' }) }),
  )
  await ask(page, '在吗？')
  await expect(answers(page).getByRole('alert')).toContainText('模型不存在或已下线')
  await expect(answers(page)).not.toContainText(PLACEHOLDER)
})

describe.each(['light', 'dark', 'phone'] as const)('nobody stumbles over menus and panels: %s', (look) => {
  test('of messages', async () => {
    stage.world.upstream.script(
      'scripted',
      { reasoning: '想一想。', text: '答一。' },
      { text: '答一，再来。', finish: 'length' },
    )
    const page = await onChat({ look })
    await ask(page, '问一')
    await expect(answers(page)).toContainText('答一。')
    await button(page, chatText.regenerate).click()
    await answered(page, '答一，再来。')
    await expect(button(page, turnsText.goOn)).toBeVisible()
    expect(await axe(page)).toEqual([])
    await menus(page).last().click()
    await expect(item(page, turnsText.remove)).toBeVisible()
    expect(await axe(page)).toEqual([])
    await item(page, turnsText.otherModel).click()
    await expect(page.getByRole('dialog', { name: turnsText.otherModel })).toBeVisible()
    expect(await axe(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /tokens/ }).click()
    await expect(page.getByRole('dialog', { name: turnsText.figures })).toContainText(turnsText.total)
    expect(await axe(page)).toEqual([])
    await page.keyboard.press('Escape')
    await act(page, 0, turnsText.edit)
    await expect(editor(page)).toBeFocused()
    await expect(editor(page)).toBeInViewport()
    expect(await axe(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
  })
})
