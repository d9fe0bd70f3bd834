import { expect, test } from 'vitest'
import { splitIntoParts } from './parts.ts'

const sizes = (types: string[]) =>
  splitIntoParts(types.map((type) => ({ type }))).map(({ start, end }) => end - start)

test('an answer is one part until it has a dozen blocks', () => {
  expect(sizes([])).toEqual([])
  expect(sizes(Array<string>(12).fill('paragraph'))).toEqual([12])
  expect(sizes(Array<string>(13).fill('paragraph'))).toEqual([12, 1])
})

test('a part begins at a paragraph or a heading only', () => {
  expect(sizes([...Array<string>(12).fill('paragraph'), 'list', 'code', 'heading', 'list'])).toEqual([14, 2])
  expect(sizes(Array<string>(40).fill('list'))).toEqual([40])
})

test('a part knows that a heading follows', () => {
  const types = [
    ...Array<string>(12).fill('paragraph'),
    'heading',
    ...Array<string>(11).fill('list'),
    'paragraph',
  ]
  expect(splitIntoParts(types.map((type) => ({ type })))).toEqual([
    { start: 0, end: 12, isBeforeHeading: true },
    { start: 12, end: 24, isBeforeHeading: false },
    { start: 24, end: 25, isBeforeHeading: false },
  ])
})
