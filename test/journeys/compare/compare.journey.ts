import type { Locator } from '@playwright/test'
import { sql } from 'drizzle-orm'
import { test } from 'vitest'
import { PLACEHOLDER } from '#contract/chat.ts'
import { formatFineAmount } from '#web/core/numberFormat.ts'
import { queueText } from '#web/text/attachments.ts'
import { chatText } from '#web/text/chat.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { scoreboardText } from '#web/text/compare/scoreboard.ts'
import { creditText } from '#web/text/credit/credit.ts'
import { exportText } from '#web/text/export.ts'
import { historyText } from '#web/text/history/history.ts'
import { messagesText } from '#web/text/messages.ts'
import { modelPickerText } from '#web/text/modelPicker.ts'
import { sharesText } from '#web/text/shares.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { platformNames } from '../../world/real-names.ts'
import {
  answers,
  ask,
  button,
  composer,
  createSentences,
  endlessScript,
  expect,
  holdSession,
  questions,
  slowScript,
  waitForIdle,
} from '../screen/chat-screen.ts'
import { exportConversation, saveFile, unzip } from '../screen/downloads.ts'
import { queue, waiting } from '../screen/queue.ts'
import { answer, column, fact, names, openWith, renderModels, type Model } from './compare-screen.ts'

const world = useBrowserWorld({ SIGNUP_COINS: '20' }, { models: renderModels })

const WHOLE = '整段整段地说：渠水清如许，源头活水来。'
const SLOW = createSentences(60)
/** Returns the requests to models with these words. */
const listRequests = (words: string) =>
  world.upstream.requests.filter(({ body }) => JSON.stringify(body ?? '').includes(words))

test('a new comparison stays on the screen when the one before it is given its session late', async () => {
  world.upstream.script('fast', { text: '渠水清如许。' })
  const page = await world.visit('/compare', { client: await world.user() })
  await openWith(page, ['fast'])
  await ask(page, '问河')
  await expect(answer(page, 'fast')).toHaveText('渠水清如许。')
  const startNew = () => page.getByRole('link', { name: compareText.newComparison }).click()
  await startNew()
  await expect(questions(page)).toHaveCount(0)
  await openWith(page, ['fast'])
  const release = await holdSession(page)
  await ask(page, '问湖')
  await expect(questions(page)).toHaveText('问湖')
  await button(page, compareText.sessions).click()
  await page.getByRole('dialog').getByRole('link', { name: '问河' }).click()
  await expect(questions(page)).toHaveText('问河')
  await startNew()
  await expect(questions(page)).toHaveCount(0)
  const asked = page.waitForResponse('**/api/chat/create')
  release()
  await asked
  await waitForIdle(page)
  await expect(page).toHaveURL(`${world.url}/compare`)
})

/** Returns the ledger's charge for each answer of a comparison, coins by model. */
async function listCharges(sessId: string): Promise<Record<string, number>> {
  const { rows } = await world.db().execute<{ model: string; coins: number }>(sql`
    SELECT m.lane AS model, r.amount / 1e6::float8 AS coins
    FROM chat_messages m JOIN runs r ON r.id = m.run_id WHERE m.sess_id = ${sessId} AND r.amount > 0`)
  return Object.fromEntries(rows.map(({ model, coins }) => [model, coins]))
}

test('four models, of which one stalls and one fails, answer side by side through a reload, are stopped, priced, voted on, told apart and continued', async () => {
  world.upstream.script('fast', { text: '渠水清如许。' })
  world.upstream.script('farui-whole', { text: WHOLE, cumulative: true })
  world.upstream.script('slow', { ...slowScript(SLOW), stall: 20 })
  world.upstream.script('broken', { status: 500 })
  const client = await world.user()
  const page = await world.visit('/compare', { client })
  await openWith(page, ['fast', 'slow', 'farui-whole', 'broken'])
  await page.getByLabel(chatText.composerLabel).fill('问渠那得清如许？')
  await expect(page.getByText(/^预计 [\d.]+ 金币，最多 [\d.]+ 金币$/)).toBeVisible()
  await button(page, chatText.send).click()
  await expect(page).toHaveURL(/\/compare\?sess_id=/)

  await expect(answer(page, 'fast')).toHaveText('渠水清如许。')
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
  await expect.poll(() => listRequests('问渠那得清如许').filter(({ aborted }) => aborted)).toHaveLength(1)

  await expect(fact(page, 'slow')).toBeVisible()
  const charges = await listCharges(new URL(page.url()).searchParams.get('sess_id')!)
  expect(Object.keys(charges).toSorted()).toEqual(['farui-whole', 'fast', 'slow'])
  for (const [model, coins] of Object.entries(charges))
    await expect(fact(page, model as Model)).toContainText(compareText.coins(formatFineAmount(coins)))
  const sum = Object.values(charges).reduce((total, coins) => total + coins)
  await expect(page.getByText(compareText.turnTotal(formatFineAmount(sum)))).toBeVisible()
  const cheapest = Object.entries(charges).toSorted(([, a], [, b]) => a - b)[0]![0] as Model
  await expect(fact(page, cheapest)).toContainText(compareText.best.amount)
  await fact(page, cheapest).getByRole('button').click()
  const panel = page.getByRole('dialog', { name: messagesText.figures })
  await expect(panel).toContainText(messagesText.platform + platformNames.scripted)
  await expect(panel).toContainText(/首字.*[\d.]+ 秒.*用时.*[\d.]+ 秒/)
  await expect(panel).toContainText(compareText.best.amount)
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)

  await button(page, compareText.voteFor(names.fast)).click()
  await expect(page.getByText(compareText.voted(names.fast))).toBeVisible()
  await button(page, compareText.diff).click()
  await button(page, compareText.diffStart).click()
  await expect(page.getByText(/^相同 .*独有/)).toBeVisible()
  await expect(answer(page, 'slow')).toHaveCount(0)
  expect(await page.evaluate(() => CSS.highlights.get('differs')?.size ?? 0)).toBeGreaterThan(0)
  await button(page, compareText.diffClose).click()

  world.upstream.script('farui-whole', { text: '源头活水。', cumulative: true })
  await column(page, names['farui-whole']).getByRole('button', { name: compareText.continueWith }).click()
  await expect(page).toHaveURL(/\/chat\?sess_id=/)
  await expect(questions(page)).toHaveText('问渠那得清如许？')
  await expect(answers(page)).toHaveText(WHOLE)
  await ask(page, '源头是什么？')
  await expect(answers(page).last()).toHaveText('源头活水。')
})

test('one column alone is asked, answers again, gives way to another model and is removed', async () => {
  world.upstream.script('fast', { text: '一。' }, { text: '一又一。' }, { text: '只我。' })
  world.upstream.script('slow', { text: '二。' })
  world.upstream.script('farui-whole', { text: '三。', cumulative: true })
  const client = await world.user()
  const page = await world.visit('/compare', { client })
  await openWith(page, ['fast', 'slow'])
  await ask(page, '几？')
  await expect(answer(page, 'fast')).toHaveText('一。')
  await expect(answer(page, 'slow')).toHaveText('二。')
  const second = await page.context().newPage()
  await second.goto(page.url())
  await expect(answer(second, 'slow')).toHaveText('二。')

  await column(page, names.fast).getByRole('button', { name: compareText.redo }).click()
  await expect(answer(page, 'fast')).toHaveText('一又一。')
  await expect(answer(second, 'fast')).toHaveText('一又一。')
  await button(page, compareText.actions(names.fast)).click()
  await page.getByRole('menuitem', { name: compareText.askThis }).click()
  await ask(page, '还有谁？')
  await expect(answer(page, 'fast').last()).toHaveText('只我。')
  await expect(answer(page, 'slow')).toHaveCount(1)
  await expect(column(page, names.slow).getByText(compareText.notAsked)).toBeVisible()

  await button(page, compareText.swapModel(names.slow)).click()
  await page.getByLabel(modelPickerText.search).fill(names['farui-whole'])
  await page.keyboard.press('Enter')
  await column(page, names['farui-whole']).getByRole('button', { name: compareText.answerThis }).click()
  await expect(answer(page, 'farui-whole')).toHaveText('三。')
  await button(page, compareText.actions(names.fast)).click()
  await page.getByRole('menuitem', { name: compareText.remove }).click()
  await expect(answer(page, 'fast')).toHaveCount(0)
  await expect(answer(second, 'fast')).toHaveCount(0)
  await expect(answer(second, 'farui-whole')).toHaveText('三。')
})

test('what the coins are not enough for starts nothing, each column says why, and it is asked when they were bought', async () => {
  const page = await world.visit('/compare', { client: await world.user(), expectedErrors: /402/ })
  await openWith(page, ['fast', 'slow', 'farui-whole'])
  for (const model of ['fast', 'slow']) world.upstream.script(model, { text: '为有源头活水来。' })
  const asked = listRequests('长长').length
  const refused = page.getByText(/^全部模型一起需要 [\d.,]+ 金币/)
  const askTooMuch = async () => {
    await page.getByLabel(chatText.composerLabel).fill('长'.repeat(190_000))
    await expect(page.getByText(/^可用余额还差 [\d.,]+ 金币$/)).toBeVisible()
    await button(page, chatText.send).click()
  }
  await askTooMuch()
  await expect(refused).toHaveCount(3)
  expect(listRequests('长长')).toHaveLength(asked)
  await button(page, compareText.discard).first().click()
  await expect(page.getByRole('heading', { name: compareText.hero })).toBeVisible()

  await openWith(page, ['fast', 'slow'])
  await askTooMuch()
  await expect(refused).toHaveCount(2)
  await expect(page).toHaveURL(/\/compare\?sess_id=/)
  await page.getByRole('link', { name: compareText.recharge }).first().click()
  await button(page, creditText.buy).click()
  await button(page, creditText.sandboxPay).click()
  await button(page, creditText.back).click()
  await expect(answer(page, 'fast')).toHaveText('为有源头活水来。')
  await expect(answer(page, 'slow')).toHaveText('为有源头活水来。')
  await expect(refused).toHaveCount(0)
  await expect(page.getByLabel(chatText.composerLabel)).toHaveValue('')
})

test('a column stays at its end while it is written; one that was scrolled up, a little or to its top, stays there', async () => {
  const text = Array.from({ length: 120 }, (_, n) => `### 第${n + 1}节\n\n渠水清如许。`).join('\n\n')
  const models = ['slow', 'fast', 'broken'] as const
  for (const model of models) world.upstream.script(model, { text, chars: 60, stall: 20 })
  const page = await world.visit('/compare', { client: await world.user() })
  await openWith(page, models)
  await ask(page, '渠')
  const [stayed, toTop, little] = models.map((model) =>
    page.getByRole('region', { name: compareText.columnOf(names[model]) }),
  ) as [Locator, Locator, Locator]
  const getTop = (column: Locator) => column.evaluate((element) => element.scrollTop)
  const getRest = (column: Locator) =>
    column.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight)
  for (const model of models) await expect(answer(page, model)).toContainText('第60节')
  for (const column of [stayed, toTop, little]) await expect.poll(() => getRest(column)).toBeLessThan(1)

  const goal = (await getTop(little)) - 20
  await toTop.hover()
  await page.mouse.wheel(0, -10_000)
  await expect.poll(() => getTop(toTop)).toBe(0)
  await little.hover()
  await page.mouse.wheel(0, -20)
  await expect.poll(() => getTop(little)).toBe(goal)
  world.upstream.release()
  for (const model of models) await expect(fact(page, model)).toBeVisible()
  await expect.poll(() => getRest(stayed)).toBeLessThan(1)
  expect(await getTop(toTop)).toBe(0)
  expect(await getTop(little)).toBe(goal)
  for (const column of [toTop, little]) expect(await getRest(column)).toBeGreaterThan(1_000)
})

test('a comparison is sorted, saved as files, shared, and found again by a word', async () => {
  world.upstream.script('slow', { text: '源头活水，源源不断，滔滔不绝。' })
  world.upstream.script('fast', { text: '有源。' })
  const client = await world.user()
  const page = await world.visit('/compare', { client })
  await openWith(page, ['slow', 'fast'])
  await ask(page, '=1+1')
  await expect(fact(page, 'slow')).toBeVisible()
  await expect(fact(page, 'fast')).toBeVisible()
  const columns = page.getByRole('region', { name: /第 \d 列/ })
  await button(page, compareText.sort).click()
  await page.getByRole('menuitemradio', { name: compareText.sortBy.tokens }).click()
  await expect(columns).toContainText(['有源。', '源头活水，源源不断，滔滔不绝。'])
  await button(page, compareText.sortBy.tokens).click()
  await page.getByRole('menuitemradio', { name: compareText.sortBy.order }).click()
  await expect(button(page, compareText.sort)).toBeVisible()
  const given = await page.getByRole('button', { name: /，换成别的模型$/ }).allTextContents()
  await button(page, compareText.voteFor(names.fast)).click()
  await expect(page.getByText(compareText.voted(names.fast))).toBeVisible()

  const markdown = (await exportConversation(page, 'markdown')).bytes.toString()
  expect(markdown).toContain('（slow）\n\n源头活水，源源不断，滔滔不绝。')
  expect(markdown).toContain('（fast）\n\n有源。')
  const document = unzip((await exportConversation(page, 'word')).bytes).get('word/document.xml')!
  for (const part of ['由 slow 回答', '滔滔不绝', '由 fast 回答', '有源']) expect(document).toContain(part)
  const csv = await saveFile(page, async () => {
    await button(page, exportText.menu).click()
    await page.getByRole('menuitem', { name: compareText.exportCsv }).click()
  })
  const [header, ...rows] = csv.bytes.toString().trim().split('\r\n')
  expect(header).toContain(compareText.csvHeader.join())
  expect(rows.map((row) => row.split(',').slice(0, 4))).toEqual(
    given.map((name) => ['1', `'=1+1`, name, compareText.csvStatus.done]),
  )
  expect(new Set(rows.map((row) => row.split(',').at(-1)))).toEqual(
    new Set([compareText.csvLost, compareText.csvWon]),
  )

  await button(page, chatText.share).click()
  await button(page, sharesText.create).click()
  const { pathname } = new URL(await page.getByLabel(sharesText.link).inputValue())
  const shared = await world.visit(pathname)
  await expect(answers(shared).getByText('问渠 · slow')).toBeVisible()
  await expect(answers(shared).getByText('问渠 · fast')).toBeVisible()
  await page.keyboard.press('Escape')

  const session = new URL(page.url()).searchParams.get('sess_id')
  // A new one begins at once, however long the server takes for a page.
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/compare$/, async (route) => {
    await released
    await route.continue()
  })
  await page.getByRole('link', { name: compareText.newComparison }).click()
  await expect(page.getByRole('heading', { name: compareText.hero })).toBeVisible()
  await button(page, compareText.sessions).click()
  const history = page.getByRole('navigation', { name: compareText.sessions })
  await expect(history.getByRole('link')).toHaveCount(1)
  release()
  await history.getByLabel(historyText.searchSessions).fill('滔滔')
  await history.getByRole('link').click()
  // The list leads there as before the search, and so do the search's results.
  await expect(page).toHaveURL(({ searchParams }) => searchParams.get('sess_id') === session)
  await expect(page.getByText(compareText.voted(names.fast))).toBeVisible()
})

test('names are hidden until the vote, which the scoreboard then has; on a phone the columns are tabs', async () => {
  world.upstream.script('fast', { text: '快的回答。' })
  world.upstream.script('slow', { text: '慢的回答。' })
  const page = await world.visit('/compare', { client: await world.user() })
  await openWith(page, ['fast', 'slow'])
  await button(page, compareText.blind).click()
  await ask(page, '用 Python 写一个函数')
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
  const winner = (await first.textContent())?.includes('快的回答') ? 'fast' : 'slow'
  await button(page, compareText.voteFor('模型 A')).click()
  await expect(page.getByText(compareText.voted(names[winner]))).toBeVisible()
  await expect(page.getByLabel(compareText.kind)).toHaveValue('code')
  await button(page, scoreboardText.title).click()
  const row = page.getByRole('row', { name: new RegExp(names[winner]) })
  await expect(row).toContainText('1 / 0 / 0')
})

test('questions to several models wait until all have answered, and are drafts again after a reload or a stop', async () => {
  // The questions must wait first: a page that loads the comparison again would see an answer's end.
  const stall = 'headers' as const
  world.upstream.script('fast', { text: '甲一。', stall }, { text: '甲二。' }, { text: '甲三。' })
  world.upstream.script('slow', { text: '乙一。', stall }, { text: '乙二。' })
  const page = await world.visit('/compare', { client: await world.user() })
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
  await queue(page, '不问了', 2)
  await waiting(page).nth(1).getByRole('button', { name: queueText.edit }).click()
  await expect(composer(page)).toHaveValue('不问了')
  await composer(page).fill('')
  await expect(waiting(page)).toHaveText(['问二'])
  world.upstream.release()
  release()
  await expect(answer(page, 'fast')).toHaveText(['甲一。', '甲二。'])
  await expect(answer(page, 'slow')).toHaveText(['乙一。', '乙二。'])
  await expect(waiting(page)).toHaveCount(0)
  await expect(button(page, compareText.voteFor(names.fast))).toBeVisible()

  world.upstream.script('slow', endlessScript('慢慢说来，'.repeat(40)))
  await ask(page, '问三')
  await expect(answer(page, 'fast').last()).toHaveText('甲三。')
  await expect(answer(page, 'slow').last()).toContainText('慢慢说来')
  await queue(page, '问四', 1)
  await page.reload()
  await expect(composer(page)).toHaveValue('问四')
  await expect(button(page, chatText.stop)).toBeVisible()
  await composer(page).press('Enter')
  await expect(waiting(page)).toHaveText(['问四'])
  await button(page, chatText.stop).click()
  await expect(composer(page)).toHaveValue('问四')
  await expect(waiting(page)).toHaveCount(0)
  await expect(answer(page, 'slow').last()).toContainText(compareText.stopped)
  await expect(questions(page)).toHaveCount(6)
})
