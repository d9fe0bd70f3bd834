import { expect, test } from 'vitest'
import { describePlace } from './places.ts'

test.each([
  [{ page: 3 }, '第 3 页'],
  [{ sheet: '收入', range: 'A1:D20' }, '收入 · A1:D20'],
  [{ sheet: '收入', range: 'B2:B2' }, '收入 · B2'],
  [{ start_ms: 1000, end_ms: 62_000 }, '0:01–1:02'],
  [{ entry: '附件/说明.txt', line: 1 }, '附件/说明.txt'],
  [{ heading: ['引言'], line: 4 }, ''],
])('%j is described', (place, words) => {
  expect(describePlace(place)).toBe(words)
})
