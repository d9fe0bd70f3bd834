import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { blocksText } from '#web/text/blocks.ts'
import QuestionBlocks from './QuestionBlocks.tsx'

afterEach(() => void vi.unstubAllGlobals())

test('the document over a question is a link to it, or says why it is not shown: it is gone, or cannot be read just now', async () => {
  const answers: Record<string, [status: number, body: object]> = {
    short: [200, { data: { id: 'short', name: '短.md', type: 'text/markdown', size: 12, status: 2 } }],
    gone: [404, { message: '没有', code: 'not_found' }],
    away: [500, {}],
  }
  vi.stubGlobal('fetch', (url: string) => {
    const answer = answers[url.split('/').at(-1)!]
    return answer ? Promise.resolve(Response.json(answer[1], { status: answer[0] })) : new Promise(() => {})
  })
  await render(<QuestionBlocks ids={[...Object.keys(answers), 'late']} />)
  const items = page.getByRole('list', { name: blocksText.title }).getByRole('listitem')
  await expect.element(items.nth(0).getByRole('link')).toHaveAttribute('href', '/block/short')
  await expect.element(items.nth(0)).toMatchTextContent(/短\.md/)
  await expect.element(items.nth(1)).toMatchTextContent(blocksText.gone)
  await expect.element(items.nth(2)).toMatchTextContent(blocksText.detailFailed)
  // A link needs a name before that of its document has come.
  await expect.element(items.nth(3).getByRole('link')).toHaveAccessibleName(blocksText.title)
})
