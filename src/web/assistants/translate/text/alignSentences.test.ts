import { expect, test } from 'vitest'
import { alignSentences } from './alignSentences.ts'

const alignTexts = (source: string, result: string) =>
  alignSentences(source, result).map((pair) => [
    source.slice(pair.source.start, pair.source.end),
    result.slice(pair.result.start, pair.result.end),
  ])

test('as many sentences on both sides are paired in their order', () => {
  expect(
    alignTexts('问渠那得清如许？为有源头活水来。', 'Why is it so clear? It has a living spring.'),
  ).toEqual([
    ['问渠那得清如许？', 'Why is it so clear?'],
    ['为有源头活水来。', 'It has a living spring.'],
  ])
})

test('abbreviations, decimals and addresses end no sentence, closing quotes belong to theirs', () => {
  expect(
    alignTexts(
      'Dr. Wang paid 3.5 yuan at wenqu.com. He said “Fine.” Then he left.',
      '王医生在 wenqu.com 付了 3.5 元。他说“好。”然后走了。',
    ),
  ).toEqual([
    ['Dr. Wang paid 3.5 yuan at wenqu.com.', '王医生在 wenqu.com 付了 3.5 元。'],
    ['He said “Fine.”', '他说“好。”'],
    ['Then he left.', '然后走了。'],
  ])
})

test('a sentence that became two is paired with both', () => {
  expect(
    alignTexts(
      '今天下雨。我们本来打算去公园散步，可是雨一直下个不停，所以只好留在家里看书。晚上晴了。',
      'It rained today. We had planned to go for a walk in the park, but the rain did not stop. So we had to stay at home and read. It cleared up at night.',
    ),
  ).toEqual([
    ['今天下雨。', 'It rained today.'],
    [
      '我们本来打算去公园散步，可是雨一直下个不停，所以只好留在家里看书。',
      'We had planned to go for a walk in the park, but the rain did not stop. So we had to stay at home and read.',
    ],
    ['晚上晴了。', 'It cleared up at night.'],
  ])
})

test('lines are paired for themselves, blank ones count for nothing', () => {
  expect(alignTexts('标题\n\n第一段。第二句。', 'Title\nFirst paragraph. Second sentence.')).toEqual([
    ['标题', 'Title'],
    ['第一段。', 'First paragraph.'],
    ['第二句。', 'Second sentence.'],
  ])
})

test('where lines were joined the sentences are paired over them', () => {
  expect(alignTexts('一。\n二。', 'One. Two.')).toEqual([
    ['一。', 'One.'],
    ['二。', 'Two.'],
  ])
})

test('nothing is paired with nothing', () => {
  expect(alignSentences('', '')).toEqual([])
  expect(alignSentences('一。', '')).toEqual([])
})

test('a text of 10,000 words in one line is paired in a moment', () => {
  const source = '半亩方塘一鉴开，天光云影共徘徊。'.repeat(600)
  const result = 'A small square pond opens like a mirror. '.repeat(599)
  expect(alignSentences(source, result).length).toBeGreaterThan(0)
})
