import { AVATAR_PIXELS } from '#contract/uploads.ts'

type Size = { width: number; height: number }
/** A square part of a picture: its centre in pixels of the picture, and its magnification. */
export type Crop = { x: number; y: number; zoom: number }

export const MAX_ZOOM = 4

/** The full length of the shorter side, centred. */
export const centerCrop = ({ width, height }: Size): Crop => ({ x: width / 2, y: height / 2, zoom: 1 })

/** Length of the square's side in pixels of the picture. */
export const getSide = ({ width, height }: Size, { zoom }: Crop): number => Math.min(width, height) / zoom

/** The square, moved into the picture. */
export function clampCrop(size: Size, crop: Crop): Crop {
  const half = getSide(size, crop) / 2
  const clamp = (value: number, length: number) => Math.min(Math.max(value, half), length - half)
  return { ...crop, x: clamp(crop.x, size.width), y: clamp(crop.y, size.height) }
}

/** Position of the picture behind a square window that shows the crop, in percent of the window. */
export function toWindowStyle(size: Size, crop: Crop) {
  const side = getSide(size, crop)
  const toPercent = (points: number) => `${(points / side) * 100}%`
  return {
    width: toPercent(size.width),
    height: toPercent(size.height),
    left: toPercent(side / 2 - crop.x),
    top: toPercent(side / 2 - crop.y),
  }
}

/** Draws the crop as a picture of its own in the stored size, which contains nothing else of the file. */
export async function drawCrop(
  image: HTMLImageElement,
  crop: Crop,
): Promise<{ file: File; preview: string }> {
  const side = getSide({ width: image.naturalWidth, height: image.naturalHeight }, crop)
  const canvas = document.createElement('canvas')
  canvas.width = AVATAR_PIXELS
  canvas.height = AVATAR_PIXELS
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  const [left, top] = [crop.x - side / 2, crop.y - side / 2]
  context.drawImage(image, left, top, side, side, 0, 0, AVATAR_PIXELS, AVATAR_PIXELS)
  // Browsers that cannot write WebP write PNG.
  const blob = await new Promise<Blob>((resolve, reject) =>
    canvas.toBlob(
      (pictureBlob) => (pictureBlob ? resolve(pictureBlob) : reject(new Error('no picture'))),
      'image/webp',
      0.9,
    ),
  )
  const name = `picture.${blob.type === 'image/webp' ? 'webp' : 'png'}`
  return { file: new File([blob], name, { type: blob.type }), preview: canvas.toDataURL() }
}
