import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { chatText } from '#web/text/chat.ts'
import { commandsText } from '#web/text/commands.ts'
import { historyText } from '#web/text/history/history.ts'
import { feedbackText, messagesText } from '#web/text/messages.ts'
import { modelPickerText } from '#web/text/modelPicker.ts'
import { promptsText } from '#web/text/prompts.ts'
import { sharesText } from '#web/text/shares.ts'
import { shellText } from '#web/text/shell.ts'
import { uiText } from '#web/text/ui.ts'
import { recordingText, voiceText } from '#web/text/voice.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { modelNames } from '../../world/real-names.ts'
import { createWav } from '../../world/upstream/operations.ts'
import {
  answers,
  ask,
  button,
  composer,
  expect,
  expectAnswer,
  questions,
  waitForIdle,
} from '../screen/chat-screen.ts'
import { expectNoBarriers, expectNoBarriersInSize, expectNoBarriersOnPhone } from './barriers.ts'
import { openPage } from './walk.ts'
import { findMisplacedControls, WIDEST } from './controls.ts'

const world = useBrowserWorld()

/** All elements that an answer may have. */
const ANSWER = [
  '## 标题\n\n一段**文字**，带[链接](https://example.com)、`代码`与公式 $a^2$。',
  '```ts\nconst a: number = 1 // 注释\n```',
  '| 名称 | 数量 |\n| --- | ---: |\n| 渠 | 1 |',
  '> 引用\n\n- [x] 已做\n- [ ] 未做',
  '![图](https://images.example/a.png)',
  '$$\n\\int_0^1 x\\,dx\n$$',
].join('\n\n')

const menus = (page: Page) => page.getByRole('button', { name: messagesText.actions, exact: true })
const item = (page: Page, name: string) => page.getByRole('menuitem', { name })
const pickerButton = (page: Page) => button(page, `${chatText.modelPicker}：${modelNames.scripted}`)

async function askForAll(page: Page): Promise<void> {
  world.upstream.script('scripted', { text: ANSWER, chars: 40 }, { status: 500 })
  await ask(page, '都来一点')
  await expect(answers(page)).toHaveAttribute('aria-busy', 'false')
  await expect(answers(page).locator('.katex')).toHaveCount(2)
}
const expectFailure = (page: Page) =>
  expect(page.getByRole('alert').filter({ hasText: chatText.regenerate })).toBeVisible()

test('a guest chooses a model and a theme; the palette and the shortcuts are opened', async () => {
  const page = await world.visit('/chat')
  await expect(composer(page)).toBeVisible()
  await waitForIdle(page)
  await pickerButton(page).click()
  const picker = page.getByRole('dialog', { name: modelPickerText.title })
  await expect(picker.getByRole('option').first()).toBeVisible()
  await expectNoBarriers(page, 'the list of models')
  await picker.getByRole('combobox').fill('没有')
  await expect(picker.getByRole('option')).toHaveCount(0)
  await expectNoBarriers(page, 'no model found')
  await page.keyboard.press('Escape')
  await button(page, shellText.settings).click()
  await expect(page.getByRole('menuitemradio', { name: shellText.themes.dark })).toBeVisible()
  await expectNoBarriers(page, 'the menu of settings')
  await page.keyboard.press('Escape')

  await page.keyboard.press('Control+k')
  const finder = page.getByRole('combobox', { name: commandsText.paletteHint })
  await expect(finder).toBeFocused()
  await expect(page.getByRole('option').first()).toBeVisible()
  await expectNoBarriersOnPhone(page, 'the palette')
  await finder.fill('没有这样的东西')
  await expect(page.getByRole('option')).toHaveCount(0)
  await expectNoBarriers(page, 'nothing in the palette')
  await page.keyboard.press('Escape')
  await page.locator('#content').focus()
  await page.keyboard.type('?')
  await expect(page.getByRole('dialog', { name: commandsText.help })).toBeVisible()
  await expectNoBarriersOnPhone(page, 'the shortcuts')
})

test('answers and a failure are read, rated, quoted, read aloud, changed and asked again; prompts are chosen from a list, a library and a form', async () => {
  const page = await world.visit('/chat', { client: await world.user() })
  await askForAll(page)
  await expectNoBarriersOnPhone(page, 'an answer')
  await page.setViewportSize(WIDEST)
  await button(page, feedbackText.down).press('Enter')
  const dialog = page.getByRole('dialog', { name: feedbackText.title })
  await expect(dialog).toBeVisible()
  await button(page, feedbackText.reason.inaccurate).click()
  await expectNoBarriers(page, 'what is wrong with an answer')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await answers(page).locator('p').first().click({ clickCount: 3 })
  await expect(page.getByRole('toolbar', { name: messagesText.selection })).toBeVisible()
  await expectNoBarriers(page, 'the bar of a selection')
  await composer(page).focus()

  world.upstream.script('tts-cheap', {
    raw: [createWav(60)],
    headers: { 'content-type': 'audio/wav' },
  })
  await button(page, voiceText.read).click()
  await expect(button(page, voiceText.pause)).toBeVisible()
  await button(page, voiceText.pause).click()
  await expect(button(page, voiceText.resume)).toBeVisible()
  await expectNoBarriers(page, 'the player')
  await page
    .getByRole('group', { name: voiceText.player })
    .getByRole('button', { name: voiceText.stop })
    .click()
  await ask(page, '再来')
  await expectFailure(page)
  await expectNoBarriers(page, 'a failure')

  await openPage(page, '/chat')
  await expect(questions(page)).toHaveCount(0)
  world.upstream.script(
    'scripted',
    { reasoning: '想一想。', text: '答一。' },
    { text: '答一，再来。', finish: 'length' },
  )
  await ask(page, '问一')
  await expect(answers(page)).toContainText('答一。')
  await expect(answers(page)).toHaveAttribute('aria-busy', 'false')
  await button(page, chatText.regenerate).click()
  await expectAnswer(page, '答一，再来。')
  await expect(button(page, messagesText.continueAnswer)).toBeVisible()
  await expectNoBarriers(page, 'an answer with versions')
  await menus(page).last().click()
  await expect(item(page, messagesText.remove)).toBeVisible()
  await expectNoBarriers(page, 'the menu of an answer')
  await item(page, messagesText.otherModel).click()
  await expect(page.getByRole('dialog', { name: messagesText.otherModel })).toBeVisible()
  await expectNoBarriers(page, 'other models')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /金币$/ }).click()
  await expect(page.getByRole('dialog', { name: messagesText.figures })).toContainText(messagesText.total)
  await expectNoBarriers(page, 'the figures of an answer')
  await page.keyboard.press('Escape')
  await menus(page).first().click()
  await item(page, messagesText.edit).click()
  await expect(page.getByLabel(messagesText.editLabel)).toBeFocused()
  await expect(page.getByLabel(messagesText.editLabel)).toBeInViewport()
  await expectNoBarriersOnPhone(page, 'a question that is edited')

  await openPage(page, '/chat')
  await expect(questions(page)).toHaveCount(0)
  await composer(page).fill('/')
  const options = page.getByRole('listbox', { name: promptsText.list }).getByRole('option')
  await expect(options).toHaveCount(41)
  await expectNoBarriersOnPhone(page, 'the list of prompts')
  await options.last().click()
  const library = page.getByRole('dialog', { name: promptsText.title })
  await expect(library.getByRole('list', { name: promptsText.list }).getByRole('listitem')).toHaveCount(30)
  await expectNoBarriersOnPhone(page, 'the library of prompts')
  await button(page, promptsText.create).click()
  await expect(page.getByRole('dialog', { name: promptsText.createTitle })).toBeVisible()
  await expectNoBarriersOnPhone(page, 'the form of a prompt')
})

test('a question is spoken, and the microphone may be refused', async () => {
  world.upstream.script('scripted-asr', { answer: { text: '源头在哪里？' } })
  world.upstream.script('scripted', { text: '在山里。' })
  const page = await world.visit('/chat', {
    client: await world.user(),
    expectedErrors: /status of 404.*\/api\/block\/md5/s,
  })
  const bar = page.getByRole('group', { name: recordingText.group })
  await button(page, chatText.record).click()
  await expect(bar.getByRole('timer')).toHaveText(/0:(0[1-9]|[1-5]\d)/)
  await expectNoBarriersOnPhone(page, 'a recording')
  await button(page, recordingText.stop).click()
  await expect(button(page, recordingText.play)).toBeVisible()
  await expectNoBarriersOnPhone(page, 'a recording that has ended')
  await button(page, chatText.send).click()
  await expectAnswer(page, '在山里。')
  await expect(button(page, recordingText.play)).toBeVisible()
  await expectNoBarriersOnPhone(page, 'a question that was spoken')

  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'))
  })
  await button(page, chatText.record).click()
  await expect(bar.getByRole('alert')).toHaveText(recordingText.denied)
  await expectNoBarriers(page, 'no microphone')
})

// On a touch screen sizes differ, and buttons that a mouse finds by hovering are always visible.
test('on a phone that is touched: the models, an answer, a failure, the conversations and what is done with one', async () => {
  const page = await world.visit('/chat', { client: await world.user(), look: 'phone' })
  const expectNone = async (state: string) => {
    await expectNoBarriersInSize(page, state)
    expect(await page.evaluate(findMisplacedControls), state).toEqual([])
  }
  await pickerButton(page).click()
  await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
  await expectNone('the list of models')
  await page.keyboard.press('Escape')
  await askForAll(page)
  await expectNone('an answer')
  await button(page, uiText.moreActions).click()
  await item(page, chatText.share).click()
  await expect(page.getByRole('dialog', { name: sharesText.title })).toBeVisible()
  await expectNone('the shares of a conversation')
  await page.keyboard.press('Escape')
  await expect(button(page, uiText.moreActions)).toBeFocused()
  await ask(page, '再来')
  await expectFailure(page)
  await expectNone('a failure')
  await button(page, shellText.openNav).click()
  await expect(page.getByRole('link', { name: '都来一点' })).toBeVisible()
  await expectNone('the drawer')
  await button(page, historyText.sessionMenu('都来一点')).click()
  await expect(item(page, historyText.remove)).toBeVisible()
  await expectNone('the menu of a conversation')
  await item(page, historyText.remove).click()
  await expect(page.getByRole('dialog', { name: historyText.removeTitle })).toBeVisible()
  await expectNone('the question before a conversation is deleted')
})
