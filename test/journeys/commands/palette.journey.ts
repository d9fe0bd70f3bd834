import { test } from 'vitest'
import type { Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { historyText } from '#web/text/history/history.ts'
import { promptsText } from '#web/text/prompts.ts'
import { sessionSettingsText } from '#web/text/sessionSettings.ts'
import { sharesText } from '#web/text/shares.ts'
import { shellText } from '#web/text/shell.ts'
import { commandsText } from '#web/text/commands.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { modelNames } from '../../world/real-names.ts'
import {
  button,
  composer,
  expect,
  questions,
  pageLabel,
  waitForFrames,
  waitForIdle,
} from '../screen/chat-screen.ts'
import { saveFile } from '../screen/downloads.ts'
import { composeInChrome, composeInSafari } from '../screen/input-method.ts'
import {
  createConversation,
  finder,
  help,
  openChat,
  openPalette,
  options,
  palette,
} from './command-screen.ts'

const world = useBrowserWorld()

const selectedOption = (page: Page) => page.getByRole('option', { selected: true })

/** Finds an entry by its name and chooses it. */
async function chooseCommand(page: Page, label: string): Promise<void> {
  await openPalette(page)
  await finder(page).fill(label)
  await page.getByRole('option', { name: label, exact: true }).click()
}

test('the palette finds conversations, messages and models, shows first what was used lately, opens what a conversation has, exports it in every format, begins a new one, and goes to another page', async () => {
  const client = await world.user()
  await createConversation(world, client, '源头活水从哪里来')
  await createConversation(world, client, '周报怎么写', '先写结论，再写青山绿水。')
  const page = await openChat(world, client)
  await openPalette(page)
  await page.keyboard.type('活水')
  await expect(options(page)).toHaveText(['源头活水从哪里来'])
  await finder(page).fill('zbzmx')
  await expect(options(page)).toHaveText(['周报怎么写'])
  await page.keyboard.press('Enter')
  await expect(palette(page)).toBeHidden()
  await expect(questions(page)).toHaveText(['周报怎么写'])

  await openPalette(page)
  await finder(page).fill('青山绿水')
  const messages = page.getByRole('group', { name: commandsText.messageGroup })
  await expect(messages.getByRole('option')).toHaveText([/^周报怎么写：.*青山绿水/])
  // Only for a moment: then the address is the conversation's again.
  const led = page.waitForURL(/&message=/)
  await messages.getByRole('option').click()
  await expect(palette(page)).toBeHidden()
  await expect(page.locator('[data-target]')).toContainText('再写青山绿水')
  await led

  await openPalette(page)
  await finder(page).fill('qhmx')
  await expect(selectedOption(page)).toHaveText(commandsText.models)
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: commandsText.modelsHint }).fill(modelNames.flat)
  await page.keyboard.press('Enter')
  await expect(button(page, `${chatText.modelPicker}：${modelNames.flat}`)).toBeVisible()
  await chooseCommand(page, commandsText.toModel(modelNames.twofold))
  await expect(button(page, `${chatText.modelPicker}：${modelNames.twofold}`)).toBeVisible()

  await openPalette(page)
  await finder(page).fill('浅色')
  await page.keyboard.press('Enter')
  await openPalette(page)
  const recent = page.getByRole('group', { name: commandsText.recent }).getByRole('option')
  await expect(recent.first()).toHaveText(/浅色/)
  await expect(selectedOption(page)).toHaveText(commandsText.theme(shellText.themes.light))
  await page.keyboard.press('Escape')

  const { commands } = commandsText
  for (const [label, title] of [
    [commands.settings, sessionSettingsText.title],
    [commands.share, sharesText.title],
    [commands.prompts, promptsText.title],
    [commands.help, commandsText.help],
  ] as const) {
    await chooseCommand(page, label)
    await expect(page.getByRole('dialog', { name: title })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  for (const [label, ending] of [
    [commands.exportMarkdown, '.md'],
    [commands.exportJson, '.json'],
    [commands.exportWord, '.docx'],
    [commands.exportPicture, '.png'],
  ] as const) {
    const { name, bytes } = await saveFile(page, () => chooseCommand(page, label))
    expect(name).toBe(`周报怎么写${ending}`)
    expect(bytes.length).toBeGreaterThan(50)
  }
  await chooseCommand(page, commands.search)
  await expect(page.getByRole('textbox', { name: historyText.searchSessions })).toBeFocused()
  await chooseCommand(page, commands.focusComposer)
  await expect(composer(page)).toBeFocused()
  await chooseCommand(page, commands.newChat)
  await expect(page).toHaveURL(/\/chat$/)
  await chooseCommand(page, pageLabel('Setting', 'palette'))
  await expect(page).toHaveURL(/\/profile\/setting$/)
})

test('a guest moves through the palette by arrows, round both ends, and finds no page that needs an account; it closes on Escape and its shortcut, leaves Chinese input alone, and stays open when another dialog, or itself, has just closed', async () => {
  const page = await world.visit('/chat')
  await expect(composer(page)).toBeVisible()
  await waitForIdle(page)
  await openPalette(page)
  const named = (name: string) => page.getByRole('option', { name, exact: true })
  await expect(named(pageLabel('Caculator', 'palette'))).toHaveCount(1)
  for (const label of [
    pageLabel('Setting', 'palette'),
    pageLabel('ApiKey', 'palette'),
    commandsText.commands.share,
  ])
    await expect(named(label)).toHaveCount(0)
  await finder(page).fill('没有这样的东西')
  await expect(page.getByRole('status').filter({ hasText: commandsText.nothing })).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(palette(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
  await expect(composer(page)).toBeFocused()
  await openPalette(page)
  await page.keyboard.press('Control+k')
  await expect(palette(page)).toBeHidden()

  // Enter that ends the input chooses nothing, in the order of either browser.
  for (const [order, theme] of [
    ['Chrome', 'dark'],
    ['Safari', 'light'],
  ] as const) {
    await openPalette(page)
    const label = shellText.themes[theme]
    if (order === 'Chrome') await composeInChrome(page, label)
    else await composeInSafari(page, finder(page), label)
    await expect(finder(page)).toHaveValue(label)
    await expect(selectedOption(page)).toHaveText(commandsText.theme(label))
    await expect(page.locator('html.dark')).toHaveCount(theme === 'dark' ? 0 : 1)
    await page.keyboard.press('Enter')
    await expect(page.locator('html.dark')).toHaveCount(theme === 'dark' ? 1 : 0)
  }

  await openPalette(page)
  await expect(options(page).first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowUp')
  await expect(options(page).last()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(options(page).nth(1)).toHaveAttribute('aria-selected', 'true')
  await finder(page).fill(commandsText.theme(''))
  await expect(options(page).nth(1)).toContainText(commandsText.theme(''))
  await expect(options(page).first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')

  await chooseCommand(page, commandsText.commands.help)
  await expect(help(page)).toBeVisible()
  // All in one task: the browser reports the first closing only after it.
  await page.evaluate(async () => {
    document.querySelector('dialog[open]')?.dispatchEvent(new Event('cancel', { cancelable: true }))
    await Promise.resolve()
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))
  })
  await expect(help(page)).toBeHidden()
  // The browser has reported the closing meanwhile.
  await waitForFrames(page)
  await expect(finder(page)).toBeFocused()

  await page.evaluate(async () => {
    const press = () => {
      const key = { key: 'k', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true }
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key))
    }
    press()
    // The browser reports the closing in a task of its own, after all of React's work on it.
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    press()
  })
  await waitForFrames(page)
  await waitForIdle(page)
  await expect(palette(page)).toBeVisible()
  await expect(finder(page)).toBeFocused()
  await finder(page).fill(pageLabel('Model', 'palette'))
  await options(page).first().click()
  await expect(page).toHaveURL(/\/models$/)
})
