import { test } from 'vitest'
import type { CDPSession, Page } from '@playwright/test'
import { answered, composer, expect, questions } from './chat-screen.ts'
import { setStage } from './stage.ts'

const stage = setStage()

async function atComposer(): Promise<Page> {
  stage.world.upstream.script('scripted', { text: '收到。' })
  const page = await stage.visit('/chat', { client: await stage.world.user() })
  await expect(composer(page)).toBeFocused()
  return page
}

/** Enter as Chrome sends it while an input method is at work. */
const composingEnter = (session: CDPSession) =>
  session.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'Enter',
    code: 'Enter',
    windowsVirtualKeyCode: 229,
  })

test('Enter sends, Shift+Enter begins a new line', async () => {
  const page = await atComposer()
  await page.keyboard.type('第一行')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('第二行')
  await expect(composer(page)).toHaveValue('第一行\n第二行')
  await expect(questions(page)).toHaveCount(0)
  await page.keyboard.press('Enter')
  await answered(page, '收到。')
  await expect(questions(page)).toHaveText('第一行\n第二行')
  await expect(composer(page)).toHaveValue('')
  await expect(composer(page)).toBeFocused()
})

test('blank lines are not sent', async () => {
  const page = await atComposer()
  await page.keyboard.press('Enter')
  await page.keyboard.type('   ')
  await page.keyboard.press('Enter')
  await page.keyboard.type('有字了')
  await page.keyboard.press('Enter')
  await answered(page, '收到。')
  await expect(questions(page)).toHaveCount(1)
})

test('Enter that ends Chinese input does not send, in the order of Chrome', async () => {
  const page = await atComposer()
  const session = await page.context().newCDPSession(page)
  await session.send('Input.imeSetComposition', { text: 'nihao', selectionStart: 5, selectionEnd: 5 })
  await composingEnter(session)
  await session.send('Input.insertText', { text: '你好' })
  await expect(composer(page)).toHaveValue('你好')
  await expect(questions(page)).toHaveCount(0)
  await page.keyboard.press('Enter')
  await answered(page, '收到。')
  await expect(questions(page)).toHaveText('你好')
})

test('Enter that ends Chinese input does not send, in the order of Safari', async () => {
  const page = await atComposer()
  await page.keyboard.insertText('你好')
  // Safari ends the composition first; the key that ended it follows, with code 229 and without isComposing.
  await composer(page).evaluate((field) => {
    field.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
    field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: '你好' }))
    const init = { key: 'Enter', code: 'Enter', keyCode: 229, which: 229, bubbles: true, cancelable: true }
    field.dispatchEvent(new KeyboardEvent('keydown', init))
  })
  await page.keyboard.type('！')
  await expect(composer(page)).toHaveValue('你好！')
  await expect(questions(page)).toHaveCount(0)
  await page.keyboard.press('Enter')
  await answered(page, '收到。')
  await expect(questions(page)).toHaveText('你好！')
})
