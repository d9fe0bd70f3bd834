import { getDocument, GlobalWorkerOptions, TextLayer, version } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'

export type { PDFDocumentProxy } from 'pdfjs-dist'

/** Folder of the worker, character maps, fonts and decoders, which vite.config.ts copies into the build. */
const PARTS_URL = import.meta.env.DEV
  ? new URL('/node_modules/pdfjs-dist/', import.meta.url).href
  : `${location.origin}/assets/pdfjs-${version}/`

GlobalWorkerOptions.workerSrc = `${PARTS_URL}legacy/build/pdf.worker.min.mjs`

/** A higher ratio is sharper on no screen, and large canvases cost memory. */
const MAX_PIXEL_RATIO = 2

/** Opens a PDF, loading only the shown pages. `destroy` ends its worker. */
export const openPdf = (url: string) =>
  getDocument({
    url,
    cMapUrl: `${PARTS_URL}cmaps/`,
    standardFontDataUrl: `${PARTS_URL}standard_fonts/`,
    wasmUrl: `${PARTS_URL}wasm/`,
    iccUrl: `${PARTS_URL}iccs/`,
    // Without this, the rest of a large file would be loaded ahead once the first pages are shown.
    disableAutoFetch: true,
  })

/** A page's height divided by its width. */
export async function getPageRatio(document: PDFDocumentProxy, number: number): Promise<number> {
  const { width, height } = (await document.getPage(number)).getViewport({ scale: 1 })
  return height / width
}

type DrawOptions = { canvas: HTMLCanvasElement; layer: HTMLElement; width: number; signal: AbortSignal }

/** Draws a page with a width in CSS pixels, and lays its text over it, for selecting, searching and screen readers. */
export async function drawPage(
  document: PDFDocumentProxy,
  number: number,
  { canvas, layer, width, signal }: DrawOptions,
): Promise<void> {
  const page = await document.getPage(number)
  signal.throwIfAborted()
  await paint(page, { canvas, width, signal })
  const scale = width / page.getViewport({ scale: 1 }).width
  layer.replaceChildren()
  layer.style.setProperty('--total-scale-factor', String(scale))
  const text = new TextLayer({
    textContentSource: page.streamTextContent(),
    container: layer,
    viewport: page.getViewport({ scale }),
  })
  signal.addEventListener('abort', () => text.cancel(), { once: true })
  await text.render()
}

async function paint(
  page: PDFPageProxy,
  { canvas, width, signal }: Omit<DrawOptions, 'layer'>,
): Promise<void> {
  const ratio = Math.min(devicePixelRatio, MAX_PIXEL_RATIO)
  const viewport = page.getViewport({ scale: (width * ratio) / page.getViewport({ scale: 1 }).width })
  canvas.width = Math.floor(viewport.width)
  canvas.height = Math.floor(viewport.height)
  const task = page.render({ canvas, viewport })
  signal.addEventListener('abort', () => task.cancel(), { once: true })
  await task.promise
}
