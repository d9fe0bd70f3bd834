import { expect, test } from 'vitest'
import { listVariants } from './jsonSchema.ts'
import type { Schema } from './jsonSchema.ts'

const text: Schema = { type: 'string' }
const listNames = (schema: Schema) =>
  listVariants(schema, { Shared: { title: '乙', properties: { b: text } } }).map(({ title, fields }) => [
    title,
    ...fields.map(({ name }) => name),
  ])

test('a body whose alternatives have titles has a list of fields for each', () => {
  const oneOf = [{ title: '甲', properties: { a: text, c: text } }, { $ref: '#/components/schemas/Shared' }]
  expect(listNames({ oneOf: oneOf.slice(0, 1) })).toEqual([['', 'a', 'c']])
  expect(listNames({ oneOf: [oneOf[0]!, { title: '乙', properties: { b: text } }] })).toEqual([
    ['甲', 'a', 'c'],
    ['乙', 'b'],
  ])
  expect(listNames({ oneOf })).toEqual([
    ['甲', 'a', 'c'],
    ['乙', 'b'],
  ])
})

test('any other body has one, without a title', () => {
  expect(listNames({ properties: { a: text } })).toEqual([['', 'a']])
  expect(listNames({ oneOf: [{ title: '甲', properties: { a: text } }, { type: 'null' }] })).toEqual([
    ['', 'a'],
  ])
})
