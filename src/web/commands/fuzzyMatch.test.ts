import { expect, test } from 'vitest'
import { fuzzySearch } from './fuzzyMatch.ts'
import { toPinyinInitials } from './pinyin.ts'

const titles = [
  '新对话',
  '模型广场',
  '把周报改得简洁一些',
  'Why is clear water a metaphor?',
  '切换模型',
  '用 Python 读取 CSV',
]
const found = (query: string) => fuzzySearch(query, titles, (title) => title)

test('nothing typed finds everything, in its order', () => {
  expect(found('  ')).toEqual(titles)
})

test('a part of the text finds it, the earlier the better', () => {
  expect(found('模型')).toEqual(['模型广场', '切换模型'])
  expect(found('WATER')).toEqual(['Why is clear water a metaphor?'])
})

test('the first letters of the pinyin find it', () => {
  expect(toPinyinInitials('切换模型')).toBe('qhmx')
  expect(found('xdh')).toEqual(['新对话'])
  expect(found('mx')[0]).toBe('模型广场')
  expect(found('zbgd')).toEqual(['把周报改得简洁一些'])
})

test('letters with gaps find it, behind what fits better', () => {
  expect(found('pyth csv')).toEqual(['用 Python 读取 CSV'])
  expect(found('wmq')).toEqual([])
})
