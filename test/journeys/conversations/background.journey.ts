import { test } from 'vitest'
import type { Locator, Page } from '@playwright/test'
import { historyText } from '#web/text/history/history.ts'
import { endlessScript, expect } from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()

const row = (page: Page, title: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title, exact: true }) })
const mark = (page: Page, title: string, name: string): Locator => row(page, title).getByRole('img', { name })

test('a conversation that answers in the background says so in the list, then that it was answered, after a reload too', async () => {
  const client = await world.user()
  world.upstream.script('scripted', endlessScript('慢慢说来，'.repeat(40)))
  const { question } = await client.call('POST /api/chat/create', { body: { prompt: '问一' } })
  const page = await world.visit('/chat', { client })
  await expect(mark(page, '问一', historyText.running)).toBeVisible()
  // No stream of this page and no other tab shows the end: the stop comes from another device.
  await client.call('POST /api/chat/cancel', { body: { chat_id: question.chat_id } })
  await expect(mark(page, '问一', historyText.unread)).toBeVisible()
  await page.reload()
  await expect(mark(page, '问一', historyText.unread)).toBeVisible()
  await page.getByRole('link', { name: '问一', exact: true }).click()
  await expect(row(page, '问一').getByRole('img')).toHaveCount(0)
})
