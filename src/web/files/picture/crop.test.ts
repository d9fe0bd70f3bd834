import { expect, test } from 'vitest'
import { centerCrop, clampCrop, getSide, toWindowStyle } from './crop.ts'

const wide = { width: 900, height: 300 }

test('begins with the whole of the shorter side, from the middle', () => {
  const crop = centerCrop(wide)
  expect([crop, getSide(wide, crop)]).toEqual([{ x: 450, y: 150, zoom: 1 }, 300])
  expect(toWindowStyle(wide, crop)).toEqual({ width: '300%', height: '100%', left: '-100%', top: '0%' })
})

test.each([
  [
    { x: 0, y: 0, zoom: 1 },
    { x: 150, y: 150, zoom: 1 },
  ],
  [
    { x: 2000, y: 150, zoom: 1 },
    { x: 750, y: 150, zoom: 1 },
  ],
  [
    { x: 0, y: 400, zoom: 2 },
    { x: 75, y: 225, zoom: 2 },
  ],
  [
    { x: 500, y: 100, zoom: 3 },
    { x: 500, y: 100, zoom: 3 },
  ],
])('%j lies within the picture as %j', (crop, expected) => {
  expect(clampCrop(wide, crop)).toEqual(expected)
})
