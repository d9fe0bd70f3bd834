import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodePng, type PixelRows } from './png.ts'

/** Decodes a PNG as the specification describes it; zlib checks the checksums. */
async function decode(file: Blob) {
  const { crc32 } = await import('node:zlib')
  const bytes = Buffer.from(await file.arrayBuffer())
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\u0089PNG\r\n\u001a\n')
  const data: Buffer[] = []
  let size = { width: 0, height: 0 }
  const types: string[] = []
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const body = bytes.subarray(at + 8, at + 8 + length)
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(crc32(bytes.subarray(at + 4, at + 8 + length)))
    if (type === 'IHDR') size = { width: body.readUInt32BE(0), height: body.readUInt32BE(4) }
    if (type === 'IDAT') data.push(body)
    types.push(type)
    at += length + 12
  }
  expect([types[0], types.at(-1)]).toEqual(['IHDR', 'IEND'])
  return { ...size, lines: inflateSync(Buffer.concat(data)) }
}

async function* yieldSlices(slices: PixelRows[]): AsyncGenerator<PixelRows> {
  yield* slices
}

test('what slices give is what a PNG has, whatever their heights', async () => {
  const width = 5
  const slice = fc
    .integer({ min: 1, max: 6 })
    .chain((height) => fc.uint8Array({ minLength: width * height * 4, maxLength: width * height * 4 }))
  await fc.assert(
    fc.asyncProperty(fc.array(slice, { minLength: 1, maxLength: 5 }), async (slices) => {
      const all = Buffer.concat(slices)
      const height = all.length / 4 / width
      const decodedPng = await decode(await encodePng(width, height, yieldSlices(slices)))
      expect([decodedPng.width, decodedPng.height]).toEqual([width, height])
      const rgb = [...all].filter((_, i) => i % 4 !== 3)
      const rows = Array.from({ length: height }, (_, y) => [
        0,
        ...rgb.slice(y * width * 3, (y + 1) * width * 3),
      ])
      expect([...decodedPng.lines]).toEqual(rows.flat())
    }),
    { numRuns: 50 },
  )
})

test('a slice that fails fails the picture', async () => {
  async function* yieldThenFail(): AsyncGenerator<PixelRows> {
    yield new Uint8Array(4)
    throw new Error('no canvas')
  }
  await expect(encodePng(1, 2, yieldThenFail())).rejects.toThrow('no canvas')
})
