import { expect, test } from 'vitest'
import { detectPictureType } from '#contract/pictures/picture-type.ts'

const toBytes = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16))
const toBox = (brand: string): string =>
  `0000001c66747970${Array.from(brand, (char) => char.charCodeAt(0).toString(16)).join('')}`

test.each([
  ['89504e470d0a1a0a0000000d', 'image/png'],
  ['ffd8ffe000104a4649460001', 'image/jpeg'],
  ['474946383961010001008000', 'image/gif'],
  ['524946464e00000057454250', 'image/webp'],
  ['49492a00cc210000', 'image/tiff'],
  ['4d4d002a00000008', 'image/tiff'],
  ['424d3a0000000000000036', 'image/bmp'],
  [toBox('avif'), 'image/avif'],
  [toBox('heic'), 'image/heic'],
  [toBox('mif1'), 'image/heic'],
  [toBox('msf1'), 'image/heic'],
  ['0000000c6a5020200d0a870a', 'image/jp2'],
  ['ff0affb00a000000', 'image/jxl'],
  ['000001000100202000000100', 'image/x-icon'],
  // A film, a PDF, a text, nothing.
  [toBox('isom'), null],
  ['255044462d312e37', null],
  ['e68891e4bbac', null],
  ['', null],
])('%s is %s', (hex, type) => {
  expect(detectPictureType(toBytes(hex))).toBe(type)
})
