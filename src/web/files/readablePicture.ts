import { filesText } from '#web/text/files.ts'

/** Its message is fit to be shown. */
export class UnreadablePictureError extends Error {}

/** The first bytes of HEIC, as phones write it, and of TIFF, as scanners do. */
const FOREIGN = /^(?:49492a00|4d4d002a|.{8}66747970(?:6865|6d69))/
const HEAD_BYTES = 12
const QUALITY = 0.92

/**
 * The file itself; of a picture that neither models nor the server can open, whatever its name says, a JPEG, where this
 * browser can (Safari). Throws UnreadablePictureError where it cannot: nothing of it is uploaded then.
 */
export async function toReadablePicture(file: File): Promise<File> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())
  const hex = Array.from(head, (byte) => byte.toString(16).padStart(2, '0')).join('')
  if (!FOREIGN.test(hex)) return file
  const jpeg = await createImageBitmap(file).then(drawJpeg, () => null)
  if (!jpeg) throw new UnreadablePictureError(filesText.unreadablePicture)
  return new File([jpeg], `${file.name.replace(/\.[^.]*$/, '')}.jpg`, { type: 'image/jpeg' })
}

/** Upright: a bitmap is turned as the picture says. */
function drawJpeg(bitmap: ImageBitmap): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = bitmap.width
  canvas.height = bitmap.height
  const context = canvas.getContext('2d')
  if (!context) return Promise.resolve(null)
  // What is transparent is paper.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(bitmap, 0, 0)
  bitmap.close()
  return new Promise((resolve) => {
    canvas.toBlob(resolve, 'image/jpeg', QUALITY)
  })
}
