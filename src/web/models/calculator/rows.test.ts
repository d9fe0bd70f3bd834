import { expect, test } from 'vitest'
import { card, offer } from '../testCard.ts'
import { costRows } from './rows.ts'

const cost = (platform: string, total: number) => ({
  platform,
  alias: platform,
  input: total / 4,
  output: (total / 4) * 3,
  total,
  yuan: total / 100,
})
const cards = [
  card({ id: 'a', offers: [offer({ platform: 'x' }), offer({ platform: 'y', configured: false })] }),
  card({ id: 'b', offers: [offer({ platform: 'x' })] }),
]
const answers = [
  { model: 'a', name: '甲', costs: [cost('x', 8), cost('y', 2)] },
  { model: 'b', name: '乙', costs: [cost('x', 4)] },
]

test('offers of all models stand in one order, the cheapest marked', () => {
  const rows = costRows(answers, cards, 0)
  expect(rows.map(({ key, cheapest, configured }) => [key, cheapest, configured])).toEqual([
    ['a y', true, false],
    ['b x', false, true],
    ['a x', false, true],
  ])
  expect(rows.map(({ month }) => month)).toEqual([null, null, null])
})

test('a month has thirty days', () => {
  expect(costRows(answers, cards, 10).map(({ month }) => month)).toEqual([600, 1200, 2400])
})

test('nothing is marked where everything costs the same', () => {
  const same = [{ model: 'b', name: '乙', costs: [cost('x', 4), cost('y', 4)] }]
  expect(costRows(same, cards, 0).some(({ cheapest }) => cheapest)).toBe(false)
  expect(costRows([], cards, 0)).toEqual([])
})
