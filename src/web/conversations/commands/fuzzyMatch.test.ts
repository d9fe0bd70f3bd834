import { expect, test } from 'vitest'
import { fuzzySearch } from './fuzzyMatch.ts'
import { findPinyin } from './pinyin.ts'

const titles = [
  '新对话',
  '模型广场',
  '把周报改得简洁一些',
  'Why is clear water a metaphor?',
  '切换模型',
  '用 Python 读取 CSV',
]
const search = (query: string) => fuzzySearch(query, titles, (title) => title)

test('nothing typed finds everything, in its order', () => {
  expect(search('  ')).toEqual(titles)
})

test('a part of the text finds it, the earlier the better', () => {
  expect(search('模型')).toEqual(['模型广场', '切换模型'])
  expect(search('WATER')).toEqual(['Why is clear water a metaphor?'])
})

test('pinyin finds it, whole, by first letters, and mixed', () => {
  for (const typed of ['xinduihua', 'xdh', 'xindh', 'xinduih', 'xduihua', 'XinDuiHua', 'xin dui hua'])
    expect([typed, search(typed)]).toEqual([typed, ['新对话']])
  expect(search('guangchang')).toEqual(['模型广场'])
  expect(search('python duqu')).toEqual(['用 Python 读取 CSV'])
  expect(search('xdh')).toEqual(['新对话'])
  expect(search('mx')[0]).toBe('模型广场')
  expect(search('zbgd')).toEqual(['把周报改得简洁一些'])
})

test('characters with several readings are found by each', () => {
  const readings = {
    重新生成: ['chongxin', 'cxsc', 'zhongxin'],
    导出会话为长图: ['changtu', 'daochuhuihua'],
    翻译女孩: ['nvhai'],
    能说一口绿色的话: ['nengshuo', 'lvse'],
    了解: ['liaojie'],
    银行: ['yinhang', 'yh'],
  }
  for (const [text, typed] of Object.entries(readings))
    for (const letters of typed)
      expect([text, letters, findPinyin(letters, text) >= 0]).toEqual([text, letters, true])
  expect(findPinyin('xinduihuaa', '新对话')).toBe(-1)
  expect(findPinyin('duihua', '新对话')).toBe(1)
})

test('letters with gaps find it, behind what fits better', () => {
  expect(search('pyth csv')).toEqual(['用 Python 读取 CSV'])
  expect(search('wmq')).toEqual([])
})
