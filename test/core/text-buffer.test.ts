import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TextBuffer } from '#server/core/text-buffer.ts'

const step = fc.oneof(
  { weight: 20, arbitrary: fc.record({ append: fc.string({ maxLength: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ replace: fc.string({ maxLength: 30 }) }) },
  { weight: 1, arbitrary: fc.constant('read' as const) },
)

test('a text in pieces is read from any position as the whole text would be', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300, size: 'max' }), fc.nat(), (steps, seed) => {
      const buffer = new TextBuffer()
      let whole = ''
      for (const one of steps) {
        if (one === 'read') expect(buffer.text).toBe(whole)
        else if ('append' in one) buffer.append(one.append)
        else buffer.replace(one.replace)
        if (one !== 'read') whole = 'append' in one ? whole + one.append : one.replace
        const position = seed % (whole.length + 2)
        expect(buffer.since(position)).toBe(whole.slice(position))
        expect(buffer.length).toBe(whole.length)
      }
      expect(buffer.text).toBe(whole)
    }),
    { numRuns: 100 },
  )
})
