import { describe, test } from 'vitest'
import type { Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { historyText } from '#web/text/history/history.ts'
import { shellText } from '#web/text/shell.ts'
import { findAccessibilityViolations } from '../../world/browser.ts'
import { answers, ask, button, composer, expect } from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()

const ANSWER = [
  '## 标题\n\n一段**文字**，带[链接](https://example.com)、`代码`与公式 $a^2$。',
  '```ts\nconst a: number = 1 // 注释\n```',
  '| 名称 | 数量 |\n| --- | ---: |\n| 渠 | 1 |',
  '> 引用\n\n- [x] 已做\n- [ ] 未做',
  '![图](https://images.example/a.png)',
  '$$\n\\int_0^1 x\\,dx\n$$',
].join('\n\n')

describe.each(['light', 'dark', 'phone'] as const)('%s', (look) => {
  test('/chat, as a guest, and its menus', async () => {
    const page = await world.visit('/chat', { look })
    await expect(composer(page)).toBeVisible()
    expect(await findAccessibilityViolations(page)).toEqual([])
    await button(page, `${chatText.modelPicker}：scripted`).click()
    await expect(page.getByRole('dialog', { name: chatText.modelPicker })).toBeVisible()
    expect(await findAccessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await openSidebar(page)
    await button(page, shellText.settings).click()
    await expect(page.getByRole('menuitemradio', { name: shellText.themes.dark })).toBeVisible()
    expect(await findAccessibilityViolations(page)).toEqual([])
  })

  test('/chat with an answer, a failure, the menu of a conversation, and the question before deleting it', async () => {
    const page = await world.visit('/chat', { look, client: await world.user() })
    world.upstream.script('scripted', { text: ANSWER, chars: 40 }, { status: 500 })
    await ask(page, '都来一点')
    await expect(answers(page)).toHaveAttribute('aria-busy', 'false')
    await expect(answers(page).locator('.katex')).toHaveCount(2)
    expect(await findAccessibilityViolations(page)).toEqual([])
    await ask(page, '再来')
    await expect(page.getByRole('alert').filter({ hasText: chatText.regenerate })).toBeVisible()
    expect(await findAccessibilityViolations(page)).toEqual([])
    await openSidebar(page)
    await button(page, historyText.sessionMenu('都来一点')).click()
    await expect(page.getByRole('menuitem', { name: historyText.remove })).toBeVisible()
    expect(await findAccessibilityViolations(page)).toEqual([])
    await page.getByRole('menuitem', { name: historyText.remove }).click()
    await expect(page.getByRole('dialog', { name: historyText.removeTitle })).toBeVisible()
    expect(await findAccessibilityViolations(page)).toEqual([])
  })

  async function openSidebar(page: Page): Promise<void> {
    if (look === 'phone') await button(page, shellText.openNav).click()
  }
})
