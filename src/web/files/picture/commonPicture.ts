import { detectPictureType, PICTURE_HEAD_BYTES } from '#contract/pictures/picture-type.ts'
import { toFileType } from '#contract/uploads.ts'
import { filesText } from '#web/text/files.ts'

/** Formats that browsers may open, but that many models and the server's reader cannot. */
const UNCOMMON =
  /^image\/(x-)?(hei[cf](-sequence)?|tiff|bmp|ms-bmp|avif|icon|vnd\.microsoft\.icon|jp2|jpx|jxl)$/
const QUALITY = 0.92
/** Largest canvas of Safari, pixels. */
const MAX_PIXELS = 16_000_000

/** A picture cannot be uploaded as it is; `message` tells what to do. */
export class PictureError extends Error {}

/** Converts a picture in an uncommon format to JPEG; returns any other file unchanged. Throws PictureError. */
export async function toCommonPicture(file: File): Promise<File> {
  const type = await readType(file)
  if (!UNCOMMON.test(type)) return file
  if (type === 'image/tiff' && (await hasMorePages(file))) throw new PictureError(filesText.tiffPages)
  // By default the bitmap is rotated as its EXIF data say, which the canvas's JPEG will lack.
  const picture = await createImageBitmap(file).catch(() => {
    throw new PictureError(getReason(type))
  })
  const { width, height } = picture
  const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (width * height)))
  const canvas = document.createElement('canvas')
  canvas.width = Math.floor(width * scale)
  canvas.height = Math.floor(height * scale)
  const context = canvas.getContext('2d')!
  // JPEG has no transparency, so the ground is white.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  const jpeg = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY))
  if (!jpeg) throw new PictureError(getReason(type))
  return new File([jpeg], `${file.name.replace(/\.[^.]*$/, '')}.jpg`, { type: jpeg.type })
}

/** The type of a file; for pictures, and files without a type, by the first bytes: phones' pictures are often renamed. */
async function readType(file: File): Promise<string> {
  const type = toFileType(file)
  if (!type.startsWith('image/') && type !== 'application/octet-stream') return type
  return detectPictureType(new Uint8Array(await file.slice(0, PICTURE_HEAD_BYTES).arrayBuffer())) ?? type
}

function getReason(type: string): string {
  if (type.includes('hei')) return filesText.heicUnreadable
  return type === 'image/tiff' ? filesText.tiffUnreadable : filesText.pictureUnreadable
}

/** Tells whether a TIFF has a second directory (TIFF 6.0, section 2): browsers show only the first one. */
async function hasMorePages(file: File): Promise<boolean> {
  const readBytes = async (from: number, bytes: number) =>
    new DataView(await file.slice(from, from + bytes).arrayBuffer())
  try {
    const head = await readBytes(0, 8)
    const isLittle = head.getUint16(0) === 0x49_49
    const directory = head.getUint32(4, isLittle)
    const entries = (await readBytes(directory, 2)).getUint16(0, isLittle)
    const next = await readBytes(directory + 2 + entries * 12, 4)
    return next.getUint32(0, isLittle) !== 0
  } catch {
    // The file is truncated, which opening it will report.
    return false
  }
}
