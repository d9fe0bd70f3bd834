import { Download, History, Share2 } from 'lucide-react'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { uiText } from '#web/text/ui.ts'
import { HeaderActions, type HeaderAction } from './HeaderActions.tsx'

const selectedLabels: string[] = []
const toAction = (label: string) => ({
  label,
  icon: label === '分享' ? Share2 : History,
  onSelect: () => selectedLabels.push(label),
})
const formats = {
  label: '导出',
  icon: Download,
  items: [{ label: 'Markdown', onSelect: () => selectedLabels.push('Markdown') }],
}
const actions: HeaderAction[] = [toAction('历史'), formats, toAction('分享')]

const names = (role: 'button' | 'menuitem') =>
  page
    .getByRole(role)
    .elements()
    .map((element) => element.ariaLabel ?? element.textContent)

afterEach(async () => {
  selectedLabels.length = 0
  await page.viewport(1280, 820)
})

test('where there is room each action is a button, and several things to do are a menu of their own', async () => {
  await render(<HeaderActions actions={actions} />)
  expect(names('button')).toEqual(['历史', '导出', '分享'])
  await page.getByRole('button', { name: '分享' }).click()
  await page.getByRole('button', { name: '导出' }).click()
  expect(names('menuitem')).toEqual(['Markdown'])
  await userEvent.keyboard('{Enter}')
  expect(selectedLabels).toEqual(['分享', 'Markdown'])
})

test('on a phone all of them are one menu, for the keyboard too, and a single one is a button', async () => {
  await page.viewport(320, 568)
  const { rerender } = await render(<HeaderActions actions={actions} />)
  expect(names('button')).toEqual([uiText.moreActions])
  const menu = page.getByRole('button', { name: uiText.moreActions })
  await userEvent.tab()
  await userEvent.keyboard('{ArrowDown}')
  expect(names('menuitem')).toEqual(['历史', 'Markdown', '分享'])
  await expect.element(page.getByRole('presentation')).toHaveTextContent('导出')
  await userEvent.keyboard('{End}{Enter}')
  expect(selectedLabels).toEqual(['分享'])
  await expect.element(menu).toHaveFocus()
  await rerender(<HeaderActions actions={actions.slice(0, 1)} />)
  expect(names('button')).toEqual(['历史'])
})
