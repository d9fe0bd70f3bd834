import { expect, test } from 'vitest'
import type { MessageSearch } from '#contract/search.ts'
import { linkCitations } from './citations.ts'

const source = (n: number) => ({ n, title: '', url: `https://a.example/${n}`, site: '', published_at: null })
const search: MessageSearch = { state: 'found', sources: [source(1), source(2)] }

test.each([
  ['清澈[1][2]。', String.raw`清澈[\[1\]](<https://a.example/1>)[\[2\]](<https://a.example/2>)。`],
  ['没有第三个[3]', '没有第三个[3]'],
  ['`list[1]` 与\n```js\nlist[1]\n```\n', '`list[1]` 与\n```js\nlist[1]\n```\n'],
  ['还在写 ```js\nlist[1]', '还在写 ```js\nlist[1]'],
  [
    '已有的[1](https://b.example)，定义\n[1]: https://c.example',
    '已有的[1](https://b.example)，定义\n[1]: https://c.example',
  ],
  ['$$x_{[1]}$$', '$$x_{[1]}$$'],
])('citations of %j become links, and nothing else does', (text, linked) => {
  expect(linkCitations(text, search)).toBe(linked)
})

test('without sources a text stays as it is', () => {
  expect(linkCitations('清澈[1]。', null)).toBe('清澈[1]。')
  expect(linkCitations('清澈[1]。', { state: 'failed', sources: [] })).toBe('清澈[1]。')
})
