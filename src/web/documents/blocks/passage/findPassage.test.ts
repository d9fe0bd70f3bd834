import { expect, test } from 'vitest'
import { findPassage } from './findPassage.ts'

const find = (shownText: string, passage: string) =>
  findPassage(shownText, passage).map(([start, end]) => shownText.slice(start, end))

test('a passage is found over spaces, line breaks, marks and other forms of its letters', () => {
  expect(find('序 问 渠那得\n清如许？为有', '**问渠那得清如许**')).toEqual(['问 渠那得\n清如许'])
  expect(find('The ofﬁce of ＡＢＣ, 2026', 'the office of\nabc')).toEqual(['The ofﬁce of ＡＢＣ'])
  expect(find('第一季度收入 1,234.5 万元', '| 第一季度 | 收入 1234.5 |')).toEqual(['第一季度收入 1,234.5'])
  expect(find('café', 'cafe\u0301')).toEqual(['café'])
})

test('parts that stand in another order are found one by one', () => {
  const page = '左栏的第一段话。右栏的第一段话。左栏的第二段话。'
  expect(find(page, '左栏的第一段话。\n\n左栏的第二段话。')).toEqual(['左栏的第一段话', '左栏的第二段话'])
})

test('cells are found right behind each other, and not wherever there is a 3', () => {
  const page = '共 3 人。名称 数量 茶 12 酒 3 合计 15'
  expect(
    find(page, '| 名称 | 数量 | 备注 |\n| --- | --- | --- |\n| 茶 | 12 | 无 |\n| 酒 | 3 | 无 |'),
  ).toEqual(['名称 数量 茶 12 酒 3'])
})

test('a cell of two lines is found in two rows of the page, and no word of it far away from the others', () => {
  const page = `先说 OTSL 的好处，${'再说别的事情。'.repeat(20)} 模型 OTSL 0.965 0.934 HTML 0.969 0.927 完`
  expect(find(page, '| 0.965 0.969 | 0.934 0.927 | OTSL HTML |')).toEqual(['0.965 0.934 HTML 0.969 0.927'])
  expect(find(page, '| OTSL HTML | 0.965 0.969 | 0.934 0.927 |')).toEqual(['0.965 0.934 HTML 0.969 0.927'])
})

test('numbers of lists, tags and addresses of links, which nobody sees, do not matter', () => {
  expect(find('先取水再煮茶', '1. 先取水\n2. 再煮茶')).toEqual(['先取水再煮茶'])
  expect(find('甲 乙 丙', '甲<br>乙[丙](https://example.com/a)')).toEqual(['甲 乙 丙'])
})

test('a passage that is not there is not found by a word that it has in common', () => {
  expect(find('今天的天气很好。', '今天的天气不好。\n\n我们留在家里读书，写信，煮茶。')).toEqual([])
  expect(find('', '水')).toEqual([])
  expect(find('水', '')).toEqual([])
})

test('a large page is looked through in no time that anybody notices, whatever is looked for', () => {
  const page = '水'.repeat(200_000)
  expect(find(page, `${'水'.repeat(690)}火`)).toEqual([])
  expect(find(page, '水\n'.repeat(340))).toHaveLength(1)
})
