import { createCanvas, loadImage } from '@napi-rs/canvas'
import type { Canvas, Image } from '@napi-rs/canvas'
import { detectPictureType } from '#contract/pictures/picture-type.ts'
import { AppError } from '#server/core/app-error.ts'

/** Most pixels of a picture that is unpacked, at four bytes each. A phone's largest photo has 50 million. */
const MAX_POINTS = 52_000_000
/** Longer side of pictures for recognition, pixels; more is slower and read no better. */
const MAX_SIDE = 2500
/** Quality, of 100: some 10 kB for a face of 256 pixels. */
const WEBP_QUALITY = 85

/** Converts a photo or scan to a PNG of bounded size, turned as its camera says (EXIF). Throws `document_…`. */
export async function toUprightPng(bytes: Buffer): Promise<Buffer> {
  const image = await decode(bytes)
  const scale = Math.min(1, MAX_SIDE / Math.max(image.width, image.height, 1))
  const [width, height] = [
    Math.max(1, Math.round(image.width * scale)),
    Math.max(1, Math.round(image.height * scale)),
  ]
  return draw(image, width, height, 0).toBuffer('image/png')
}

/**
 * Cuts the middle out of a picture as a WebP of `side` pixels a side, turned as its camera says. Nothing else of the file (place
 * and time, other pictures, programs) remains. Throws `document_…`.
 */
export async function toSquareWebp(bytes: Buffer, side: number): Promise<Buffer> {
  const image = await decode(bytes)
  const scale = side / Math.max(1, Math.min(image.width, image.height))
  const [width, height] = [image.width * scale, image.height * scale]
  const canvas = createCanvas(side, side)
  const context = canvas.getContext('2d')
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, (side - width) / 2, (side - height) / 2, width, height)
  return canvas.toBuffer('image/webp', WEBP_QUALITY)
}

/** Throws `document_…` for bytes that are no picture, or would be too large. */
async function decode(bytes: Buffer): Promise<Image> {
  const size = readSize(bytes)
  if (!size) {
    const type = detectPictureType(bytes)
    throw new AppError(type && NOT_DECODED.includes(type) ? 'picture_unsupported' : 'document_damaged')
  }
  if (size.width * size.height > MAX_POINTS) throw new AppError('document_too_large')
  try {
    return await loadImage(bytes)
  } catch (cause) {
    throw new AppError('document_damaged', { cause })
  }
}

/** Turns a picture clockwise by `degrees` and scales it. */
export async function turnPicture(png: Uint8Array, degrees: number, scale: number): Promise<Buffer> {
  const image = await loadImage(Buffer.from(png))
  return draw(image, Math.ceil(image.width * scale), Math.ceil(image.height * scale), degrees).toBuffer(
    'image/png',
  )
}

function draw(image: Image, width: number, height: number, degrees: number): Canvas {
  const isAcross = degrees % 180 === 90
  const canvas = createCanvas(isAcross ? height : width, isAcross ? width : height)
  const context = canvas.getContext('2d')
  // Transparent parts become white, as paper is.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.translate(canvas.width / 2, canvas.height / 2)
  context.rotate((degrees * Math.PI) / 180)
  context.drawImage(image, -width / 2, -height / 2, width, height)
  return canvas
}

/** Types that the canvas cannot decode. */
const NOT_DECODED = ['image/tiff', 'image/heic', 'image/jp2', 'image/jxl', 'image/x-icon']

type Size = { width: number; height: number }

/** Reads width and height from the header, before anything too large is unpacked. Returns nothing for formats not read here. */
function readSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 30) return undefined
  const magic = bytes.toString('hex', 0, 4)
  if (magic === '89504e47') return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  if (magic === '47494638') return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  if (magic.startsWith('424d'))
    return { width: bytes.readUInt32LE(18), height: Math.abs(bytes.readInt32LE(22)) }
  if (magic.startsWith('ffd8')) return readJpegSize(bytes)
  if (magic === '52494646') return readWebpSize(bytes)
  const extent = bytes.toString('latin1', 4, 11) === 'ftypavi' ? bytes.indexOf('ispe') : -1
  return extent > 0 && extent + 16 <= bytes.length
    ? { width: bytes.readUInt32BE(extent + 8), height: bytes.readUInt32BE(extent + 12) }
    : undefined
}

function readJpegSize(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += 2 + (marker === 0xff ? -1 : bytes.readUInt16BE(at + 2))
  }
  return undefined
}

function readWebpSize(bytes: Buffer): Size | undefined {
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8 ')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  const bits = bytes.readUInt32LE(21)
  return kind === 'VP8L' ? { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 } : undefined
}
