import { createCanvas, PDFDocument } from '@napi-rs/canvas'
import { loadFamilies } from './fonts.ts'
import { layOut } from './layout.ts'
import type { Line, Measure, Sheet, TranslatedPage } from './layout.ts'

type Context = ReturnType<PDFDocument['beginPage']>

/** Scales of text that does not fit on its page; where none suffices, the text continues on another page. */
const SCALES = [1, 0.92, 0.84, 0.76, 0.68]
const OVERFLOWING_SCALE = 0.84
const REGULAR = '"wght" 400'
const BOLD = '"wght" 700'

/**
 * Draws the pages of a translation as a PDF: for each page with text one of its size, and more where the text does not fit.
 * `after` has for each drawn page the number of its original.
 */
export function drawTranslations(pages: TranslatedPage[]): { bytes: Uint8Array; after: number[] } {
  const document = new PDFDocument()
  const after: number[] = []
  const measure = createMeasure()
  for (const page of pages) {
    for (const sheet of fit(page, measure)) {
      drawSheet(document.beginPage(sheet.width, sheet.height), sheet)
      document.endPage()
      after.push(page.number)
    }
  }
  return { bytes: new Uint8Array(document.close()), after }
}

function fit(page: TranslatedPage, measure: Measure): Sheet[] {
  for (const scale of SCALES) {
    const sheets = layOut(page, scale, measure)
    if (sheets.length <= 1) return sheets
  }
  return layOut(page, OVERFLOWING_SCALE, measure)
}

function setFont(context: Context, text: string, size: number, isBold: boolean): void {
  context.fontVariationSettings = isBold ? BOLD : REGULAR
  // Without ligatures: Skia does not say which letters they are, so they could be neither searched nor copied.
  context.textRendering = 'optimizeSpeed'
  context.font = `${size}px ${loadFamilies(text)}`
}

function drawSheet(context: Context, { lines, rules }: Sheet): void {
  for (const line of lines) drawLine(context, line)
  context.strokeStyle = '#c4c8cf'
  context.lineWidth = 0.5
  for (const { x, y, width, height } of rules) context.strokeRect(x, y, width, height)
}

function drawLine(context: Context, { text, x, y, size, isBold, isRtl, color }: Line): void {
  setFont(context, text, size, isBold)
  context.fillStyle = color
  context.direction = isRtl ? 'rtl' : 'ltr'
  context.textAlign = isRtl ? 'right' : 'left'
  context.fillText(text, x, y)
}

/** Creates a function that measures words, as shares of the size of the type. */
function createMeasure(): Measure {
  const context = createCanvas(1, 1).getContext('2d')
  const widths = new Map<string, number>()
  return (word, isBold) => {
    const key = `${isBold ? 'b' : 'r'}${word}`
    const width = widths.get(key)
    if (width !== undefined) return width
    setFont(context, word, 100, isBold)
    const measured = context.measureText(word).width / 100
    widths.set(key, measured)
    return measured
  }
}
