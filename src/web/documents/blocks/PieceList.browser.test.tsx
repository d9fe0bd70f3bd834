import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Block, BlockPiece } from '#contract/blocks.ts'
import '#web/styles/app.css'
import { blocksText } from '#web/text/blocks.ts'
import { PieceList } from './PieceList.tsx'

afterEach(() => void vi.unstubAllGlobals())

/** Shows a document of these pieces. */
async function showPieces(id: string, items: BlockPiece[], format: string | null = null) {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ data: { items, has_more: false } })))
  const block = { id, chars: 1, report: null, format } as Partial<Block> as Block
  await render(
    <div style={{ height: 400 }}>
      <PieceList block={block} target={null} />
    </div>,
  )
  return page.getByRole('region', { name: blocksText.contents })
}

test('slides stand one below the other, each under its number', async () => {
  const contents = await showPieces('slides', [
    { n: 1, text: '# 渠\n\n源头\n\n活水', place: { slide: 1 } },
    { n: 2, text: '# 塘', place: { slide: 2 } },
  ])
  const slides = contents.getByRole('article')
  await expect.element(slides.first()).toMatchTextContent(/第 1 张.*渠.*源头.*活水/s)
  await expect.element(slides.last()).toMatchTextContent(/第 2 张.*塘/s)
  expect(slides.elements()).toHaveLength(2)
})

test('sheets are chosen by their names', async () => {
  const toTable = (lines: string[]) =>
    ['| 名称 |', '| --- |', ...lines.map((line) => `| ${line} |`)].join('\n')
  const rows = Array.from({ length: 80 }, (_, n) => `第${n + 1}行`)
  const contents = await showPieces('sheets', [
    { n: 1, text: toTable(rows), place: { sheet: '明细', range: 'A1:A80' } },
    { n: 2, text: toTable(['合计', '总额']), place: { sheet: '汇总', range: 'A1:A2' } },
  ])
  await expect.element(contents.getByRole('cell', { name: '第2行', exact: true })).toBeInViewport()
  const isTotalShown = () => {
    const total = contents.getByRole('cell', { name: '总额' }).elements()[0]
    return total !== undefined && total.getBoundingClientRect().top < 400
  }
  expect(isTotalShown()).toBe(false)
  await page.getByRole('button', { name: '汇总' }).click()
  await expect.poll(isTotalShown).toBe(true)
})

test('a plain text is shown as it is, any other as Markdown', async () => {
  const pieces = [{ n: 1, text: '# 其一\n半亩方塘', place: { line: 1 } }]
  const plain = await showPieces('plain', pieces, 'txt')
  await expect.element(plain).toMatchTextContent('# 其一')
  const markdown = await showPieces('markdown', pieces, 'md')
  await expect.element(markdown.last().getByRole('heading', { name: '其一' })).toBeVisible()
})
