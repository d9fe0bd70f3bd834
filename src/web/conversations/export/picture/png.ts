/** Rows of a picture as a canvas gives them, 4 bytes per pixel (RGBA). */
export type PixelRows = Uint8ClampedArray | Uint8Array

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
/** Bits per channel, and RGB without alpha, since paper is opaque. */
const DEPTH = 8
const RGB = 2

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c
})

function crc(bytes: Uint8Array): number {
  let c = 0xffffffff
  for (const byte of bytes) c = (crcTable[(c ^ byte) & 0xff] ?? 0) ^ (c >>> 8)
  return (c ^ 0xffffffff) >>> 0
}

function createChunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(data.length + 12)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, data.length)
  for (let i = 0; i < 4; i++) bytes[4 + i] = type.charCodeAt(i)
  bytes.set(data, 8)
  view.setUint32(data.length + 8, crc(bytes.subarray(4, data.length + 8)))
  return bytes
}

function createHeader(width: number, height: number): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(13)
  const view = new DataView(data.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  data.set([DEPTH, RGB, 0, 0, 0], 8)
  return createChunk('IHDR', data)
}

/** Drops alpha and puts a filter byte before each row: no filter, which suits flat paper and text. */
function toScanlines(rows: PixelRows, width: number): Uint8Array<ArrayBuffer> {
  const height = rows.length / 4 / width
  const lines = new Uint8Array(height * (width * 3 + 1))
  let to = 0
  for (let from = 0, y = 0; y < height; y++) {
    to++
    for (let x = 0; x < width; x++, from += 4) {
      lines[to++] = rows[from] ?? 0
      lines[to++] = rows[from + 1] ?? 0
      lines[to++] = rows[from + 2] ?? 0
    }
  }
  return lines
}

/**
 * Encodes consecutive slices as one PNG of any height: no canvas is higher than a slice, and only compressed bytes stay in
 * memory. `height` is the sum of the slices' heights.
 */
export async function encodePng(
  width: number,
  height: number,
  slices: AsyncIterable<PixelRows>,
): Promise<Blob> {
  const { readable, writable } = new CompressionStream('deflate')
  const parts: Uint8Array<ArrayBuffer>[] = [SIGNATURE, createHeader(width, height)]
  const reading = (async () => {
    for await (const bytes of readable) parts.push(createChunk('IDAT', bytes))
  })()
  const writer = writable.getWriter()
  try {
    for await (const rows of slices) await writer.write(toScanlines(rows, width))
    await writer.close()
  } catch (error) {
    await Promise.allSettled([writer.abort(error), reading])
    throw error
  }
  await reading
  return new Blob([...parts, createChunk('IEND', new Uint8Array())], { type: 'image/png' })
}
