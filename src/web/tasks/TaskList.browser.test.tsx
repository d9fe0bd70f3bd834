import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { taskMessages } from '#contract/uploads.ts'
import { tasksText } from '#web/text/translate/tasks.ts'
import { uiText } from '#web/text/ui.ts'
import { TaskList } from './TaskList.tsx'

afterEach(() => void vi.unstubAllGlobals())

test('a list that cannot be read says so and is asked for again; who has no tasks is shown the way to one', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({}, { status: 500 })))
  await render(<TaskList />)
  await expect.element(page.getByText(taskMessages.list_failed)).toBeVisible()
  const none = { items: [], total: 0, cur_page: 1, page_size: 15, next_url: null, prev_url: null }
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(none)))
  await page.getByRole('button', { name: uiText.retry }).click()
  await expect.element(page.getByText(tasksText.empty)).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: tasksText.emptyAction }))
    .toHaveAttribute('href', '/fanyi?mode=file')
})
