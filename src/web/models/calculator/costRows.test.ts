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
  createModelCard({ id: 'b', offers: [createOffer({ platform: 'x' }), createOffer({ platform: 'y' })] }),
  createModelCard({ id: 'c', offers: [createOffer({ platform: 'z', configured: false })] }),
]
const answers = [
  { model: 'a', name: '甲', costs: [cost('x', 8), cost('y', 2)] },
  { model: 'b', name: '乙', costs: [cost('x', 4), cost('y', 2)] },
  { model: 'c', name: '丙', costs: [cost('z', 6)] },
]

test('offers that can be called stand in one order, the cheapest marked, and those of a model that has no other', () => {
  const rows = buildCostRows(answers, cards, 0)
  expect(rows.map(({ key, cheapest, configured }) => [key, cheapest, configured])).toEqual([
    ['b y', true, true],
    ['b x', false, true],
    ['c z', false, false],
    ['a x', false, true],
  ])
  expect(rows.map(({ month }) => month)).toEqual([null, null, null, null])
})

test('a month has thirty days', () => {
  expect(buildCostRows(answers, cards, 10).map(({ month }) => month)).toEqual([600, 1200, 1800, 2400])
})

test('nothing is marked where everything costs the same', () => {
  const same = [{ model: 'b', name: '乙', costs: [cost('x', 4), cost('y', 4)] }]
  expect(buildCostRows(same, cards, 0).some(({ cheapest }) => cheapest)).toBe(false)
  expect(buildCostRows([], cards, 0)).toEqual([])
})
