import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TextBuffer } from '#server/core/text-buffer.ts'

const step = fc.oneof(
  { weight: 20, arbitrary: fc.record({ append: fc.string({ maxLength: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ replace: fc.string({ maxLength: 30 }) }) },
  { weight: 2, arbitrary: fc.record({ keep: fc.nat({ max: 400 }) }) },
  { weight: 1, arbitrary: fc.constant('read' as const) },
)

test('a text in pieces is read from any position as the whole text would be', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300, size: 'max' }), fc.nat(), (steps, seed) => {
      const buffer = new TextBuffer()
      let whole = ''
      for (const one of steps) {
        const start = buffer.start
        if (one === 'read') expect(buffer.text).toBe(whole.slice(start))
        else if ('append' in one) {
          buffer.append(one.append)
          whole += one.append
        } else if ('replace' in one) {
          buffer.replace(one.replace)
          whole = one.replace
          expect(buffer.start).toBe(0)
        } else {
          buffer.keepLast(one.keep)
          expect(buffer.start === start || whole.length - buffer.start >= one.keep).toBe(true)
          expect(buffer.start).toBeGreaterThanOrEqual(start)
        }
        const position = buffer.start + (seed % (whole.length - buffer.start + 2))
        expect(buffer.since(position)).toBe(whole.slice(position))
        expect(buffer.length).toBe(whole.length)
      }
      expect(buffer.text).toBe(whole.slice(buffer.start))
    }),
    { numRuns: 100 },
  )
})

test('of a text that grows by small pieces no more is kept than asked for, but for some of them', () => {
  const buffer = new TextBuffer()
  for (let nth = 0; nth < 100_000; nth++) {
    buffer.append('源头活水')
    buffer.keepLast(1_000)
  }
  expect(buffer.length).toBe(400_000)
  expect(buffer.length - buffer.start).toBeLessThan(1_300)
})
