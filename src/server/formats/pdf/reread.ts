import { createCanvas } from '@napi-rs/canvas'
import type { Canvas } from '@napi-rs/canvas'
import type { PDFPageProxy } from 'pdfjs-dist'
import type { Document } from '../detect-format.ts'
import type { Output } from '../reading/output.ts'
import { createAnnotationReader } from './annotations.ts'
import { formatNotes } from './notes.ts'
import { openPdf } from './read.ts'

/** Resolution of a drawn page, dpi, and its longest side, pixels. */
const DPI = 180
const MAX_SIDE = 2500

/** Reads pages of a PDF from their pictures: those that have no text, or none that makes sense. */
export async function rereadPdf(
  pages: number[],
  { input, recognise }: Document,
  output: Output,
): Promise<void> {
  const pdf = await openPdf(input)
  try {
    const pageNumbers = [...new Set(pages)]
      .filter((page) => page >= 1 && page <= pdf.numPages)
      .sort((a, b) => a - b)
    const readAnnotations = createAnnotationReader(pdf)
    output.begin('page', pageNumbers.length)
    for (const number of pageNumbers) {
      const page = await pdf.getPage(number)
      const picture = (await drawPage(page, DPI)).toBuffer('image/png')
      const text = (await recognise?.(picture, { page: number })) ?? ''
      page.cleanup()
      output.add(text, { page: number })
      // Its former text is replaced, comments included.
      if (text.trim())
        output.add(formatNotes(await readAnnotations(number), number, output), { page: number })
      output.endUnit({ number, recognised: true })
    }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

export async function drawPage(page: PDFPageProxy, dpi: number): Promise<Canvas> {
  const { width, height } = page.getViewport({ scale: 1 })
  const scale = Math.min(dpi / 72, MAX_SIDE / Math.max(width, height, 1))
  const viewport = page.getViewport({ scale })
  const canvas = createCanvas(Math.max(1, Math.ceil(viewport.width)), Math.max(1, Math.ceil(viewport.height)))
  // The types of pdf.js are those of a browser.
  const target = canvas as unknown as Parameters<PDFPageProxy['render']>[0]['canvas']
  await page.render({ canvas: target, viewport, background: '#fff' }).promise
  return canvas
}
