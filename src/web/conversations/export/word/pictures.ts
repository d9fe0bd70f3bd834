import { ImageRun } from 'docx'
import { drawDiagram } from '#web/markdown/markdown.tsx'

/** Greatest width of a picture on the page, in pixels of 1/96 inch. */
const MAX_WIDTH = 600
/** Device pixels per CSS pixel of a diagram. */
const SCALE = 2

/** A picture contained in the answer as a data URL; null for one that would have to be fetched or cannot be decoded. */
export async function createPictureRun(src: string, alt: string): Promise<ImageRun | null> {
  if (!/^data:image\/(?:png|jpeg|gif|webp|avif);base64,/i.test(src)) return null
  const image = await decodeImage(src)
  return image && createImageRun(image, image.naturalWidth, image.naturalHeight, alt, 1)
}

/** A drawn Mermaid diagram; null where it cannot be drawn. */
export async function createDiagramRun(code: string): Promise<ImageRun | null> {
  const diagram = await drawDiagram(code, false)
  if ('refused' in diagram) return null
  const image = await decodeImage(diagram.src)
  return image && createImageRun(image, diagram.width, diagram.height, code, SCALE)
}

async function decodeImage(src: string): Promise<HTMLImageElement | null> {
  const image = new Image()
  image.src = src
  return image.decode().then(
    () => image,
    () => null,
  )
}

/** Every picture becomes a PNG, because Word does not know WebP, and only recent versions know SVG. */
async function createImageRun(
  image: HTMLImageElement,
  width: number,
  height: number,
  alt: string,
  scale: number,
): Promise<ImageRun | null> {
  const canvas = document.createElement('canvas')
  canvas.width = width * scale
  canvas.height = height * scale
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  const png = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve)
  })
  if (!png) return null
  const scaleDown = Math.min(1, MAX_WIDTH / width)
  return new ImageRun({
    type: 'png',
    data: await png.arrayBuffer(),
    transformation: { width: Math.round(width * scaleDown), height: Math.round(height * scaleDown) },
    altText: { name: alt.slice(0, 100), description: alt.slice(0, 500), title: '' },
  })
}
