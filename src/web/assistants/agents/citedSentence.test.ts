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
