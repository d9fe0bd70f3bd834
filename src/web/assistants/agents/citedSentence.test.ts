import { expect, test } from 'vitest'
import { findCitedSentence } from './citedSentence.ts'

const PASSAGE =
  '# 租船\n\n小船每小时租金 30 元，押金 200 元。雨天不出租！\n\n| 船 | 座位 |\n| --- | --- |\n| 大船 | 12 |'

test.each([
  ['先说水位。小船每小时 30 元', '小船每小时租金 30 元，押金 200 元。'],
  ['下雨天不租船，雨天不出租。', '雨天不出租！'],
  ['大船有 12 个座位', '| 大船 | 12 |'],
  ['The moon is far away.', null],
  ['', null],
])('of “%s” it is %s', (answer, sentence) => {
  expect(findCitedSentence(answer, PASSAGE)).toBe(sentence)
})

test('a short sentence is preferred to one that has the same words and more', () => {
  expect(findCitedSentence('水深', '水深三米，船多。水深。')).toBe('水深。')
})

test.each([
  ['菌落有 10^6 个', '菌落有 10⁶ 个'],
  ['菌落有 106 个', '菌落有 106 个'],
  ['面积 5 m2', '面积 5 m²'],
])('of “%s” with its exponent it is %s', (answer, sentence) => {
  expect(findCitedSentence(answer, '菌落有 10⁶ 个\n菌落有 106 个\n面积 5 m²')).toBe(sentence)
})

test('a sentence keeps the number of its line', () => {
  expect(findCitedSentence('塘的目的是灌溉', '1. 塘的目的是灌溉\n2.1. 完')).toBe('1. 塘的目的是灌溉')
})
