import { expect, test } from 'vitest'
import type { ChatModel } from '#contract/models.ts'
import { calculateExample } from './priceExample.ts'

const createModel = (id: string, more: Partial<ChatModel>): ChatModel => ({
  id,
  name: id,
  desc: '',
  vendor: '',
  tags: [],
  retires: null,
  platform: 'p',
  context_window: 1,
  max_tokens: 1,
  capabilities: [],
  thinking: null,
  guest: false,
  available: true,
  local: false,
  input_price: 0,
  output_price: 0,
  ...more,
})

test('40,000 tokens in and 2,000 out cost what the prices say, in yuan, the cheapest first', () => {
  const { isReached, rows } = calculateExample([
    createModel('dear', { vendor: '甲', input_price: 1_000, output_price: 5_000 }),
    createModel('second', { vendor: '甲', input_price: 1, output_price: 1 }),
    createModel('cheap', { vendor: '乙', input_price: 200, output_price: 800 }),
    createModel('off', { vendor: '丙', available: false }),
    createModel('local', { local: true }),
  ])
  expect(isReached).toBe(true)
  expect(rows.map(({ id, input, total }) => ({ id, input, total }))).toEqual([
    { id: 'cheap', input: 2, total: 0.096 },
    { id: 'dear', input: 10, total: 0.5 },
  ])
})

test('where nothing can be asked the price map speaks, and says that it is that', () => {
  const { isReached, rows } = calculateExample([
    createModel('off', { vendor: '丙', available: false, input_price: 100, output_price: 100 }),
    createModel('local', { local: true }),
  ])
  expect(isReached).toBe(false)
  expect(rows.map(({ id }) => id)).toEqual(['off'])
})
