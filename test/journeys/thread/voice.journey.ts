import { test } from 'vitest'
import type { Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { shellText } from '#web/text/shell.ts'
import { voiceText } from '#web/text/voice.ts'
import { createWav } from '../../world/upstream/operations.ts'
import {
  answers,
  waitForText,
  ask,
  button,
  expect,
  expectNotice,
  createSentences,
  endlessScript,
} from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()
const ANSWER = '第一句话。**第二句**话。\n\n```ts\nconst silent = 1\n```\n\n第三句话。'
const SPOKEN = ['第一句话。', '第二句话。', '第三句话。']

const LONG_ANSWER = '头一句长话。**第二句**长话。\n\n末一句长话。'

/** Scripts the length of a sentence's sound. */
const scriptSound = (seconds: number) =>
  world.upstream.script('tts-cheap', {
    raw: [createWav(seconds)],
    headers: { 'content-type': 'audio/wav' },
  })

const player = (page: Page) => page.getByRole('group', { name: voiceText.player })
/** Returns every text that a model has spoken in this world so far. */
const getSpokenTexts = () =>
  world.upstream.requests
    .filter(({ path }) => path.endsWith('/audio/speech'))
    .map(({ body }) => (body as { input: string }).input)

/** Asks, and waits for the whole of an answer of these words. */
async function showAnswer(page: Page, text: string): Promise<void> {
  world.upstream.script('scripted', { text })
  await ask(page, '说吧')
  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false')
}

test('an answer is read sentence by sentence, without its code; it pauses, goes to any sentence, marks it, and stops; hearing it again is free, and a failure of the voice is told; with the switch on, a new answer is read by itself while it is being written', async () => {
  const client = await world.user()
  const page = await world.visit('/chat', { client, expectedErrors: /status of 400/ })
  await showAnswer(page, ANSWER)
  scriptSound(0.3)
  const before = getSpokenTexts().length
  await expectNotice(page, voiceText.at(1, 3), () => button(page, voiceText.read).click())
  await expect(player(page)).toBeHidden()
  expect(getSpokenTexts().slice(before)).toEqual(SPOKEN)
  await expectNotice(page, voiceText.at(1, 3), () => button(page, voiceText.read).click())
  await expect(player(page)).toBeHidden()
  expect(getSpokenTexts().slice(before)).toEqual(SPOKEN)

  // Other sentences, with sounds long enough to step through.
  await page.getByRole('link', { name: shellText.newChat, exact: true }).click()
  await expect(answers(page)).toHaveCount(0)
  await showAnswer(page, LONG_ANSWER)
  scriptSound(30)
  const marked = () => page.evaluate(() => [...(CSS.highlights.get('spoken') ?? [])].map(String))
  await button(page, voiceText.read).click()
  await expect(player(page)).toContainText(voiceText.at(1, 3))
  await expect.poll(marked).toEqual(['头一句长话'])
  await button(page, voiceText.next).click()
  await expect(player(page)).toContainText(voiceText.at(2, 3))
  await expect.poll(marked).toEqual(['第二句长话'])
  await button(page, voiceText.pause).click()
  await expect(button(page, voiceText.resume)).toBeVisible()
  await page.getByRole('slider', { name: voiceText.position }).press('End')
  await expect(player(page)).toContainText('末一句长话。')
  await expect.poll(marked).toEqual(['末一句长话'])
  await expect(button(page, voiceText.resume)).toBeVisible()
  await button(page, voiceText.resume).click()
  await expect(button(page, voiceText.pause)).toBeVisible()
  await player(page).getByRole('button', { name: voiceText.stop }).click()
  await expect(player(page)).toBeHidden()
  expect(await marked()).toEqual([])

  await page.getByRole('link', { name: shellText.newChat, exact: true }).click()
  await expect(answers(page)).toHaveCount(0)
  await showAnswer(page, '读不出来。')
  world.upstream.script('tts-cheap', { status: 400, body: '{}' })
  world.upstream.script('tts-dear', { status: 400, body: '{}' })
  await button(page, voiceText.read).click()
  await expect(page.getByText('模型服务')).toBeVisible()
  await expect(player(page)).toBeHidden()
  await expect(button(page, voiceText.read)).toBeVisible()

  scriptSound(30)
  const account = page.getByRole('button', { name: /的账户菜单$/ })
  const voiceReply = page.getByRole('menuitemcheckbox', { name: shellText.voiceReply })
  await account.click()
  await voiceReply.click()
  await expect.poll(async () => (await client.call('GET /api/user/info', {})).voice_reply).toBe(true)
  await account.click()
  await expect(voiceReply).toBeChecked()
  await page.keyboard.press('Escape')
  world.upstream.script('scripted', endlessScript(createSentences(200)))
  await ask(page, '慢慢说')
  await waitForText(page, 30)
  await expect(player(page)).toContainText('第1句，渠水清如许。')
  await expect(button(page, chatText.stop)).toBeVisible()
  await button(page, voiceText.next).click()
  await expect(player(page)).toContainText('第2句，渠水清如许。')
  await button(page, chatText.stop).click()
})
