import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { translateMessages } from '#contract/translate/messages.ts'
import { creditText } from '#web/text/credit/credit.ts'
import { historyText } from '#web/text/history/history.ts'
import { voiceText } from '#web/text/voice.ts'
import { translateText as text } from '#web/text/translate/text.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { createWav } from '../../world/upstream/operations.ts'
import { signInOnAnotherTab } from '../account/sign-in-screen.ts'
import { button, expect, expectNotice } from '../screen/chat-screen.ts'

const world = useBrowserWorld()

const SOURCE = '问渠那得清如许？为有源头活水来。'
const RESULT = 'Why is the water so clear? It has a living spring.'
const POEM = '半亩方塘一鉴开，天光云影共徘徊。'
const TRANSLATED_POEM = 'Half an acre of pond, a mirror.'

const source = (page: Page) => page.getByLabel(text.source, { exact: true })
const result = (page: Page) => page.getByRole('group', { name: text.result, exact: true })
const sentences = (page: Page) => result(page).getByRole('button')
const dialog = (page: Page) => page.getByRole('dialog', { name: text.sentence })
/** Returns the requests to translate a text with these words. */
const listRequests = (words: string) =>
  world.upstream.requests.filter(({ body }) => JSON.stringify(body ?? '').includes(words))
const listMessages = (words: string) =>
  (listRequests(words).at(-1)!.body as { messages: { content: string }[] }).messages

async function translate(page: Page, words = SOURCE, answer = RESULT): Promise<void> {
  world.upstream.script('scripted', { text: answer })
  await source(page).fill(words)
  await source(page).press('Control+Enter')
  await expect(result(page)).toHaveText(answer)
  await expect(result(page)).toHaveAttribute('aria-busy', 'false')
}

test('a guest may write, and is asked to sign in; the text is still there then; a translation that fails says why, and the next one goes well; what lacks coins is translated when they are there; own terms and a tone go with every translation into their language; a text is translated as it comes, or stopped before; its sentences are marked on both sides, read aloud, changed and kept, or taken from another translation, which the server keeps; the direction is turned round, earlier ones are found again, and what is typed is translated by itself where that is on', async () => {
  const client = await world.user()
  const page = await world.visit('/fanyi', { expectedErrors: /status of/ })
  await source(page).fill(POEM)
  await expect(page.getByRole('link', { name: text.signIn })).toHaveAttribute('href', /redirect_to=%2Ffanyi/)
  await signInOnAnotherTab(page, client)
  await page.reload()
  await expect(source(page)).toHaveValue(POEM)
  await page.route('**/api/translate', (route) => route.fulfill({ status: 401, json: { message: '' } }))
  await button(page, text.translate).click()
  await expect(result(page).getByRole('alert')).toContainText(translateMessages.signed_out)
  await page.unrouteAll()
  await translate(page, '第一首。', 'Poem one.')

  // An answer without a chat_id means a bad request.
  await page.route('**/api/translate', (route) => route.fulfill({ json: { message: '', chat_id: '' } }))
  await source(page).fill(POEM)
  await button(page, text.translate).click()
  await expect(result(page).getByRole('alert')).toHaveText(translateMessages.bad_request)
  await page.unrouteAll()
  // The translation ends like one whose stream is cut.
  world.upstream.script('scripted', { text: TRANSLATED_POEM, chars: 10, cut: 3 })
  await button(page, text.translate).click()
  await expect(result(page).getByRole('alert')).not.toHaveText(translateMessages.bad_request)
  await expect(result(page).getByRole('alert')).toBeVisible()
  await expect(button(page, text.translate)).toBeEnabled()

  await page.route('**/api/translate', (route) =>
    route.fulfill({
      status: 402,
      json: {
        message: '金币不足',
        code: 'insufficient_balance',
        shortage: { needed: 900, available: 1, input_tokens: 9 },
      },
    }),
  )
  await source(page).fill(POEM)
  await button(page, text.translate).click()
  await expect(result(page).getByRole('alert')).toContainText('金币不足')
  await page.unrouteAll()
  world.upstream.script('scripted', { text: TRANSLATED_POEM })
  await page.getByRole('link', { name: text.recharge }).click()
  await button(page, creditText.buy).click()
  await button(page, creditText.sandboxPay).click()
  await button(page, creditText.back).click()
  await expect(result(page)).toContainText(TRANSLATED_POEM)

  await source(page).fill('活水来自源头。')
  await button(page, text.glossary).click()
  const terms = page.getByRole('dialog', { name: text.terms })
  await expect(terms.getByText(text.termsEmpty)).toBeVisible()
  await terms.getByLabel(text.termsLanguage).selectOption('en')
  await terms.getByLabel(text.term, { exact: true }).fill('活水')
  await terms.getByLabel(text.termTranslation, { exact: true }).fill('fresh water')
  await terms.getByRole('button', { name: text.addTerm }).click()
  await expect(terms.getByRole('listitem')).toContainText(['活水'])
  await terms.getByRole('button', { name: text.editTerm('活水') }).click()
  await terms.getByRole('listitem').getByLabel(text.termTranslation, { exact: true }).fill('living water')
  await terms.getByRole('button', { name: text.saveTerm('活水') }).click()
  await expect(terms.getByRole('listitem')).toContainText(['living water'])
  const csv = { name: '术语.csv', mimeType: 'text/csv', buffer: Buffer.from('源头,wellspring\n只有一列\n') }
  await expectNotice(page, text.imported(1, 0), () => terms.locator('input[type=file]').setInputFiles(csv))
  await expect(page.getByText(text.skippedLines([2]))).toBeVisible()
  await expect(terms.getByRole('listitem')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: text.tone }).click()
  await page.getByRole('menuitemradio', { name: text.tones.academic.label }).click()
  await translate(page, '活水来自源头。', 'Living water comes from the wellspring.')
  const [instructions] = listMessages('活水来自源头。')
  expect(instructions!.content).toMatch(/living water[^]*wellspring|wellspring[^]*living water/)
  expect(instructions!.content).toContain(text.tones.academic.value)
  await button(page, text.glossary).click()
  await terms.getByRole('button', { name: text.deleteTerm('源头') }).click()
  await expect(terms.getByRole('listitem')).toHaveCount(1)
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: text.newText }).click()
  await expect(source(page)).toHaveValue('')
  await expect(page.getByText(text.undetected)).toBeVisible()
  await source(page).fill(SOURCE)
  await expect(page.getByText(text.detected('简体中文'))).toBeVisible()
  await expect(page.getByLabel(text.target)).toHaveValue('en')
  world.upstream.script('scripted', { text: RESULT, stall: 'body' })
  const asked = listRequests(SOURCE).length
  const followed = page.waitForRequest('**/api/chat/completions?*')
  await button(page, text.translate).click()
  await expect(result(page)).toHaveText(translateMessages.translating)
  // The text appears before its request; a stop in between makes no request.
  await expect.poll(() => listRequests(SOURCE).length).toBe(asked + 1)
  // A stop before the page follows what it has begun ends it in another way.
  await followed
  // The upstream's silence would end the call in the end, too.
  const cancelled = page.waitForResponse('**/api/chat/cancel')
  await button(page, text.stop).click()
  expect((await cancelled).ok()).toBe(true)
  await expect(result(page)).toHaveText(text.resultEmpty)
  await expect(button(page, text.translate)).toBeEnabled()
  await expect.poll(() => listRequests(SOURCE).at(-1)!.aborted).toBe(true)
  world.upstream.release()

  world.upstream.script('scripted', { text: RESULT, chars: 10, stall: 3 })
  await source(page).press('Control+Enter')
  // The beginning replaces the placeholder.
  await expect(result(page)).toHaveText(RESULT.slice(0, 20))
  world.upstream.release()
  await expect(result(page)).toHaveText(RESULT)
  await expect(sentences(page)).toHaveText(['Why is the water so clear?', 'It has a living spring.'])

  const marked = page.locator('[data-source][data-active]')
  await sentences(page).nth(1).hover()
  await expect(marked).toHaveText('为有源头活水来。')
  const box = (await page.locator('[data-source="0"]').boundingBox())!
  await page.mouse.move(box.x + 8, box.y + 8)
  await expect(page.locator('[data-result][data-active]')).toHaveText('Why is the water so clear?')
  await sentences(page).nth(0).focus()
  await page.keyboard.press('ArrowRight')
  await expect(marked).toHaveText('为有源头活水来。')

  await expectNotice(page, text.copied, () => button(page, text.copy).click())
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(RESULT)
  await expect(button(page, text.copy)).toBeVisible()
  world.upstream.script('tts-cheap', { raw: [createWav(30)], headers: { 'content-type': 'audio/wav' } })
  await button(page, text.readResult).click()
  const player = page.getByRole('group', { name: voiceText.player })
  await expect(player).toContainText('Why is the water so clear?')
  // The player appears before its request; a stop in between makes no request.
  const findSpeech = () => world.upstream.requests.findLast(({ path }) => path.endsWith('/audio/speech'))
  await expect.poll(() => findSpeech()?.body).toMatchObject({ input: 'Why is the water so clear?' })
  await player.getByRole('button', { name: voiceText.stop }).click()
  await expect(player).toBeHidden()

  await sentences(page).nth(1).click()
  await dialog(page).getByRole('textbox').fill('A spring feeds it.')
  await dialog(page).getByRole('button', { name: text.keep }).click()
  await expect(result(page)).toHaveText('Why is the water so clear? A spring feeds it.')
  await expect(button(page, text.like)).toHaveAttribute('aria-pressed', 'false')
  await button(page, text.like).click()
  await expect(button(page, text.like)).toHaveAttribute('aria-pressed', 'true')
  const readAnswer = async () =>
    (await client.call('GET /api/chat/messages', { query: { chatbot: 'fanyi' } })).messages.at(-1)
  await expect
    .poll(readAnswer)
    .toMatchObject({ text: 'Why is the water so clear? A spring feeds it.', liked: true })
  await expect(page).toHaveURL(/sess_id=/)
  await page.reload()
  await expect(source(page)).toHaveValue(SOURCE)
  await expect(result(page)).toHaveText('Why is the water so clear? A spring feeds it.')
  await expect(button(page, text.like)).toHaveAttribute('aria-pressed', 'true')

  await sentences(page).nth(0).press('Enter')
  await expect(dialog(page).getByText(/大约 .* 金币/)).toBeVisible()
  world.upstream.script('scripted', { text: 'How comes it so clear?' })
  await dialog(page).getByRole('button', { name: text.alternative }).click()
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await dialog(page)
    .getByRole('button', { name: text.takeAlternative('How comes it so clear?') })
    .click()
  await expect(result(page)).toHaveText('How comes it so clear? A spring feeds it.')
  await saved
  const prompt = listMessages(text.otherThan('Why is the water so clear?'))
  expect(prompt[0]!.content).toContain(text.otherThan('Why is the water so clear?'))
  expect(prompt.at(-1)!.content).toBe('问渠那得清如许？')
  const query = { chatbot: 'fanyi' }
  await expect
    .poll(async () =>
      (await client.call('GET /api/chat/sessions', { query })).items.map(({ title }) => title),
    )
    .not.toContain('问渠那得清如许？')

  // The person's own words are remembered; the model translates again only on request.
  await button(page, text.translate).click()
  await expect(page.getByText(translateMessages.from_memory)).toBeVisible()
  await expect(result(page)).toHaveText('How comes it so clear? A spring feeds it.')
  world.upstream.script('scripted', { text: RESULT })
  await button(page, text.translateAgain).click()
  await expect(result(page)).toHaveText(RESULT)
  await expect(page.getByText(translateMessages.from_memory)).toBeHidden()

  const listAsked = () => [...listRequests(SOURCE), ...listRequests('a living spring.')]
  const askedBefore = listAsked().length
  await button(page, text.swap).click()
  await expect(source(page)).toHaveValue(RESULT)
  await expect(result(page)).toHaveText(SOURCE)
  await expect(page.getByLabel(text.target)).toHaveValue('zh-CN')
  expect(listAsked()).toHaveLength(askedBefore)

  await source(page).fill('清澈的水。')
  await expect(page.getByText(text.sameLanguage('简体中文'))).toBeVisible()
  await button(page, text.translateInto('英语')).click()
  await expect(page.getByLabel(text.target)).toHaveValue('en')
  // A new translation starts at once, however long the server takes for a page.
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/fanyi$/, async (route) => {
    await released
    await route.continue()
  })
  await page.getByRole('link', { name: text.newText }).click()
  await expect(source(page)).toHaveValue('')
  await button(page, text.history).click()
  const history = page.getByRole('dialog', { name: text.history })
  await expect(history.getByText(historyText.today)).toBeVisible()
  release()
  await history.getByRole('link', { name: SOURCE }).click()
  await expect(source(page)).toHaveValue(SOURCE)
  await expect(result(page)).toHaveText(RESULT)

  await page.getByRole('link', { name: text.newText }).click()
  await expect(source(page)).toHaveValue('')
  await expect(page.getByLabel(text.live)).not.toBeChecked()
  await page.getByLabel(text.live).check()
  world.upstream.script('scripted', { text: 'Tea and wine.' })
  await source(page).fill('茶和酒。')
  await expect(result(page)).toHaveText('Tea and wine.')
})
