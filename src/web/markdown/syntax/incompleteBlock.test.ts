import { expect, test } from 'vitest'
import { sampleAnswers } from '../sampleAnswers.ts'
import { updateBlocks } from './blocks.ts'
import { lexMarkdown } from './boundedLexer.ts'
import { markdownParser } from './parser.ts'
import { completeBlock, trimPartialFence, hasOpenFence } from './incompleteBlock.ts'

const mended = (text: string): string => {
  const last = updateBlocks(undefined, text).blocks.at(-1)
  return last ? completeBlock(last) : ''
}
const render = (text: string) => markdownParser.parser(lexMarkdown(text))
const html = (text: string) => render(mended(text)).trim()

test.each([
  ['这是 **重', '<p>这是 <strong>重</strong></p>'],
  ['这是 **', '<p>这是 </p>'],
  ['这是 *斜', '<p>这是 <em>斜</em></p>'],
  ['这是 **粗**', '<p>这是 <strong>粗</strong></p>'],
  ['这是 ~~删', '<p>这是 <del>删</del></p>'],
  ['这是 `代', '<p>这是 <code>代</code></p>'],
  ['这是 `a*b` 和', '<p>这是 <code>a*b</code> 和</p>'],
  ['参见 [文', '<p>参见 文</p>'],
  ['参见 [文档](https://a', '<p>参见 文档</p>'],
  ['参见 [文档](https://a.example)', '<p>参见 <a href="https://a.example">文档</a></p>'],
  ['图 ![说明](https://a', '<p>图 </p>'],
  ['公式 $\\frac{1', '<p>公式 </p>'],
  ['公式 \\(x', '<p>公式 </p>'],
  ['价格 $5', '<p>价格 $5</p>'],
  ['标题\n-', '<p>标题</p>'],
  ['标题\n--', '<p>标题</p>'],
  ['##', ''],
  ['2 * 3 = 6', '<p>2 * 3 = 6</p>'],
  ['snake_case_na', '<p>snake_case_na</p>'],
])('what is unfinished in %j is shown as %j', (text, shownHtml) => {
  expect(html(text)).toBe(shownHtml)
})

test.each(['$$\nx^2', '$$', '\\[\nx', '段落\n$$\nx', '$$\n\\begin{aligned}\na'])(
  'an open formula is not shown as its source: %j',
  (text) => {
    expect(html(text)).not.toMatch(/[$\\^]/)
  },
)

test('the head of a table is a table before its rule has come', () => {
  for (const text of ['| 甲 | 乙 |', '| 甲 | 乙 |\n', '| 甲 | 乙 |\n|-', '| 甲 | 乙 |\n|--|'])
    expect(html(text)).toContain('<th>乙</th>')
})

test('an open list item is not an empty bullet', () => {
  expect(html('- 甲\n-')).not.toMatch(/<li>\s*<\/li>/)
  expect(html('1. 甲\n2')).not.toContain('甲\n2')
})

test('a code block waits for its fence and hides the pieces of it', () => {
  expect(hasOpenFence('```js\nlet a')).toBe(true)
  expect(hasOpenFence('```js\nlet a\n```')).toBe(false)
  expect(hasOpenFence('    indented')).toBe(false)
  expect(trimPartialFence('let a\n``')).toBe('let a')
  expect(trimPartialFence('let a = `b`')).toBe('let a = `b`')
})

test('a finished answer is never changed by mending, but for its open end', () => {
  for (const text of Object.values(sampleAnswers)) {
    for (const block of updateBlocks(undefined, text).blocks.slice(0, -1)) {
      if (block.type === 'paragraph' || block.type === 'list') {
        expect(render(completeBlock(block))).toBe(render(block.raw))
      }
    }
  }
})
