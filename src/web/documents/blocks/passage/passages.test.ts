import { expect, test } from 'vitest'
import { cutPassage, parsePassageSpan } from '#contract/documents/passages.ts'

const pieces = ['一二三四五', '六七', '八九十'].map((text, at) => ({ n: at + 1, text }))
const cut = (search: string) => {
  const target = parsePassageSpan(new URLSearchParams(search))
  return target && cutPassage(pieces, target).map(({ n, text }) => `${n} ${text}`)
}

test.each([
  ['piece=2', ['2 六七']],
  ['piece=1&from=3', ['1 四五']],
  ['piece=1&from=1&chars=2', ['1 二三']],
  // The blank line between two pieces counts as two characters.
  ['piece=1&from=3&chars=9', ['1 四五', '2 六七', '3 八']],
  ['piece=1&from=8&chars=1', ['2 七']],
  ['piece=3&from=1&chars=900', ['3 九十']],
  ['piece=9', []],
  ['piece=1&from=99', []],
  ['piece=1&from=-5&chars=-5', ['1 一二三四五']],
  ['piece=x', null],
  ['', null],
])('%s is %j', (search, parts) => {
  expect(cut(search)).toEqual(parts)
})
