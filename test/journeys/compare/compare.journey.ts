import { sql } from 'drizzle-orm'
import { test } from 'vitest'
import { PLACEHOLDER } from '#contract/chat.ts'
import { formatFineAmount } from '#web/core/numberFormat.ts'
import { chatText } from '#web/text/chat.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { scoreboardText } from '#web/text/compare/scoreboard.ts'
import { creditText } from '#web/text/credit/credit.ts'
import { exportText } from '#web/text/export.ts'
import { historyText } from '#web/text/history/history.ts'
import { modelPickerText } from '#web/text/modelPicker.ts'
import { sessionSettingsText } from '#web/text/sessionSettings.ts'
import { uiText } from '#web/text/ui.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import {
  answers,
  ask,
  button,
  composer,
  createSentences,
  endlessScript,
  expect,
  holdSession,
  pageLabel,
  questions,
  slowScript,
  waitForIdle,
} from '../screen/chat-screen.ts'
import { saveFile } from '../screen/downloads.ts'
import { queue, waiting } from '../screen/queue.ts'
import { answer, column, fact, names, openWith, renderModels, type Model } from './compare-screen.ts'

// Enough for four short questions, and not for four long ones.
const world = useBrowserWorld({ SIGNUP_COINS: '7' }, { models: renderModels })

const WHOLE = '整段整段地说：渠水清如许，源头活水来。'
const SLOW = createSentences(60)
const QUESTION = '=1+1，用 Python 写一个函数'
/** Returns the requests to models with these words. */
const listRequests = (words: string) =>
  world.upstream.requests.filter(({ body }) => JSON.stringify(body ?? '').includes(words))

/** Returns the ledger's charge for each answer of a comparison, coins by model. */
async function listCharges(sessId: string): Promise<Record<string, number>> {
  const { rows } = await world.db().execute<{ model: string; coins: number }>(sql`
    SELECT m.lane AS model, r.amount / 1e6::float8 AS coins
    FROM chat_messages m JOIN runs r ON r.id = m.run_id WHERE m.sess_id = ${sessId} AND r.amount > 0`)
  return Object.fromEntries(rows.map(({ model, coins }) => [model, coins]))
}

test('four models for which the coins are not enough are asked when they were bought: one stalls, one fails, they answer side by side through a reload, are stopped, priced, told apart and continued; questions to several models wait until all have answered, and are drafts again after a stop; then one column alone is asked, answers again, gives way to another model and is removed, in every tab; in a new comparison names are hidden until the vote, which the scoreboard then has; on a phone the columns are tabs; it is sorted, its figures are saved, it is found again by a word, and makes way for a new one', async () => {
  world.upstream.script('fast', { text: '渠水清如许。' })
  world.upstream.script('farui-whole', { text: WHOLE, cumulative: true })
  world.upstream.script('slow', { ...slowScript(SLOW), stall: 20 })
  world.upstream.script('broken', { status: 500 })
  const page = await world.visit('/compare', { client: await world.user(), expectedErrors: /402/ })
  await openWith(page, ['fast', 'slow', 'farui-whole', 'broken'])
  const refused = page.getByText(/^全部模型一起需要 [\d.,]+ 金币/)
  const askTooMuch = async () => {
    await page.getByLabel(chatText.composerLabel).fill('问渠那得清如许？'.repeat(800))
    await expect(page.getByText(/^预计 [\d.]+ 金币，最多 [\d.]+ 金币$/)).toBeVisible()
    await expect(page.getByText(/^可用余额还差 [\d.,]+ 金币$/)).toBeVisible()
    await button(page, chatText.send).click()
    await expect(refused).toHaveCount(4)
  }
  const asked = listRequests('问渠那得清如许').length
  const countAborted = () => listRequests('问渠那得清如许').filter(({ aborted }) => aborted).length
  const aborted = countAborted()
  await askTooMuch()
  expect(listRequests('问渠那得清如许')).toHaveLength(asked)
  await button(page, compareText.discard).first().click()
  await expect(page.getByRole('heading', { name: compareText.hero })).toBeVisible()
  await askTooMuch()
  await expect(page).toHaveURL(/\/compare\?sess_id=/)
  await page.getByRole('link', { name: compareText.recharge }).first().click()
  await button(page, creditText.buy).click()
  await button(page, creditText.sandboxPay).click()
  await button(page, creditText.back).click()
  await expect(page).toHaveURL(/\/compare\?sess_id=/)

  await expect(answer(page, 'fast')).toHaveText('渠水清如许。')
  await expect(refused).toHaveCount(0)
  await expect(page.getByLabel(chatText.composerLabel)).toHaveValue('')
  await expect(answer(page, 'farui-whole')).toHaveText(WHOLE)
  await expect(answer(page, 'broken').getByRole('button', { name: compareText.redo })).toBeVisible()
  await expect(answer(page, 'broken')).not.toContainText(PLACEHOLDER)
  await expect(answer(page, 'slow')).toContainText('第1句')
  const seen = (await answer(page, 'slow').innerText()).trim()
  expect(seen).toBe(SLOW.slice(0, seen.length))

  await page.reload()
  await expect(answer(page, 'fast')).toHaveText('渠水清如许。')
  await expect(answer(page, 'farui-whole')).toHaveText(WHOLE)
  await expect(answer(page, 'slow')).toHaveAttribute('aria-busy', 'true')
  await expect(answer(page, 'slow')).toContainText(seen)
  await expect(questions(page)).toHaveCount(4)

  await button(page, compareText.stopOf(names.slow)).click()
  await expect(answer(page, 'slow')).toContainText(compareText.stopped)
  await expect.poll(countAborted).toBe(aborted + 1)

  await expect(fact(page, 'slow')).toBeVisible()
  const charges = await listCharges(new URL(page.url()).searchParams.get('sess_id')!)
  expect(Object.keys(charges).toSorted()).toEqual(['farui-whole', 'fast', 'slow'])
  for (const [model, coins] of Object.entries(charges))
    await expect(fact(page, model as Model)).toContainText(compareText.coins(formatFineAmount(coins)))
  const sum = Object.values(charges).reduce((total, coins) => total + coins)
  await expect(page.getByText(compareText.turnTotal(formatFineAmount(sum)))).toBeVisible()
  const cheapest = Object.entries(charges).toSorted(([, a], [, b]) => a - b)[0]![0] as Model
  await expect(fact(page, cheapest)).toContainText(compareText.best.amount)

  await button(page, compareText.diff).click()
  await button(page, compareText.diffStart).click()
  await expect(page.getByText(/^相同 .*独有/)).toBeVisible()
  await expect(answer(page, 'slow')).toHaveCount(0)
  expect(await page.evaluate(() => CSS.highlights.get('differs')?.size ?? 0)).toBeGreaterThan(0)
  await button(page, compareText.diffClose).click()

  await column(page, names['farui-whole']).getByRole('button', { name: compareText.continueWith }).click()
  await expect(page).toHaveURL(/\/chat\?sess_id=/)
  await expect(questions(page)).toHaveCount(1)
  await expect(answers(page)).toHaveText([WHOLE])

  // The questions must wait first: a page that loads the comparison again would see an answer's end.
  const stall = 'headers' as const
  world.upstream.script(
    'fast',
    { text: '甲一。', stall },
    ...['甲二。', '甲三。', '甲又三。', '只我。'].map((text) => ({ text })),
  )
  world.upstream.script('slow', { text: '乙一。', stall }, { text: '乙二。' })
  world.upstream.script('farui-whole', { text: '丙三。', cumulative: true })
  await page.getByRole('link', { name: pageLabel('Compare', 'sidebar'), exact: true }).click()
  await openWith(page, ['fast', 'slow'])
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  // The answers reach this page only after the release.
  await page.route('**/api/chat/completions?*', async (route) => {
    await gate
    await route.continue()
  })
  await ask(page, '问一')
  await expect(button(page, chatText.stop)).toBeVisible()
  await queue(page, '问二', 1)
  await expect(waiting(page)).toHaveText(['问二'])
  world.upstream.release()
  release()
  await expect(answer(page, 'fast')).toHaveText(['甲一。', '甲二。'])
  await page.unroute('**/api/chat/completions?*')
  await expect(answer(page, 'slow')).toHaveText(['乙一。', '乙二。'])
  await expect(waiting(page)).toHaveCount(0)
  await expect(button(page, compareText.voteFor(names.fast))).toBeVisible()

  world.upstream.script('slow', endlessScript('慢慢说来，'.repeat(40)))
  await ask(page, '问三')
  await expect(answer(page, 'fast').last()).toHaveText('甲三。')
  await expect(answer(page, 'slow').last()).toContainText('慢慢说来')
  await queue(page, '问四', 1)
  await button(page, chatText.stop).click()
  await expect(composer(page)).toHaveValue('问四')
  await expect(waiting(page)).toHaveCount(0)
  await expect(answer(page, 'slow').last()).toContainText(compareText.stopped)
  await expect(questions(page)).toHaveCount(6)

  await column(page, names.fast).getByRole('button', { name: compareText.redo }).last().click()
  await expect(answer(page, 'fast').last()).toHaveText('甲又三。')
  await button(page, compareText.actions(names.fast)).click()
  await page.getByRole('menuitem', { name: compareText.settings }).click()
  const settings = page.getByRole('dialog', { name: `${compareText.settings} · ${names.fast}` })
  await settings.getByLabel(sessionSettingsText.systemPrompt).fill('惜字如金')
  await settings.getByRole('button', { name: uiText.save }).click()
  await expect(settings).toBeHidden()
  await button(page, compareText.actions(names.fast)).click()
  await page.getByRole('menuitem', { name: compareText.askThis }).click()
  await ask(page, '还有谁？')
  await expect(answer(page, 'fast').last()).toHaveText('只我。')
  expect(listRequests('惜字如金')).toHaveLength(1)
  await expect(answer(page, 'slow')).toHaveCount(3)
  await expect(column(page, names.slow).getByText(compareText.notAsked)).toBeVisible()

  const second = await page.context().newPage()
  await second.goto(page.url())
  await expect(answer(second, 'fast').last()).toHaveText('只我。')
  await button(page, compareText.swapModel(names.slow)).click()
  await page.getByLabel(modelPickerText.search).fill(names['farui-whole'])
  await page.keyboard.press('Enter')
  await column(page, names['farui-whole']).getByRole('button', { name: compareText.answerThis }).click()
  await expect(answer(page, 'farui-whole')).toHaveText('丙三。')
  await button(page, compareText.actions(names.fast)).click()
  await page.getByRole('menuitem', { name: compareText.remove }).click()
  await expect(answer(page, 'fast')).toHaveCount(0)
  await expect(answer(second, 'fast')).toHaveCount(0)
  await expect(answer(second, 'farui-whole')).toHaveText('丙三。')
  await second.close()

  // A new one begins at once, however long the server takes for a page.
  const held = Promise.withResolvers<void>()
  await page.route(/\/compare$/, async (route) => {
    await held.promise
    await route.continue()
  })
  const startNew = () => page.getByRole('link', { name: compareText.newComparison }).click()
  await startNew()
  await expect(page.getByRole('heading', { name: compareText.hero })).toBeVisible()
  await openWith(page, ['fast', 'slow'])
  held.resolve()
  await page.unroute(/\/compare$/)
  world.upstream.script('fast', { text: '有源。' })
  world.upstream.script('slow', { text: '源头活水，源源不断，滔滔不绝。' })
  await button(page, compareText.blind).click()
  // A spreadsheet would compute this question.
  await ask(page, QUESTION)
  await expect(button(page, compareText.voteFor('模型 A'))).toBeVisible()
  for (const name of Object.values(names)) await expect(page.getByText(name, { exact: true })).toHaveCount(0)
  const columns = page.getByRole('region', { name: /第 \d 列/ })
  await columns.first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(columns.last()).toBeFocused()

  const wide = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 780 })
  const tabs = page.getByRole('navigation', { name: compareText.models }).getByRole('button')
  await tabs.first().click()
  await expect(tabs.first()).toHaveAttribute('aria-current', 'true')
  const group = page.getByRole('group', { name: compareText.columns })
  // A swipe over an answer that still grows is repeated.
  await expect(async () => {
    await group.evaluate((element) => element.scrollBy(400, 0))
    await expect(tabs.last()).toHaveAttribute('aria-current', 'true', { timeout: 2_000 })
  }).toPass({ timeout: 60_000 })
  await tabs.first().click()
  await expect(tabs.first()).toHaveAttribute('aria-current', 'true')
  await page.setViewportSize(wide)

  const first = page.getByRole('region', { name: '模型 A', exact: true })
  const winner = (await first.textContent())?.includes('有源') ? 'fast' : 'slow'
  await button(page, compareText.voteFor('模型 A')).click()
  await expect(page.getByText(compareText.voted(names[winner]))).toBeVisible()
  await expect(page.getByLabel(compareText.kind)).toHaveValue('code')
  await button(page, scoreboardText.title).click()
  const row = page.getByRole('row', { name: new RegExp(names[winner]) })
  await expect(row).toContainText('1 / 0 / 0')
  await page.keyboard.press('Escape')
  await expect(row).toBeHidden()
  await button(page, compareText.sort).click()
  await page.getByRole('menuitemradio', { name: compareText.sortBy.tokens }).click()
  await expect(columns).toContainText(['有源。', '源头活水，源源不断，滔滔不绝。'])
  const given = await page.getByRole('button', { name: /，换成别的模型$/ }).allTextContents()

  const csv = await saveFile(page, async () => {
    await button(page, exportText.menu).click()
    await page.getByRole('menuitem', { name: compareText.exportCsv }).click()
  })
  const [header, ...rows] = csv.bytes.toString().trim().split('\r\n')
  expect(header).toContain(compareText.csvHeader.join())
  const expected = given.map((name) => `1,'${QUESTION},${name},${compareText.csvStatus.done}`)
  expect(rows.map((row) => row.split(',').slice(0, 4).join()).toSorted()).toEqual(expected.toSorted())
  expect(new Set(rows.map((row) => row.split(',').at(-1)))).toEqual(
    new Set([compareText.csvLost, compareText.csvWon]),
  )

  const blindSession = new URL(page.url()).searchParams.get('sess_id')
  await startNew()
  await expect(page.getByRole('heading', { name: compareText.hero })).toBeVisible()
  await button(page, compareText.sessions).click()
  const history = page.getByRole('navigation', { name: compareText.sessions })
  await expect(history.getByRole('link')).toHaveCount(3)
  await history.getByLabel(historyText.searchSessions).fill('滔滔')
  await expect(history.getByRole('link')).toHaveCount(1)
  await history.getByRole('link').click()
  // The list leads there as before the search, and so do the search's results.
  await expect(page).toHaveURL((url) => url.searchParams.get('sess_id') === blindSession)
  await expect(page.getByText(compareText.voted(names[winner]))).toBeVisible()

  // The session of a comparison that was left comes late.
  await startNew()
  await expect(questions(page)).toHaveCount(0)
  const releaseSession = await holdSession(page)
  await ask(page, '问湖')
  await expect(questions(page).first()).toHaveText('问湖')
  await button(page, compareText.sessions).click()
  await page.getByRole('dialog').getByRole('link', { name: QUESTION }).click()
  await expect(questions(page).first()).toHaveText(QUESTION)
  await startNew()
  await expect(questions(page)).toHaveCount(0)
  const created = page.waitForResponse('**/api/chat/create')
  releaseSession()
  await created
  await waitForIdle(page)
  await expect(page).toHaveURL(`${world.url}/compare`)
})
