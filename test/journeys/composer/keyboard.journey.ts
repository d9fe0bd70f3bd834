import { test } from 'vitest'
import { chatText } from '#web/text/chat.ts'
import { messagesText } from '#web/text/messages.ts'
import { answers, button, composer, expect, expectAnswer, questions } from '../screen/chat-screen.ts'
import { composeInChrome, composeInSafari } from '../screen/input-method.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()

test('Enter sends, but no blank lines nor what Chinese input ends with it; Shift+Enter begins a new line', async () => {
  world.upstream.script('scripted', { text: '收到。' })
  const page = await world.visit('/chat', { client: await world.user() })
  await expect(composer(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type('   ')
  await page.keyboard.press('Enter')
  await page.keyboard.type('第一行')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('第二行')
  await expect(composer(page)).toHaveValue('   第一行\n第二行')
  await expect(questions(page)).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expectAnswer(page, '收到。')
  await expect(questions(page)).toHaveText(['第一行\n第二行'])
  await expect(composer(page)).toHaveValue('')
  await expect(composer(page)).toBeFocused()

  for (const order of ['Chrome', 'Safari']) {
    if (order === 'Chrome') await composeInChrome(page, order)
    else await composeInSafari(page, composer(page), order)
    await expect(composer(page)).toHaveValue(order)
    await page.keyboard.type('！')
    await expect(composer(page)).toHaveValue(`${order}！`)
    await expect(questions(page).filter({ hasText: order })).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(questions(page).last()).toHaveText(`${order}！`)
    await expectAnswer(page, '收到。')
  }
  await expect(questions(page)).toHaveText(['第一行\n第二行', 'Chrome！', 'Safari！'])
})

test('on a touch screen Enter begins a new line, in a question and where it is edited, and the button sends', async () => {
  world.upstream.script('scripted', { text: '收到。' })
  const page = await world.visit('/chat', { client: await world.user(), look: 'phone' })
  await composer(page).tap()
  await expect(composer(page)).toHaveAttribute('enterkeyhint', 'enter')
  await page.keyboard.type('第一行')
  await page.keyboard.press('Enter')
  await page.keyboard.type('第二行')
  await expect(composer(page)).toHaveValue('第一行\n第二行')
  await expect(questions(page)).toHaveCount(0)
  await button(page, chatText.send).tap()
  await expectAnswer(page, '收到。')
  await expect(questions(page)).toHaveText(['第一行\n第二行'])

  await button(page, messagesText.actions).first().tap()
  await page.getByRole('menuitem', { name: messagesText.edit }).tap()
  const field = page.getByRole('textbox', { name: messagesText.editLabel })
  await expect(field).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type('第三行')
  await expect(field).toHaveValue('第一行\n第二行\n第三行')
  // A person with a keyboard beside the screen can also send by it.
  await page.keyboard.press('Control+Enter')
  await expect(questions(page)).toHaveText(['第一行\n第二行\n第三行'])
  await expect(answers(page)).toHaveCount(1)
})
