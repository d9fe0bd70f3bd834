import { readFile } from 'node:fs/promises'
import { test } from 'vitest'
import { statisticsText } from '#web/text/credit/statistics.ts'
import { uiText } from '#web/text/ui.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { modelNames } from '../../world/real-names.ts'
import { createUsedKey } from '../keys/key-screen.ts'
import { button, expect } from '../screen/chat-screen.ts'

const world = useBrowserWorld()

test('transactions are read by page, filtered, opened into their bills and saved as a file; the dashboard and the balance have the same figures', async () => {
  const client = await world.user()
  world.upstream.script('flat', { text: '好' })
  for (let nth = 0; nth < 11; nth++) await client.ask('一个问题', { model: 'flat' })
  const page = await world.visit('/profile/transactions', { client })
  const table = page.getByRole('region', { name: statisticsText.transactions })
  const rows = table.getByRole('row')
  await expect(rows).toHaveCount(11)
  await expect(page.getByText(/^共 12 条，收入 50\.00 金币，支出 11\.00 金币/)).toBeVisible()
  await button(page, uiText.nextPage).click()
  await expect(rows).toHaveCount(3)
  await expect(table).toContainText(statisticsText.actions.signup)

  await page.getByRole('combobox', { name: statisticsText.action }).selectOption('charge')
  await expect(rows).toHaveCount(11)
  await expect(page.getByText(/^共 11 条，收入 0\.00 金币，支出 11\.00 金币/)).toBeVisible()
  await table.getByRole('button').first().click()
  const bill = page.getByRole('dialog', { name: statisticsText.billTitle })
  await expect(bill).toContainText(statisticsText.coins('1.00'))
  await expect(bill).toContainText(modelNames.flat)
  await expect(bill).toContainText(statisticsText.callPrice)
  await expect(bill).toContainText(statisticsText.charged)
  await page.keyboard.press('Escape')
  await expect(bill).toBeHidden()

  await page.getByRole('combobox', { name: statisticsText.action }).selectOption('signup')
  await expect(rows).toHaveCount(2)
  await table.getByRole('button').first().click()
  await expect(bill).toContainText(statisticsText.received)
  await expect(bill).not.toContainText(statisticsText.charged)
  await page.keyboard.press('Escape')
  await expect(bill).toBeHidden()
  await page.getByRole('combobox', { name: statisticsText.action }).selectOption('charge')
  await expect(rows).toHaveCount(11)

  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    button(page, statisticsText.export).click(),
  ])
  expect(saved.suggestedFilename()).toBe(statisticsText.exportName)
  expect((await readFile(await saved.path(), 'utf8')).trimEnd().split('\r\n')).toHaveLength(12)

  await page.goto(`${world.url}/profile/dashboard`)
  await expect(page.getByText('11', { exact: true })).toBeVisible()
  await expect(page.getByText('11.00', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('region', { name: statisticsText.byModel })).toContainText(modelNames.flat)
  await expect(page.getByRole('region', { name: statisticsText.recent }).getByRole('row')).toHaveCount(6)
  await page.goto(`${world.url}/profile/balance`)
  const main = page.getByRole('main')
  await expect(main.getByText(statisticsText.coins('39.00')).first()).toBeVisible()
  await expect(main.getByText(statisticsText.coins('11.00'))).toHaveCount(2)
})

test('models and platforms have the names that people know, and in a bill the id that programs use', async () => {
  const reader = await world.user()
  world.upstream.script('twofold-cheap', { text: '好' })
  await reader.ask('一个问题', { model: 'twofold' })
  const page = await world.visit('/profile/dashboard', { client: reader })
  await expect(page.getByRole('region', { name: statisticsText.byModel })).toContainText(modelNames.twofold)
  const last = page.getByRole('region', { name: statisticsText.recent }).getByRole('row').nth(1)
  await expect(last).toContainText(modelNames.twofold)
  await last.getByRole('button').click()
  const bill = page.getByRole('dialog', { name: statisticsText.billTitle })
  await expect(bill).toContainText(`${modelNames.twofold}（twofold）`)
})

test('transactions are narrowed down by key, model, kind and own days; the address keeps that over a reload and Back, and all of it is cleared', async () => {
  const client = await world.user()
  world.upstream.script('twofold-cheap', { text: '好' })
  await createUsedKey(world, client, 'flat', 'twofold')
  world.upstream.script('flat', { text: '好' })
  await client.ask('一个问题', { model: 'flat' })
  const page = await world.visit('/profile/transactions', { client })
  const rows = page.getByRole('region', { name: statisticsText.transactions }).getByRole('row')
  const condition = (name: string) => page.getByRole('combobox', { name, exact: true })
  await expect(rows).toHaveCount(5)
  await condition(statisticsText.key).selectOption('示例')
  await expect(rows).toHaveCount(3)
  await condition(statisticsText.model).selectOption('twofold')
  await expect(rows).toHaveCount(2)
  await expect(rows.last()).toContainText(modelNames.twofold)
  await condition(statisticsText.what).selectOption('chat')
  await expect(page.getByText(statisticsText.empty)).toBeVisible()
  await expect(page).toHaveURL(/\?source=chat&model=twofold&keyId=[\da-f-]{36}$/)
  await page.reload()
  await expect(page.getByText(statisticsText.empty)).toBeVisible()
  await expect(condition(statisticsText.model)).toHaveValue('twofold')
  await button(page, statisticsText.clear).last().click()
  await expect(rows).toHaveCount(5)
  await expect(page).toHaveURL(/transactions$/)

  await condition(statisticsText.range).selectOption('days')
  const yesterday = new Date(Date.now() - 16 * 3_600_000).toISOString().slice(0, 10)
  const [from, to] = [page.getByLabel(statisticsText.from), page.getByLabel(statisticsText.to)]
  await to.fill('2020-01-01')
  await expect(page.getByText(statisticsText.empty)).toBeVisible()
  await to.fill('')
  await from.fill(yesterday)
  await expect(rows).toHaveCount(5)
  await expect(page).toHaveURL(new RegExp(`timeRange=days&from=${yesterday}$`))
  await page.goto(`${world.url}/profile/balance`)
  await page.goBack()
  await expect(from).toHaveValue(yesterday)
  await expect(rows).toHaveCount(5)
  await button(page, statisticsText.clear).click()
  await expect(from).toHaveCount(0)
  await expect(page).toHaveURL(/transactions$/)
})
