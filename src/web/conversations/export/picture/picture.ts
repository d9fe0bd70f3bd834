import { exportText } from '#web/text/export.ts'
import type { Transcript, ExportOptions } from '../transcript.ts'
import { type Layout, layoutSheet } from './layout.ts'
import { encodePng, type PixelRows } from './png.ts'
import sheetCss from './sheet.css?inline'
import { writeSheet } from './sheet.ts'
import { inlineFonts, getPageStyles } from './styles.ts'

/** Device pixels per CSS pixel. */
const SCALE = 2
/** Height of a slice, CSS pixels, small enough for the canvas of any phone. */
const SLICE = 1000
/** Distance by which ink may stick out of its piece, CSS pixels: accents, limits of sums. */
const BLEED = 24
/** Greatest height that viewers can open, CSS pixels. */
const MAX_HEIGHT = 500_000

/** Renders a conversation as one picture in the light theme. Throws RangeError when it is higher than MAX_HEIGHT. */
export async function renderPicture(transcript: Transcript, options: ExportOptions = {}): Promise<Blob> {
  const frame = await createFrame()
  const page = frame.contentDocument
  try {
    if (!page) throw new Error('the frame has no document')
    const sheet = page.createElement('div')
    sheet.className = 'sheet'
    sheet.dataset.sheet = ''
    page.body.append(sheet)
    const units = await writeSheet(sheet, transcript)
    // The styles of formulas arrive with the first formula, so they are read after writing.
    const css = `${getPageStyles()}\n${sheetCss}`
    const style = page.createElement('style')
    style.textContent = css
    page.head.append(style)
    sheet.getBoundingClientRect()
    await page.fonts.ready
    await Promise.all(
      [...sheet.querySelectorAll('img')].map((image) => image.decode().catch(() => undefined)),
    )
    const layout = layoutSheet(sheet, units)
    if (layout.height > MAX_HEIGHT) throw new RangeError(exportText.tooLong)
    const embeddedCss = await inlineFonts(css, page.fonts)
    const slices = drawSlices(layout, embeddedCss, options)
    return await encodePng(layout.width * SCALE, layout.height * SCALE, slices)
  } finally {
    frame.remove()
  }
}

/** A separate document: a wide page in the light theme, independent of screen and theme. */
async function createFrame(): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe')
  frame.ariaHidden = 'true'
  frame.tabIndex = -1
  frame.style.cssText = 'position:fixed;top:0;left:-10000px;width:816px;height:600px;border:0'
  frame.srcdoc = '<!doctype html><html lang="zh-CN"><head></head><body style="margin:0"></body></html>'
  const loadPromise = new Promise((resolve) => {
    frame.addEventListener('load', resolve, { once: true })
  })
  document.body.append(frame)
  await loadPromise
  return frame
}

async function* drawSlices(
  { width, height, placed }: Layout,
  css: string,
  options: ExportOptions,
): AsyncGenerator<PixelRows> {
  const canvas = document.createElement('canvas')
  canvas.width = width * SCALE
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('no canvas')
  for (let top = 0; top < height; top += SLICE) {
    options.signal?.throwIfAborted()
    options.onProgress?.({ percent: Math.round((100 * top) / height) })
    const slice = Math.min(SLICE, height - top)
    const visible = placed.filter((unit) => unit.bottom > top - BLEED && unit.top < top + slice + BLEED)
    const image = new Image()
    image.src = createSliceUrl(
      visible.map(({ wrapper }) => wrapper),
      css,
      { width, top, slice },
    )
    await image.decode()
    canvas.height = slice * SCALE
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(image, 0, 0)
    yield context.getImageData(0, 0, canvas.width, canvas.height).data
  }
}

type Slice = { width: number; top: number; slice: number }

/** Data URL of an image of a part of the sheet. */
function createSliceUrl(wrappers: readonly HTMLElement[], css: string, { width, top, slice }: Slice): string {
  const xml = new XMLSerializer()
  const content = wrappers.map((wrapper) => xml.serializeToString(wrapper)).join('')
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width * SCALE}" height="${slice * SCALE}" viewBox="0 0 ${width} ${slice}">` +
    `<foreignObject x="0" y="0" width="${width}" height="${slice}">` +
    `<div xmlns="http://www.w3.org/1999/xhtml" lang="zh-CN" style="overflow:hidden;height:${slice}px">` +
    `<style><![CDATA[${css}]]></style>` +
    `<div class="sheet" data-sheet="" style="top:${-top}px">${content}</div></div></foreignObject></svg>`
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
}
