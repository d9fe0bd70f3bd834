import { readFile } from 'node:fs/promises'
import { test } from 'vitest'
import { formatCoins } from '#web/core/format.ts'
import { statisticsText } from '#web/text/credit/statistics.ts'
import { shellText } from '#web/text/shell.ts'
import { uiText } from '#web/text/ui.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { modelNames } from '../../world/real-names.ts'
import { createUsedKey } from '../keys/key-screen.ts'
import { button, expect, pageLabel } from '../screen/chat-screen.ts'

const world = useBrowserWorld()

test('transactions are read by page, opened into their bills, saved as a file, narrowed down by action, key, model, kind and own days, which the address keeps over a reload and Back; the dashboard and the balance have the same figures, with the names that people know', async () => {
  const client = await world.user()
  world.upstream.script('flat', { text: '好' })
  for (let nth = 0; nth < 9; nth++) await client.ask('一个问题', { model: 'flat' })
  world.upstream.script('twofold-cheap', { text: '好' })
  await createUsedKey(world, client, 'flat', 'twofold')
  const { balance } = await client.call('GET /api/user/info', {})
  const [left, spent] = [formatCoins(balance), formatCoins(50 - balance)]
  const page = await world.visit('/profile/transactions', { client })
  const table = page.getByRole('region', { name: statisticsText.transactions })
  const rows = table.getByRole('row')
  const condition = (name: string) => page.getByRole('combobox', { name, exact: true })
  await expect(rows).toHaveCount(11)
  await expect(page.getByText(`共 12 条，收入 50.00 金币，支出 ${spent} 金币`)).toBeVisible()
  await button(page, uiText.nextPage).click()
  await expect(rows).toHaveCount(3)
  await expect(table).toContainText(statisticsText.actions.signup)

  await condition(statisticsText.action).selectOption('signup')
  await expect(rows).toHaveCount(2)
  await expect(rows.last()).toContainText('+50.00')
  await table.getByRole('button').first().click()
  const bill = page.getByRole('dialog', { name: statisticsText.billTitle })
  await expect(bill).toContainText(statisticsText.received)
  await expect(bill).not.toContainText(statisticsText.charged)
  await page.keyboard.press('Escape')
  await expect(bill).toBeHidden()
  await condition(statisticsText.action).selectOption('charge')
  await expect(rows).toHaveCount(11)
  await expect(page.getByText(`共 11 条，收入 0.00 金币，支出 ${spent} 金币`)).toBeVisible()
  await expect(rows.nth(2)).toContainText('−1.00')
  await table.getByRole('button').nth(1).click()
  await expect(bill).toContainText(statisticsText.coins('1.00'))
  await expect(bill).toContainText(modelNames.flat)
  await expect(bill).toContainText(statisticsText.callPrice)
  await expect(bill).toContainText(statisticsText.charged)
  await page.keyboard.press('Escape')
  await expect(bill).toBeHidden()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    button(page, statisticsText.export).click(),
  ])
  expect(saved.suggestedFilename()).toBe(statisticsText.exportName)
  expect((await readFile(await saved.path(), 'utf8')).trimEnd().split('\r\n')).toHaveLength(12)
  await button(page, statisticsText.clear).last().click()
  await expect(page).toHaveURL(/transactions$/)

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
  await expect(rows).toHaveCount(11)
  await expect(page).toHaveURL(/transactions$/)

  await condition(statisticsText.range).selectOption('days')
  const yesterday = new Date(Date.now() - 16 * 3_600_000).toISOString().slice(0, 10)
  const [from, to] = [page.getByLabel(statisticsText.from), page.getByLabel(statisticsText.to)]
  await to.fill('2020-01-01')
  await expect(page.getByText(statisticsText.empty)).toBeVisible()
  await to.fill('')
  await from.fill(yesterday)
  await expect(rows).toHaveCount(11)
  await expect(page).toHaveURL(new RegExp(`timeRange=days&from=${yesterday}$`))

  const account = page.getByRole('button', { name: /的账户菜单$/ })
  await account.click()
  await page.getByRole('menuitem', { name: shellText.balance(left) }).click()
  const main = page.getByRole('main')
  await expect(main.getByText(statisticsText.coins(left)).first()).toBeVisible()
  await expect(main.getByText(statisticsText.coins(spent))).toHaveCount(2)
  await page.goBack()
  await expect(from).toHaveValue(yesterday)
  await expect(rows).toHaveCount(11)
  await button(page, statisticsText.clear).click()
  await expect(from).toHaveCount(0)
  await expect(page).toHaveURL(/transactions$/)

  await account.click()
  await page.getByRole('menuitem', { name: pageLabel('Dashboard', 'account') }).click()
  await expect(page.getByText('11', { exact: true })).toBeVisible()
  await expect(page.getByText(spent, { exact: true }).first()).toBeVisible()
  const byModel = page.getByRole('region', { name: statisticsText.byModel })
  await expect(byModel).toContainText(modelNames.flat)
  await expect(byModel).toContainText(modelNames.twofold)
  const recent = page.getByRole('region', { name: statisticsText.recent }).getByRole('row')
  await expect(recent).toHaveCount(6)
  await expect(recent.nth(1)).toContainText(modelNames.twofold)
  await recent.nth(1).getByRole('button').click()
  // A bill has the id that programs use, too.
  await expect(bill).toContainText(`${modelNames.twofold}（twofold）`)
})
