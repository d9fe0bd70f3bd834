import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampleAnswers } from '#web/markdown/sampleAnswers.ts'
import { splitSentences } from './sentences.ts'

const whole = (markdown: string) => splitSentences(markdown, true)

test('Chinese and Latin sentences are parted, numbers and abbreviations are not', () => {
  expect(whole('问渠那得清如许？为有源头活水来。他说：“好！”然后走了')).toEqual([
    '问渠那得清如许？',
    '为有源头活水来。',
    '他说：“好！”',
    '然后走了',
  ])
  expect(whole('Pi is 3.14. Dr. Lin agrees, e.g. today. Done')).toEqual([
    'Pi is 3.14.',
    'Dr. Lin agrees, e.g. today.',
    'Done',
  ])
})

test('signs of markdown are not read', () => {
  const text =
    '## 标题\n\n> **重点**：见[官网](https://a.example/b)与 `npm start`。\n\n- [x] 已做\n2. _第二_\n\n---'
  expect(whole(text)).toEqual(['标题', '重点：见官网与 npm start。', '已做', '第二'])
})

test('code, formulas, pictures and addresses are left out', () => {
  expect(whole('先看。\n```ts\nconst a = 1。\n```\n再看 $a^2$ 这里。\n$$\nx。y\n$$\n![图](a.png)完')).toEqual(
    ['先看。', '再看  这里。', '完'],
  )
  expect(whole('~~~\n不读\n~~~\n读\n```\n一直到最后')).toEqual(['读'])
  expect(whole('> ```\n> 不读\n> ```\n\n- ```js\n  不读\n  ```\n读')).toEqual(['读'])
  expect(whole('见 https://example.com/a。')).toEqual(['见 。'])
})

test('a table is read row by row', () => {
  expect(whole('| 名称 | 数量 |\n| --- | ---: |\n| 渠 | 1 |')).toEqual(['名称 ， 数量', '渠 ， 1'])
})

test('a long sentence is parted, and nothing of it is lost', () => {
  const long = '很长的一段话，'.repeat(60)
  const parts = whole(long)
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(320)
  expect(parts.join('')).toBe(long)
})

test('while a text grows its sentences are a beginning of those of the whole', () => {
  const texts = fc.constantFrom(
    ...Object.values(sampleAnswers),
    '见[官。网](u)。**粗。体**！好 3. 14. 完`a。b`。$c。d$ 了。',
  )
  fc.assert(
    fc.property(texts, fc.nat(3_000), (text, cut) => {
      const sofar = splitSentences(text.slice(0, cut), false)
      expect(whole(text).slice(0, sofar.length)).toEqual(sofar)
    }),
    { numRuns: 2_000 },
  )
})

test('a sentence is read as soon as it is over', () => {
  expect(splitSentences('一句。又', false)).toEqual(['一句。'])
  expect(splitSentences('一句。', false)).toEqual([])
  expect(splitSentences('一句\n', false)).toEqual(['一句'])
})
