import { beforeEach, test } from 'vitest'
import type { Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { shellText } from '#web/text/shell.ts'
import { voiceText } from '#web/text/voice.ts'
import { findAccessibilityViolations } from '../../world/browser.ts'
import type { Client } from '../../world/client.ts'
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

/** How long a sentence sounds. */
const scriptSound = (seconds: number) =>
  world.upstream.script('tts-cheap', {
    raw: [createWav(seconds)],
    headers: { 'content-type': 'audio/wav' },
  })
beforeEach(() => scriptSound(0.8))

const player = (page: Page) => page.getByRole('group', { name: voiceText.player })
/** Every text that a model was asked to speak, in this world so far. */
const getSpokenTexts = () =>
  world.upstream.requests
    .filter(({ path }) => path.endsWith('/audio/speech'))
    .map(({ body }) => (body as { input: string }).input)

async function openChatWithAnswer(client: Client, text = ANSWER, expectedErrors?: RegExp): Promise<Page> {
  world.upstream.script('scripted', { text })
  const page = await world.visit('/chat', { client, ...(expectedErrors ? { expectedErrors } : {}) })
  await ask(page, '说三句')
  await expect(answers(page)).toHaveAttribute('aria-busy', 'false')
  return page
}

test('an answer is read sentence by sentence, without its code, and hearing it again is free', async () => {
  const page = await openChatWithAnswer(await world.user())
  const before = getSpokenTexts().length
  await expectNotice(page, voiceText.at(1, 3), () => button(page, voiceText.read).click())
  await expect(player(page)).toBeHidden()
  expect(getSpokenTexts().slice(before)).toEqual(SPOKEN)
  await expectNotice(page, voiceText.at(1, 3), () => button(page, voiceText.read).click())
  await expect(player(page)).toBeHidden()
  expect(getSpokenTexts().slice(before)).toEqual(SPOKEN)
})

test('it pauses, goes to any sentence, marks it in the text, and stops', async () => {
  scriptSound(30)
  const page = await openChatWithAnswer(await world.user())
  const marked = () => page.evaluate(() => [...(CSS.highlights.get('spoken') ?? [])].map(String))
  await button(page, voiceText.read).click()
  await expect(player(page)).toContainText(voiceText.at(1, 3))
  await expect.poll(marked).toEqual(['第一句话'])
  await button(page, voiceText.next).click()
  await expect(player(page)).toContainText(voiceText.at(2, 3))
  await expect.poll(marked).toEqual(['第二句话'])
  await button(page, voiceText.pause).click()
  await expect(button(page, voiceText.resume)).toBeVisible()
  await page.getByRole('slider', { name: voiceText.position }).press('End')
  await expect(player(page)).toContainText(SPOKEN[2] ?? '')
  await expect.poll(marked).toEqual(['第三句话'])
  await expect(button(page, voiceText.resume)).toBeVisible()
  await button(page, voiceText.resume).click()
  await expect(button(page, voiceText.pause)).toBeVisible()
  expect(await findAccessibilityViolations(page)).toEqual([])
  await player(page).getByRole('button', { name: voiceText.stop }).click()
  await expect(player(page)).toBeHidden()
  expect(await marked()).toEqual([])
})

test('with the switch on, a new answer is read by itself while it is being written', async () => {
  scriptSound(30)
  const client = await world.user()
  const page = await world.visit('/chat', { client })
  await page.getByRole('button', { name: /的账户菜单$/ }).click()
  await page.getByRole('menuitemcheckbox', { name: shellText.voiceReply }).click()
  await expect.poll(async () => (await client.call('GET /api/user/info', {})).voice_reply).toBe(true)
  await page.reload()
  await page.waitForLoadState('networkidle')
  world.upstream.script('scripted', endlessScript(createSentences(200)))
  await ask(page, '慢慢说')
  await waitForText(page, 30)
  await expect(player(page)).toContainText('第1句，渠水清如许。')
  await expect(button(page, chatText.stop)).toBeVisible()
  await button(page, voiceText.next).click()
  await expect(player(page)).toContainText('第2句，渠水清如许。')
  await button(page, chatText.stop).click()
})

test('a failure of the voice shows the server’s message and ends the reading', async () => {
  const page = await openChatWithAnswer(await world.user(), '读不出来。', /status of 400/)
  world.upstream.script('tts-cheap', { status: 400, body: '{}' })
  world.upstream.script('tts-dear', { status: 400, body: '{}' })
  await button(page, voiceText.read).click()
  await expect(page.getByText('模型服务')).toBeVisible()
  await expect(player(page)).toBeHidden()
  await expect(button(page, voiceText.read)).toBeVisible()
})

test('a guest is not offered what would cost', async () => {
  world.upstream.script('scripted', { text: '你好。' })
  const page = await world.visit('/chat')
  await ask(page, '你好')
  await expect(button(page, chatText.copyAnswer)).toBeVisible()
  await expect(button(page, voiceText.read)).toHaveCount(0)
})
