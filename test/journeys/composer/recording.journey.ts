import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { attachmentsText } from '#web/text/attachments.ts'
import { blocksText } from '#web/text/blocks.ts'
import { chatText } from '#web/text/chat.ts'
import { shellText } from '#web/text/shell.ts'
import { recordingText } from '#web/text/voice.ts'
import { webSearchText } from '#web/text/webSearch.ts'
import type { VisitOptions } from '../../world/browser.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { button, composer, expect, expectAnswer, questions } from '../screen/chat-screen.ts'

const world = useBrowserWorld()
const SPOKEN = '源头在哪里？'
/** The answer to a query for the block of a new file, which does not exist yet. */
const UNKNOWN_FILE = /status of 404.*\/api\/block\/md5/s

const open = (path: string, visit: VisitOptions): Promise<Page> =>
  world.visit(path, { expectedErrors: UNKNOWN_FILE, ...visit })

const bar = (page: Page) => page.getByRole('group', { name: recordingText.group })

/** Starts to record, and waits until there is some of it. */
async function record(page: Page): Promise<void> {
  await button(page, chatText.record).click()
  await expect(bar(page).getByRole('timer')).toHaveText(/0:(0[1-9]|[1-5]\d)/)
}

/** Expects the last player's recording to have a length and to play to its end. */
async function expectSound(page: Page): Promise<void> {
  const audio = page.locator('audio').last()
  const read = <T>(what: (audio: HTMLAudioElement) => T) => audio.evaluate(what as (one: Element) => T)
  await expect.poll(() => read(({ duration }) => duration)).toBeGreaterThan(0.9)
  await expect.poll(() => read(({ duration }) => duration)).toBeLessThan(60)
  const position = page.getByRole('slider', { name: recordingText.position }).last()
  // Plays in a loop: on a busy machine a second of sound has ended before it can be paused.
  await audio.evaluate((one: HTMLAudioElement) => void (one.loop = true))
  await button(page, recordingText.play).last().click()
  await expect.poll(() => read(({ currentTime }) => currentTime)).toBeGreaterThan(0.1)
  await button(page, recordingText.pause).click()
  await expect(button(page, recordingText.play).last()).toBeVisible()
  // Wherever it was paused, the beginning is another place.
  await position.press('End')
  await position.press('Home')
  await expect.poll(() => read(({ currentTime }) => currentTime)).toBe(0)
}

test('who looks at another conversation is not recorded any more, finds the recording again, hears it and throws it away; a question is recorded beside a file, sent again where it could not be recognised, and answered; silence is told from words; the bubble has words and sound, after a reload too, and it is asked again; a document is asked aloud beside it; without a permission the reason is said, and the question can be written', async () => {
  const client = await world.user()
  world.upstream.script('scripted', { text: '答一' })
  const { sess_id } = await client.ask('问一')
  const page = await open(`/chat?sess_id=${sess_id}`, { client })
  await expectAnswer(page, '答一')
  await composer(page).fill('写到一半')
  await record(page)
  const newChat = page.getByRole('link', { name: shellText.newChat }).first()
  await newChat.click()
  await expect(page).not.toHaveURL(/sess_id/)
  await expect(bar(page)).toHaveCount(0)
  await page.goBack()
  await expect(button(page, recordingText.play)).toBeVisible()
  await expectSound(page)
  await button(page, recordingText.discard).click()
  await expect(bar(page)).toHaveCount(0)
  await expect(composer(page)).toBeFocused()
  await expect(composer(page)).toHaveValue('写到一半')
  await newChat.click()
  await expect(composer(page)).toHaveValue('')

  world.upstream.script('scripted-asr', { status: 400, body: '{}' }, { answer: { text: SPOKEN } })
  world.upstream.script('scripted', { text: '在武夷山[1]。' }, { text: '在山里。' })
  const file = { name: '笔记.md', mimeType: '', buffer: Buffer.from('源头活水来自武夷山。') }
  await page.locator('main input[type=file]').setInputFiles(file)
  await expect(page.getByRole('list', { name: attachmentsText.attachments })).toContainText(/已就绪/)
  await record(page)
  await button(page, chatText.send).click()
  await expect(bar(page).getByRole('alert')).toContainText('模型服务')
  await button(page, chatText.send).click()
  await expect(questions(page)).toContainText(SPOKEN)
  await expect(page.getByRole('list', { name: blocksText.title })).toContainText('笔记.md')
  await expect(page.getByRole('list', { name: webSearchText.passages })).toContainText('笔记.md')
  await expect(page.getByRole('list', { name: attachmentsText.attachments })).toHaveCount(0)
  await expect(button(page, chatText.record)).toBeVisible()
  await expect(composer(page)).toBeFocused()

  world.upstream.script('scripted-asr', { answer: { text: '', segments: [] } })
  await record(page)
  await button(page, chatText.send).click()
  await expect(bar(page).getByRole('alert')).toHaveText(recordingText.nothingHeard)
  await button(page, recordingText.retry).click()
  await expect(bar(page).getByRole('timer')).toBeVisible()
  await button(page, recordingText.cancel).click()
  await expect(button(page, chatText.record)).toBeVisible()

  await page.reload()
  await expect(questions(page)).toHaveCount(1)
  await expect(questions(page)).toContainText(SPOKEN)
  await expectSound(page)
  await button(page, chatText.regenerate).click()
  await expectAnswer(page, '在山里。')
  await expect(questions(page)).toContainText(SPOKEN)

  world.upstream.script('scripted', { text: '武夷山[1]。' })
  world.upstream.script('scripted-asr', { answer: { text: SPOKEN } })
  await page.getByRole('list', { name: blocksText.title }).getByRole('link').click()
  await expect(page).toHaveURL(/\/block\/[0-9a-f-]{36}$/)
  await expect(page.getByText(blocksText.chatTitle)).toBeVisible()
  await record(page)
  await button(page, recordingText.stop).click()
  await expect(button(page, recordingText.play)).toBeVisible()
  await button(page, chatText.send).click()
  await expect(questions(page)).toContainText(SPOKEN)
  await expect(page.getByRole('article', { name: chatText.answer })).toContainText('武夷山')
  await expect(page.getByRole('list', { name: blocksText.title })).toHaveCount(0)

  await page.evaluate(() => {
    const refuse = () => Promise.reject(new DOMException('', 'NotAllowedError'))
    Object.assign(navigator.mediaDevices, { getUserMedia: refuse })
  })
  await button(page, chatText.record).click()
  await expect(bar(page).getByRole('alert')).toHaveText(recordingText.denied)
  await button(page, recordingText.close).click()
  await expect(composer(page)).toBeFocused()
  await expect(button(page, chatText.record)).toBeVisible()
})
