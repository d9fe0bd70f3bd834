import { expect, test } from 'vitest'
import { formatBytes } from './formatBytes.ts'

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KB'],
  [1536, '2 KB'],
  [1_572_864, '1.5 MB'],
  [125_829_120, '120 MB'],
  [1_073_741_824, '1 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
