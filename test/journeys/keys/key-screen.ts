import type { Page } from '@playwright/test'
import { keysText } from '#web/text/keys.ts'
import type { BrowserWorld } from '../../world/browser-world.ts'
import type { Client } from '../../world/client.ts'
import { button, expect } from '../screen/chat-screen.ts'

export const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

export async function chooseMenuItem(page: Page, key: string, item: string): Promise<void> {
  await button(page, keysText.menu(key)).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Creates a key that has called these models. */
export async function createUsedKey(world: BrowserWorld, client: Client, ...models: string[]): Promise<void> {
  const { raw_value } = await client.call('POST /api/api_keys', { body: { name: '示例', credit_limit: 50 } })
  for (const model of models) {
    const answer = await fetch(`${world.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${raw_value}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: '你好' }] }),
    })
    expect(answer.status).toBe(200)
  }
}
