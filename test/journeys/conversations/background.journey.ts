import { test } from 'vitest'
import type { Locator, Page } from '@playwright/test'
import { historyText } from '#web/text/history/history.ts'
import { shellText } from '#web/text/shell.ts'
import { ask, composer, endlessScript, expect, waitForText } from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()

const row = (page: Page, title: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title, exact: true }) })
const mark = (page: Page, title: string, name: string): Locator => row(page, title).getByRole('img', { name })

test('a conversation that answers in the background says so in the list, after a reload too, then that it was answered', async () => {
  const client = await world.user()
  const text = '慢慢说来，'.repeat(40)
  world.upstream.script('scripted', endlessScript(text))
  const page = await world.visit('/chat', { client })
  await ask(page, '问一')
  await waitForText(page, 20)
  await page.getByRole('link', { name: shellText.newChat }).click()
  await expect(composer(page)).toHaveValue('')
  await expect(mark(page, '问一', historyText.running)).toBeVisible()
  await page.reload()
  await expect(mark(page, '问一', historyText.running)).toBeVisible()
  // No stream of this page and no other tab shows the end: the stop comes from another device.
  const { items } = await client.call('GET /api/chat/sessions', {})
  await client.call('POST /api/chat/cancel', { body: { chat_id: items[0]!.running_turn! } })
  await expect(mark(page, '问一', historyText.unread)).toBeVisible()
  await page.reload()
  await expect(mark(page, '问一', historyText.unread)).toBeVisible()
  await page.getByRole('link', { name: '问一', exact: true }).click()
  await expect(row(page, '问一').getByRole('img')).toHaveCount(0)
})
