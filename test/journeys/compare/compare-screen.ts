import type { Locator, Page } from '@playwright/test'
import { compareText } from '#web/text/compare/compare.ts'
import { modelPickerText } from '#web/text/modelPicker.ts'
import { button, expect } from '../screen/chat-screen.ts'
import { modelNames, platformNames } from '../../world/real-names.ts'

export const names = {
  fast: modelNames.twofold,
  slow: modelNames.thinker,
  'farui-whole': modelNames['farui-scripted'],
  broken: modelNames.flat,
}
export type Model = keyof typeof names

/** Returns the text of a MODELS_FILE with these models, each of another vendor and dearer than the one before. */
export const renderModels = ({ url }: { url: string }): string =>
  JSON.stringify({
    platforms: [
      {
        name: 'scripted',
        alias: platformNames.scripted,
        dialect: 'openai',
        base_url: url,
        api_key_env: 'SCRIPTED_KEY',
      },
    ],
    models: Object.entries(names).map(([id, name], i) => ({
      id,
      name,
      desc: '',
      type: 'chat',
      vendor: `厂商${i}`,
      context_window: 64_000,
      max_tokens: 8_000,
      capabilities: [],
      visible: true,
      guest: true,
      discount: 1,
      offers: [{ platform: 'scripted', model: id, input: 100, output: 200 + 100 * i }],
    })),
  })

export const column = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: name, exact: true })
export const answer = (page: Page, model: Model): Locator =>
  page.getByRole('article', { name: compareText.columnOf(names[model]), exact: true })
export const fact = (page: Page, model: Model): Locator =>
  page.getByRole('group', { name: compareText.figures(names[model]) })

/** Opens a new comparison of these models, which replace the initial ones. */
export async function openWith(page: Page, models: readonly Model[]): Promise<void> {
  const chosen = page.getByRole('list', { name: compareText.models })
  await expect(chosen.getByRole('listitem').first()).toBeVisible()
  for (const id of Object.keys(names) as Model[]) {
    const isChosen = (await chosen.getByText(names[id], { exact: true }).count()) > 0
    if (isChosen === models.includes(id)) continue
    if (isChosen) await button(page, compareText.removeModel(names[id])).click()
    else {
      await button(page, compareText.addModel).click()
      await page.getByLabel(modelPickerText.search).fill(names[id])
      await page.keyboard.press('Enter')
    }
  }
  await expect(chosen.getByRole('listitem')).toHaveCount(models.length)
}
