import { expect, test } from 'vitest'
import { updateMarks, type SessionMarks } from './sessionMarks.ts'

const idle = (id: string) => ({ id, running_turn: null })
const createRunning = (id: string) => ({ id, running_turn: 'turn' })

test('an answer that ended is unread, but not where it is looked at', () => {
  const marks = updateMarks({}, [createRunning('a'), createRunning('b'), idle('c')], 'b')
  expect(marks).toEqual({ a: 'running', b: 'running' })
  expect(updateMarks(marks, [idle('a'), idle('b'), idle('c')], 'b')).toEqual({ a: 'unread' })
})

test('what is unread stays so until it is looked at, also while it is not in the part that was read', () => {
  const unreadMarks: SessionMarks = { a: 'unread' }
  expect(updateMarks(unreadMarks, [idle('b')], 'b')).toBe(unreadMarks)
  expect(updateMarks(unreadMarks, [idle('a')], null)).toBe(unreadMarks)
  expect(updateMarks(unreadMarks, [idle('a')], 'a')).toEqual({})
  expect(updateMarks(unreadMarks, [createRunning('a')], null)).toEqual({ a: 'running' })
})

test('only the newest are kept', () => {
  const many = Array.from({ length: 60 }, (_, n) => createRunning(`s${n}`))
  const marks = updateMarks({}, many, null)
  expect(Object.keys(marks)).toHaveLength(50)
  expect(marks).toHaveProperty('s59')
})
