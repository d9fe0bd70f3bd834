import type { Page } from '@playwright/test'
import { commandsText } from '#web/text/commands.ts'
import type { BrowserWorld } from '../../world/browser-world.ts'
import type { Client } from '../../world/client.ts'
import { composer, expect, waitForIdle } from '../screen/chat-screen.ts'

export const palette = (page: Page) => page.getByRole('dialog', { name: commandsText.palette })
export const help = (page: Page) => page.getByRole('dialog', { name: commandsText.help })
export const finder = (page: Page) => page.getByRole('combobox', { name: commandsText.paletteHint })
export const options = (page: Page) => page.getByRole('option')

/** Opens a chat page that reacts to its shortcuts, which are loaded after the page itself. */
export async function openChat(world: BrowserWorld, client?: Client): Promise<Page> {
  const page = await world.visit('/chat', { client: client ?? (await world.user()) })
  await expect(composer(page)).toBeVisible()
  await waitForIdle(page)
  return page
}

export async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(finder(page)).toBeFocused()
}

export async function createConversation(
  world: BrowserWorld,
  client: Client,
  question: string,
  answer = '好。',
): Promise<string> {
  world.upstream.script('scripted', { text: answer })
  const { session } = await client.call('POST /api/chat/session/new', { body: {} })
  await client.ask(question, { sess_id: session.id })
  return session.id
}
