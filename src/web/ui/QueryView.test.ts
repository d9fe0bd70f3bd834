import { expect, test } from 'vitest'
import { QueryView } from './QueryView.tsx'

type Query = { data: string[] | undefined; error: Error | null }
const show = (query: Query) =>
  QueryView({
    query: { ...query, refetch: () => {} },
    failed: () => 'failed',
    skeleton: 'skeleton',
    isEmpty: (data) => !data.length,
    empty: 'empty',
    children: (data) => data.join('、'),
  })
const error = new Error('cut')

test('what is read is loading, failed, empty, or there', () => {
  expect(show({ data: undefined, error: null })).toBe('skeleton')
  expect(show({ data: undefined, error })).toBe('failed')
  expect(show({ data: [], error: null })).toBe('empty')
  expect(show({ data: ['一', '二'], error: null })).toBe('一、二')
})

test('what is there stays when it cannot be read again', () => {
  expect(show({ data: ['一'], error })).toBe('一')
  expect(show({ data: [], error })).toBe('empty')
})
