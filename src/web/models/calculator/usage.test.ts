import { expect, test } from 'vitest'
import { MOST_MODELS, readUsage, writeUsage } from './usage.ts'

test('a comparison survives the way through the address', () => {
  const usage = { models: ['a', 'b'], input: '1.5k', output: '', calls: '3万' }
  expect(readUsage(new URLSearchParams(writeUsage(usage).toString()))).toEqual(usage)
  const nothing = { ...usage, models: [] }
  expect(readUsage(writeUsage(nothing))).toEqual(nothing)
})

test('the plain page has a plain address, and leaves the choice of models open', () => {
  const plain = readUsage(new URLSearchParams())
  expect(plain.models).toBeNull()
  expect(writeUsage(plain).size).toBe(0)
})

test('an address with too many models is cut', () => {
  const many = Array.from({ length: 30 }, (_, nth) => `m${nth}`).join(',')
  expect(readUsage(new URLSearchParams({ models: many })).models).toHaveLength(MOST_MODELS)
})
