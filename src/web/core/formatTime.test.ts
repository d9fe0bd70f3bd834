import { expect, test } from 'vitest'
import { formatTime } from './formatTime.ts'

test('times are read as minutes and seconds, and as hours from an hour on', () => {
  expect([0, 65_400, 3_725_000].map(formatTime)).toEqual(['0:00', '1:05', '1:02:05'])
})
