import { describe, test } from 'vitest'
import type { Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { promptsText } from '#web/text/prompts.ts'
import { sessionSettingsText } from '#web/text/sessionSettings.ts'
import { sharesText } from '#web/text/shares.ts'
import { shellText } from '#web/text/shell.ts'
import { commandsText } from '#web/text/commands.ts'
import { findAccessibilityViolations } from '../../world/browser.ts'
import type { Look } from '../../world/browser.ts'
import type { Client } from '../../world/client.ts'
import {
  expectAnswer,
  pageLabel,
  answers,
  waitForText,
  ask,
  waitForIdle,
  button,
  composer,
  expect,
  questions,
  createSentences,
  slowScript,
} from '../screen/chat-screen.ts'
import { saveFile } from '../screen/downloads.ts'
import { composeInChrome, composeInSafari } from '../screen/input-method.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const stage = useBrowserWorld()

const palette = (page: Page) => page.getByRole('dialog', { name: commandsText.palette })
const help = (page: Page) => page.getByRole('dialog', { name: commandsText.help })
const finder = (page: Page) => page.getByRole('combobox', { name: commandsText.paletteHint })
const options = (page: Page) => page.getByRole('option')
const selectedOption = (page: Page) => page.getByRole('option', { selected: true })

type ChatOptions = { look?: Look; client?: Client; sess_id?: string }

/** A chat page that hears its shortcuts; those are loaded after the page itself. */
async function openChat({ look, client, sess_id }: ChatOptions = {}): Promise<Page> {
  const page = await stage.visit(sess_id ? `/chat?sess_id=${sess_id}` : '/chat', {
    client: client ?? (await stage.world.user()),
    ...(look ? { look } : {}),
  })
  await expect(composer(page)).toBeVisible()
  await waitForIdle(page)
  return page
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(finder(page)).toBeFocused()
}

/** Finds an entry by its name and chooses it. */
async function chooseCommand(page: Page, label: string): Promise<void> {
  await openPalette(page)
  await finder(page).fill(label)
  await page.getByRole('option', { name: label, exact: true }).click()
}

async function createConversation(client: Client, question: string, answer = '好。'): Promise<string> {
  stage.world.upstream.script('scripted', { text: answer })
  const { session } = await client.call('POST /api/chat/session/new', { body: {} })
  await client.ask(question, { sess_id: session.id })
  return session.id
}

describe('the palette', () => {
  test('finds a conversation by a part of its title and by pinyin, and opens it', async () => {
    const client = await stage.world.user()
    await createConversation(client, '源头活水从哪里来')
    await createConversation(client, '周报怎么写')
    const page = await openChat({ client })
    await openPalette(page)
    await page.keyboard.type('活水')
    await expect(options(page)).toHaveText(['源头活水从哪里来'])
    await finder(page).fill('zbzmx')
    await expect(options(page)).toHaveText(['周报怎么写'])
    await page.keyboard.press('Enter')
    await expect(palette(page)).toBeHidden()
    await expect(questions(page)).toHaveText('周报怎么写')
  })

  test('moves with the arrows, round both ends, and runs with Enter or a click', async () => {
    const page = await openChat()
    await openPalette(page)
    const all = await options(page).count()
    await expect(options(page).first()).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('ArrowUp')
    await expect(options(page).nth(all - 1)).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(options(page).nth(1)).toHaveAttribute('aria-selected', 'true')
    await finder(page).fill(shellText.themes.dark)
    await page.keyboard.press('Enter')
    await expect(page.locator('html')).toHaveClass(/dark/)
    await openPalette(page)
    await finder(page).fill(pageLabel('Model', 'palette'))
    await options(page).first().click()
    await expect(page).toHaveURL(/\/models$/)
  })

  test('shows first what was used lately', async () => {
    const page = await openChat()
    await openPalette(page)
    await finder(page).fill('浅色')
    await page.keyboard.press('Enter')
    await openPalette(page)
    await expect(page.getByRole('group', { name: commandsText.recent })).toHaveText(/浅色/)
    await expect(selectedOption(page)).toHaveText(commandsText.theme(shellText.themes.light))
  })

  test('stays open when it is opened again at once', async () => {
    const page = await openChat()
    await openPalette(page)
    await page.evaluate(async () => {
      const press = () => {
        const key = { key: 'k', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true }
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key))
      }
      press()
      // The browser tells of the closing in a task of its own: all that React does about it comes before.
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
      press()
      await new Promise((done) => setTimeout(done, 200))
    })
    await expect(palette(page)).toBeVisible()
    await expect(finder(page)).toBeFocused()
  })

  test('switches the model', async () => {
    const page = await openChat()
    await openPalette(page)
    await finder(page).fill('qhmx')
    await expect(selectedOption(page)).toHaveText(commandsText.models)
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: commandsText.modelsHint }).fill('flat')
    await page.keyboard.press('Enter')
    await expect(button(page, `${chatText.modelPicker}：flat`)).toBeVisible()
  })

  test('finds a message by its words, and goes to it', async () => {
    const client = await stage.world.user()
    await createConversation(client, '周报怎么写', '先写结论，再写源头活水。')
    await createConversation(client, '别的问题')
    const page = await openChat({ client })
    await openPalette(page)
    await finder(page).fill('源头活水')
    const messages = page.getByRole('group', { name: commandsText.messageGroup })
    await expect(messages.getByRole('option')).toHaveText(/^周报怎么写：.*源头活水/)
    await messages.getByRole('option').click()
    await expect(palette(page)).toBeHidden()
    await expect(page.locator('[data-found]')).toContainText('再写源头活水')
    await expect(page).toHaveURL(/&message=/)
  })

  test('switches to a model by its name', async () => {
    const page = await openChat()
    await chooseCommand(page, commandsText.toModel('flat'))
    await expect(button(page, `${chatText.modelPicker}：flat`)).toBeVisible()
  })

  test('opens what a conversation has, and what stands beside it', async () => {
    const client = await stage.world.user()
    const page = await openChat({ client, sess_id: await createConversation(client, '一个会话') })
    await expect(answers(page)).toHaveText('好。')
    const opens = async (label: string, title: string) => {
      await chooseCommand(page, label)
      await expect(page.getByRole('dialog', { name: title })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    const { commands } = commandsText
    await opens(commands.settings, sessionSettingsText.title)
    await opens(commands.share, sharesText.title)
    await opens(commands.prompts, promptsText.title)
    await opens(commands.help, commandsText.help)
    await chooseCommand(page, commands.search)
    await expect(page.getByRole('textbox', { name: chatText.searchSessions })).toBeFocused()
    await chooseCommand(page, commands.focusComposer)
    await expect(composer(page)).toBeFocused()
    await chooseCommand(page, commands.newChat)
    await expect(page).toHaveURL(/\/chat$/)
  })

  test('exports the conversation in every format', async () => {
    const client = await stage.world.user()
    const page = await openChat({ client, sess_id: await createConversation(client, '一个会话') })
    await expect(answers(page)).toHaveText('好。')
    const { commands } = commandsText
    const files = [
      [commands.exportMarkdown, '.md'],
      [commands.exportJson, '.json'],
      [commands.exportWord, '.docx'],
      [commands.exportPicture, '.png'],
    ] as const
    for (const [label, ending] of files) {
      const { name, bytes } = await saveFile(page, () => chooseCommand(page, label))
      expect(name).toBe(`一个会话${ending}`)
      expect(bytes.length).toBeGreaterThan(50)
    }
  })

  test('goes to every page, and offers a guest none that needs an account', async () => {
    const page = await openChat()
    const links = [
      [pageLabel('Caculator', 'palette'), '/calculator'],
      [pageLabel('Charging', 'palette'), '/docs/charging'],
      [pageLabel('ApiReference', 'palette'), '/docs/api'],
      [pageLabel('Setting', 'palette'), '/profile/setting'],
      [pageLabel('ApiKey', 'palette'), '/profile/api-keys'],
      [pageLabel('Chat', 'palette'), '/chat'],
    ] as const
    for (const [label, path] of links) {
      await chooseCommand(page, label)
      await expect(page).toHaveURL(new RegExp(`${path}$`))
      await expect(page.locator('#content')).not.toBeEmpty()
    }
    const guest = await stage.visit('/chat')
    await expect(composer(guest)).toBeVisible()
    await waitForIdle(guest)
    await openPalette(guest)
    await expect(
      guest.getByRole('option', { name: pageLabel('Caculator', 'palette'), exact: true }),
    ).toHaveCount(1)
    for (const label of [
      pageLabel('Setting', 'palette'),
      pageLabel('ApiKey', 'palette'),
      commandsText.commands.share,
    ])
      await expect(guest.getByRole('option', { name: label, exact: true })).toHaveCount(0)
  })

  test('says when nothing is found, and closes on Escape and on its own shortcut', async () => {
    const page = await openChat()
    await openPalette(page)
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
  })

  test.each(['Chrome', 'Safari'])(
    'Enter that ends Chinese input chooses nothing, in the order of %s',
    async (order) => {
      const page = await openChat()
      await openPalette(page)
      if (order === 'Chrome') await composeInChrome(page, '深色')
      else await composeInSafari(page, finder(page), '深色')
      await expect(finder(page)).toHaveValue('深色')
      await expect(selectedOption(page)).toHaveText(commandsText.theme(shellText.themes.dark))
      await expect(page.locator('html')).not.toHaveClass(/dark/)
      await page.keyboard.press('Enter')
      await expect(page.locator('html')).toHaveClass(/dark/)
    },
  )
})

describe('shortcuts', () => {
  test('? shows them outside of fields and is a question mark inside', async () => {
    const page = await openChat()
    await page.keyboard.type('怎么用?')
    await expect(composer(page)).toHaveValue('怎么用?')
    await page.locator('#content').focus()
    await page.keyboard.type('?')
    await expect(help(page)).toBeVisible()
    await expect(help(page).getByText('Ctrl')).not.toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(help(page)).toBeHidden()
    await page.keyboard.press('/')
    await expect(composer(page)).toBeFocused()
    await expect(composer(page)).toHaveValue('怎么用?')
  })

  test('a menu entry opens the list too', async () => {
    const page = await openChat()
    await page.getByRole('button', { name: /的账户菜单$/ }).click()
    await page.getByRole('menuitem', { name: shellText.shortcuts }).click()
    await expect(help(page)).toBeVisible()
  })

  test('Escape stops an answer, but closes a menu first', async () => {
    const page = await openChat()
    stage.world.upstream.script('scripted', slowScript(createSentences(400)))
    await ask(page, '慢慢说')
    await waitForText(page, 20)
    await button(page, `${chatText.modelPicker}：scripted`).click()
    await expect(page.getByRole('listbox')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('listbox')).toBeHidden()
    await expect(button(page, chatText.stop)).toBeVisible()
    await composer(page).press('Escape')
    await expect(answers(page)).toContainText(chatText.stopped)
  })

  test('the last answer and its code are copied, and the answer is asked for again', async () => {
    const page = await openChat()
    const text = '先看：\n\n```ts\nconst a = 1\n```\n\n完。'
    stage.world.upstream.script('scripted', { text }, { text: '换一种说法。' })
    await ask(page, '写代码')
    await expect(answers(page)).toHaveAttribute('aria-busy', 'false')
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await page.keyboard.press('Control+Shift+Semicolon')
    await expect.poll(copied).toBe('const a = 1')
    await page.keyboard.press('Control+Shift+C')
    await expect.poll(copied).toBe(text)
    await page.keyboard.press('Control+Shift+E')
    await expectAnswer(page, '换一种说法。')
  })

  test('conversations are gone through with Alt and the arrows; a new one begins', async () => {
    const client = await stage.world.user()
    for (const question of ['最早的', '中间的', '最新的']) await createConversation(client, question)
    const page = await openChat({ client })
    await expect(page.getByRole('link', { name: '最早的' })).toBeVisible()
    await page.keyboard.press('Alt+ArrowDown')
    await expect(questions(page)).toHaveText('最新的')
    await page.keyboard.press('Alt+ArrowDown')
    await expect(questions(page)).toHaveText('中间的')
    await page.keyboard.press('Alt+ArrowUp')
    await expect(questions(page)).toHaveText('最新的')
    await composer(page).fill('写到一半')
    await page.keyboard.press('Alt+ArrowDown')
    await expect(questions(page)).toHaveText('最新的')
    await page.keyboard.press('Control+Shift+O')
    await expect(page).toHaveURL(/\/chat$/)
    await expect(questions(page)).toHaveCount(0)
  })

  test('the sidebar is put away, stays away over a reload, and comes back', async () => {
    const page = await openChat()
    const sidebar = page.getByRole('complementary', { name: shellText.sidebar })
    await expect(sidebar).toBeVisible()
    await page.keyboard.press('Control+Shift+S')
    await expect(sidebar).toBeHidden()
    await page.reload()
    await expect(button(page, shellText.showSidebar)).toBeVisible()
    await expect(sidebar).toBeHidden()
    await button(page, shellText.showSidebar).click()
    await expect(sidebar).toBeVisible()
    await button(page, shellText.hideSidebar).click()
    await expect(sidebar).toBeHidden()
  })
})

describe.each(['light', 'dark', 'phone'] as const)('nothing to stumble over: %s', (look) => {
  test('palette and list of shortcuts', async () => {
    const client = await stage.world.user()
    await createConversation(client, '一个会话')
    const page = await openChat({ look, client })
    await openPalette(page)
    await expect(page.getByRole('option', { name: '一个会话', exact: true })).toBeVisible()
    expect(await findAccessibilityViolations(page)).toEqual([])
    await finder(page).fill('没有这样的东西')
    await expect(options(page)).toHaveCount(0)
    expect(await findAccessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.locator('#content').focus()
    await page.keyboard.type('?')
    await expect(help(page)).toBeVisible()
    expect(await findAccessibilityViolations(page)).toEqual([])
  })
})
