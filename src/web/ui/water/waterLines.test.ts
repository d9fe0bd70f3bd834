import { expect, test } from 'vitest'
import { drawWaterLines } from './waterLines.ts'

const channel = { width: 1440, height: 760, lines: 30 }

/** Returns the starts (left) and ends (right) of the lines, from the uppermost to the lowest. */
const getEnds = () =>
  drawWaterLines(channel).map(({ d }) => {
    const numbers = d.match(/-?[\d.]+/g)?.map(Number) ?? []
    return { left: numbers[1] ?? 0, right: numbers.at(-1) ?? 0 }
  })

test('the water is gathered at its source and wide where it arrives', () => {
  const ends = getEnds()
  const measure = (side: 'left' | 'right') => {
    const depths = ends.map((end) => end[side])
    return Math.max(...depths) - Math.min(...depths)
  }
  expect(measure('right')).toBeLessThan(60)
  expect(measure('left')).toBeGreaterThan(5 * measure('right'))
})

test('it comes from above, and no line ends in the picture', () => {
  for (const { left, right } of getEnds()) expect(left).toBeGreaterThan(right)
  for (const { d } of drawWaterLines(channel)) {
    const numbers = d.match(/-?[\d.]+/g)?.map(Number) ?? []
    expect(numbers[0]).toBeLessThan(0)
    expect(numbers.at(-2)).toBeGreaterThan(channel.width)
  }
})

test('the same channel is the same drawing', () => {
  expect(drawWaterLines(channel)).toEqual(drawWaterLines(channel))
})
