import { test } from 'vitest'
import type { Page } from '@playwright/test'
import { uiText } from '#web/text/ui.ts'
import { promptsText } from '#web/text/prompts.ts'
import { chatText } from '#web/text/chat.ts'
import {
  answers,
  button,
  composer,
  expect,
  expectAnswer,
  expectNotice,
  questions,
} from '../screen/chat-screen.ts'
import { composeInSafari } from '../screen/input-method.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()

const list = (page: Page) => page.getByRole('listbox', { name: promptsText.list })
const options = (page: Page) => list(page).getByRole('option')
const active = (page: Page) => list(page).locator('[aria-selected=true]')
const library = (page: Page) => page.getByRole('dialog', { name: promptsText.title })
const cards = (page: Page) =>
  library(page).getByRole('list', { name: promptsText.list }).getByRole('listitem')
const selected = (page: Page) =>
  composer(page).evaluate((field: HTMLTextAreaElement) =>
    field.value.slice(field.selectionStart, field.selectionEnd),
  )

async function focusComposer(expectedErrors = /^$/): Promise<Page> {
  world.upstream.script('scripted', { text: '收到。' })
  const page = await world.visit('/chat', { client: await world.user(), expectedErrors })
  await expect(composer(page)).toBeFocused()
  return page
}

test('what matches no prompt is sent as it is, and a slash elsewhere offers nothing; a slash offers prompts, which typing filters and arrows walk through; Enter takes one with its first blank selected, unless it ends Chinese input; Tab goes from blank to blank and then on', async () => {
  const page = await focusComposer()
  await page.keyboard.type('/etc/hosts是什么')
  // The prompts arrive only now; Enter waits for them.
  await expect(list(page).locator('..').getByRole('status')).toHaveText(promptsText.found(0))
  await expect(options(page)).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expectAnswer(page, '收到。')
  await expect(questions(page)).toHaveText(['/etc/hosts是什么'])
  await page.keyboard.type('这/那')
  await expect(list(page)).toBeHidden()

  await composer(page).fill('')
  await page.keyboard.type('/')
  await expect(options(page)).toHaveCount(41)
  await composeInSafari(page, composer(page), '周报')
  await expect(composer(page)).toHaveValue('/周报')
  await expect(active(page)).toContainText('写周报')
  await expect(answers(page)).toHaveCount(1)
  await composer(page).fill('')
  await page.keyboard.type('/')
  await expect(options(page)).toHaveCount(41)
  await page.keyboard.type('翻译')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('周报')
  await expect(options(page).first()).toContainText('写周报')
  await page.keyboard.press('Enter')
  await expect(list(page)).toBeHidden()
  await expect(composer(page)).toHaveValue(/^请把下面的工作记录整理成一份周报/)
  expect(await selected(page)).toBe('{{本周的工作记录}}')
  await page.keyboard.type('修好了水渠')
  await page.keyboard.press('Enter')
  await expect(questions(page)).toHaveCount(2)
  await expectAnswer(page, '收到。')
  await expect(questions(page).last()).toContainText('修好了水渠')

  await expect(composer(page)).toBeFocused()
  await page.keyboard.type('/')
  await expect(active(page)).toHaveCount(1)
  const first = await active(page).textContent()
  await page.keyboard.press('ArrowUp')
  await expect(active(page)).toContainText(promptsText.browse)
  await page.keyboard.press('ArrowDown')
  await expect(active(page)).toHaveText(first ?? '')
  await expect(composer(page)).toHaveAttribute(
    'aria-activedescendant',
    (await active(page).getAttribute('id')) ?? '',
  )
  await page.keyboard.press('Escape')
  await expect(list(page)).toBeHidden()
  await expect(composer(page)).toHaveValue('/')
  await expect(composer(page)).not.toHaveAttribute('aria-activedescendant', /./)
  await composer(page).fill('/提纲')
  await expect(list(page)).toBeHidden()
  await composer(page).fill('')
  await page.keyboard.type('/文章提纲')
  await expect(active(page)).toContainText('文章提纲')
  await page.keyboard.press('Enter')
  const blanks: string[] = []
  for (let n = 0; n < 4; n++) {
    blanks.push(await selected(page))
    await page.keyboard.press('Tab')
  }
  expect(blanks).toEqual(['{{题目}}', '{{文体，如议论文、科普文}}', '{{读者}}', '{{字数}}'])
  await expect(composer(page)).not.toBeFocused()
})

test('the library is searched and filtered, tells when more does not come, and gives its prompt to the composer; own prompts are written, changed, used by the slash, and deleted', async () => {
  const page = await focusComposer(/status of (422|500)/)
  await button(page, chatText.prompts).click()
  await expect(cards(page)).toHaveCount(30)
  await page.route(/\/api\/chat\/prompts\?.*page=2/, (route) =>
    route.fulfill({ status: 500, json: { message: '列表坏了', code: 'internal' } }),
  )
  await expectNotice(page, '列表坏了', () => button(page, promptsText.more).click())
  await expect(cards(page)).toHaveCount(30)
  await page.unroute(/\/api\/chat\/prompts\?.*page=2/)
  await button(page, promptsText.more).click()
  await expect(cards(page)).toHaveCount(40)
  await button(page, '编程').click()
  await expect(cards(page)).toHaveCount(5)
  await library(page).getByLabel(promptsText.search).fill('正则')
  await expect(cards(page)).toHaveCount(1)
  await button(page, promptsText.use('写正则表达式')).click()
  await expect(library(page)).toBeHidden()
  await expect(composer(page)).toBeFocused()
  expect(await selected(page)).toBe('{{语言或工具}}')

  await composer(page).fill('')
  await page.keyboard.type('/没有这一条')
  await expect(options(page)).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await button(page, promptsText.create).click()
  const form = page.getByRole('dialog', { name: promptsText.createTitle })
  await expect(button(page, uiText.save)).toBeDisabled()
  await form.getByLabel(promptsText.name).fill('我的开场')
  await button(page, uiText.save).click()
  await expect(form.getByLabel(promptsText.text, { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await form.getByLabel(promptsText.text, { exact: true }).fill('你好，{{名字}}')
  await button(page, uiText.save).click()
  await expect(cards(page).first()).toContainText('我的开场')
  await button(page, promptsText.edit('我的开场')).click()
  await page
    .getByRole('dialog', { name: promptsText.editTitle })
    .getByLabel(promptsText.name)
    .fill('我的问候')
  await button(page, uiText.save).click()
  await expect(cards(page).first()).toContainText('我的问候')
  await expect(page.getByRole('dialog', { name: promptsText.editTitle })).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(library(page)).toBeHidden()
  await composer(page).fill('')
  await composer(page).pressSequentially('/我的问')
  await expect(active(page)).toContainText('我的问候')
  await page.keyboard.press('Enter')
  await expect(composer(page)).toHaveValue('你好，{{名字}}')
  await button(page, chatText.prompts).click()
  await button(page, promptsText.remove('我的问候')).click()
  await button(page, promptsText.removeConfirm).click()
  await expect(button(page, promptsText.use('我的问候'))).toHaveCount(0)
})
