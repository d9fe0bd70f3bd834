import { GARBLED } from '#contract/readings.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Input } from '../reading/input.ts'
import { countGarbled } from '../text/garble.ts'
import { formatBlocks } from './page-text.ts'
import type { PageBlock, TypeSizes } from './page-text.ts'
import { openPdf, readBlocks } from './read.ts'
import { drawPage } from './reread.ts'

/** A page's content. Width and height are points, as the page is shown. */
type ReadPage = {
  blocks: PageBlock[]
  width: number
  height: number
  /** Its characters make no text, as in a font that does not say what they mean. */
  isGarbled: boolean
  /** Number of comments, and of form fields that are filled in. */
  notes: number
}

/** A PDF whose pages are read and drawn one by one, and written again with other pages among them. */
export type PdfPages = {
  count: number
  /** Reads a page, from 1, in order: headings depend on the pages before. Throws pdf.js's error for a broken page. */
  read(number: number): Promise<ReadPage>
  /** Draws a page as a JPEG. */
  draw(number: number, dpi: number): Promise<Buffer>
  /**
   * Returns the same file with the pages of another one among its own: `after` names the page (from 1) behind which each of them
   * stands, in ascending order. Its own pages keep their vectors, fonts and links. Throws `document_damaged`.
   */
  insert(added: Uint8Array, after: number[]): Promise<Uint8Array>
  close(): Promise<void>
}

/** JPEG quality, of 100. Text stays sharp; a page is some 100 kB. WebP would take half of that, and five times as long. */
const JPEG_QUALITY = 65

/** Throws `document_…`. */
export async function openPages(input: Input): Promise<PdfPages> {
  const pdf = await openPdf(input)
  const sizes: TypeSizes = new Map()
  return {
    count: pdf.numPages,
    async read(number) {
      const page = await pdf.getPage(number)
      const { width, height } = page.getViewport({ scale: 1 })
      const blocks = await readBlocks(page, sizes)
      const { garbled, chars } = countGarbled(formatBlocks(blocks))
      const notes = ((await page.getAnnotations()) as Annotation[]).filter(isNote).length
      page.cleanup()
      return { blocks, width, height, isGarbled: chars > 0 && garbled / chars >= GARBLED, notes }
    },
    async draw(number, dpi) {
      const page = await pdf.getPage(number)
      const canvas = await drawPage(page, dpi)
      page.cleanup()
      return canvas.encode('jpeg', JPEG_QUALITY)
    },
    async insert(added, after) {
      const ownIndexes = Array.from({ length: pdf.numPages }, (_, index) => index)
      const places = ownIndexes.map((index) => index + after.filter((number) => number <= index).length)
      const takenPlaces = new Set(places)
      const free = Array.from({ length: pdf.numPages + after.length }, (_, index) => index)
      try {
        return await pdf.extractPages([
          { document: null, includePages: ownIndexes, pageIndices: places },
          {
            document: added,
            includePages: after.map((_, index) => index),
            pageIndices: free.filter((index) => !takenPlaces.has(index)),
          },
        ])
      } catch (cause) {
        throw new AppError('document_damaged', { cause })
      }
    },
    close: () => pdf.loadingTask.destroy(),
  }
}

type Annotation = { contentsObj?: { str?: unknown }; fieldValue?: unknown }

const isNote = ({ contentsObj, fieldValue }: Annotation): boolean =>
  [contentsObj?.str, fieldValue].some((text) => typeof text === 'string' && /\p{L}/u.test(text)) &&
  fieldValue !== 'Off'
