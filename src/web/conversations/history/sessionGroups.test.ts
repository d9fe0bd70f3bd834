import { expect, test } from 'vitest'
import { groupByAge } from './sessionGroups.ts'

const session = (id: string, at: Date) => ({
  id,
  chatbot: 'dati',
  title: id,
  pinned: false,
  archived: false,
  model: null,
  current: false,
  updated_at: at.toISOString(),
})
const now = new Date(2025, 2, 10, 9, 30)
const day = (days: number, hour: number) => new Date(2025, 2, 10 - days, hour)

test('sessions are grouped by the reader’s own days', () => {
  const sessions = [
    session('now', now),
    session('early', day(0, 0)),
    session('late', day(1, 23)),
    session('seven', day(7, 0)),
    session('eight', day(8, 23)),
  ]
  expect(
    groupByAge(sessions, now).map(({ group, sessions }) => [group, sessions.map(({ id }) => id)]),
  ).toEqual([
    ['today', ['now', 'early']],
    ['yesterday', ['late']],
    ['week', ['seven']],
    ['earlier', ['eight']],
  ])
})

test('a session that slid onto the next page is listed once', () => {
  const twice = [session('a', now), session('b', now), session('a', now)]
  expect(groupByAge(twice, now)[0]?.sessions.map(({ id }) => id)).toEqual(['a', 'b'])
})

test('pinned sessions come first, whatever their age', () => {
  const sessions = [{ ...session('old', day(30, 0)), pinned: true }, session('new', now)]
  expect(groupByAge(sessions, now).map(({ group }) => group)).toEqual(['pinned', 'today'])
})

test('no sessions, no groups', () => {
  expect(groupByAge([], now)).toEqual([])
})
