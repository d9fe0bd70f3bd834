import { expect, test } from 'vitest'
import { findCitations, removeCitations } from '#contract/conversations/citations.ts'

const list = (text: string) => findCitations(text).map(({ numbers }) => numbers.join(' '))

test.each([
  ['保留三十天[1]。', ['1']],
  ['保留三十天[1, 2]，[1，2]、[3、4]。', ['1 2', '1 2', '3 4']],
  ['保留三十天【1】［2］【1，3】。', ['1', '2', '1 3']],
  ['保留三十天[1-3]，[2–3]。', ['1 2 3', '2 3']],
  ['保留三十天[1][2]，[citation:3]。', ['1', '2', '3']],
  ['Backups run daily[1]. The office closed [2].', ['1', '2']],
  ['**结论**[1]，《书》[2]，50%[3]', ['1', '2', '3']],
])('sources are cited in every spelling: %s', (text, numbers) => {
  expect(list(text)).toEqual(numbers)
})

test.each([
  '数组 arr[1] 与 x[1][2]，f(x)[1]，obj["k"][2]',
  '`a[1]` 与 [1](https://a.example)',
  '```js\na = [1]\n```',
  '$x \\in [1]$，\\[ y[2] \\]',
  '[1]: https://a.example',
  '年份[2024]，区间[1-500]、[0, 1]，[9-2]，脚注[^1]，[ ]，[x]',
  'let a = list[1]',
])('what is no citation: %s', (text) => {
  expect(list(text)).toEqual([])
})

test('a text is read without its citations', () => {
  expect(removeCitations('甲[1]，乙 [2, 3]。arr[1]')).toBe('甲，乙。arr[1]')
})
