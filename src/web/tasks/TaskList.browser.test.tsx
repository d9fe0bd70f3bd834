import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { tasksText } from '#web/text/translate/tasks.ts'
import { TaskList } from './TaskList.tsx'

afterEach(() => void vi.unstubAllGlobals())

test('who has no tasks is shown the way to one', async () => {
  const none = { items: [], total: 0, cur_page: 1, page_size: 15, next_url: null, prev_url: null }
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(none)))
  await render(<TaskList />)
  await expect.element(page.getByText(tasksText.empty)).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: tasksText.emptyAction }))
    .toHaveAttribute('href', '/fanyi?mode=file')
})
