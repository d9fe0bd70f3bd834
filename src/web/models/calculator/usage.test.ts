import { expect, test } from 'vitest'
import { MAX_MODELS, parseUsage, serializeUsage } from './usage.ts'

test('a comparison survives the way through the address', () => {
  const usage = { models: ['a', 'b'], input: '1.5k', output: '', calls: '3万' }
  expect(parseUsage(new URLSearchParams(serializeUsage(usage).toString()))).toEqual(usage)
  const nothing = { ...usage, models: [] }
  expect(parseUsage(serializeUsage(nothing))).toEqual(nothing)
})

test('the plain page has a plain address, and leaves the choice of models open', () => {
  const plain = parseUsage(new URLSearchParams())
  expect(plain.models).toBeNull()
  expect(serializeUsage(plain).size).toBe(0)
})

test('an address with too many models is cut', () => {
  const many = Array.from({ length: 30 }, (_, nth) => `m${nth}`).join(',')
  expect(parseUsage(new URLSearchParams({ models: many })).models).toHaveLength(MAX_MODELS)
})
