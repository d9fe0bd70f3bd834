import { expect, test } from 'vitest'
import { createModelCard, createOffer } from '../testModels.ts'
import { buildCostRows } from './costRows.ts'

const cost = (platform: string, total: number) => ({
  platform,
  alias: platform,
  input: total / 4,
  output: (total / 4) * 3,
  total,
  yuan: total / 100,
  tier: null,
})
const cards = [
  createModelCard({
    id: 'a',
    offers: [createOffer({ platform: 'x' }), createOffer({ platform: 'y', configured: false })],
  }),
  createModelCard({ id: 'b', offers: [createOffer({ platform: 'x' })] }),
]
const answers = [
  { model: 'a', name: '甲', costs: [cost('x', 8), cost('y', 2)] },
  { model: 'b', name: '乙', costs: [cost('x', 4)] },
]

test('offers of all models stand in one order, the cheapest marked', () => {
  const rows = buildCostRows(answers, cards, 0)
  expect(rows.map(({ key, cheapest, configured }) => [key, cheapest, configured])).toEqual([
    ['a y', true, false],
    ['b x', false, true],
    ['a x', false, true],
  ])
  expect(rows.map(({ month }) => month)).toEqual([null, null, null])
})

test('a month has thirty days', () => {
  expect(buildCostRows(answers, cards, 10).map(({ month }) => month)).toEqual([600, 1200, 2400])
})

test('nothing is marked where everything costs the same', () => {
  const same = [{ model: 'b', name: '乙', costs: [cost('x', 4), cost('y', 4)] }]
  expect(buildCostRows(same, cards, 0).some(({ cheapest }) => cheapest)).toBe(false)
  expect(buildCostRows([], cards, 0)).toEqual([])
})
