import { expect, test } from 'vitest'
import { filterPrompts } from './filterPrompts.ts'

const prompt = (title: string, text: string) => ({
  id: title,
  title,
  desc: '',
  text,
  category: null,
  own: true,
})

test('prompts are found by title first, then by their words, without regard to case', () => {
  const prompts = [prompt('周报', '列出 SQL 的进展'), prompt('写 SQL', '查询'), prompt('诗', '春天')]
  const titles = (q: string) => filterPrompts(prompts, q).map(({ title }) => title)
  expect(titles('')).toEqual(['周报', '写 SQL', '诗'])
  expect(titles('sql')).toEqual(['写 SQL', '周报'])
  expect(titles('冬')).toEqual([])
})
