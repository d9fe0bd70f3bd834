import { expect, test } from 'vitest'
import { toggleSelection, type Selection } from './selection.ts'

const order = ['a', 'b', 'c', 'd', 'e']
const click = (selection: Selection, id: string, withShift = false) =>
  toggleSelection(selection, id, order, withShift)
const list = ({ ids }: Selection) => [...ids].toSorted()

test('a click chooses and leaves, with Shift all from the last one', () => {
  const first = click({ ids: new Set(), anchor: '' }, 'd')
  expect(list(first)).toEqual(['d'])
  const range = click(first, 'b', true)
  expect(list(range)).toEqual(['b', 'c', 'd'])
  expect(list(click(range, 'c'))).toEqual(['b', 'd'])
  expect(list(click(click(range, 'e'), 'c', true))).toEqual(['b', 'd'].filter((id) => id === 'b'))
})

test('Shift after what is not in the list any more chooses one', () => {
  expect(list(click({ ids: new Set(), anchor: 'gone' }, 'c', true))).toEqual(['c'])
})
