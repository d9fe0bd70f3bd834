import { fileURLToPath } from 'node:url'
import { getDocument, PDFDataRangeTransport } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import type { DocumentInitParameters } from 'pdfjs-dist/types/src/display/api.d.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Document } from '../detect-format.ts'
import type { Input } from '../reading/input.ts'
import { LimitReached } from '../reading/output.ts'
import type { Output } from '../reading/output.ts'
import { createAnnotationReader, findRegions } from './annotations.ts'
import type { Annotation } from './annotations.ts'
import type { TextItem } from './boxes.ts'
import { findLines } from './lines.ts'
import { formatNotes } from './notes.ts'
import { findBlocks, formatBlocks } from './page-text.ts'
import type { PageBlock, TypeSizes } from './page-text.ts'
import { formatPictures } from './pictures.ts'
import type { Region } from './regions.ts'
import { reportUnread } from './unread.ts'
import type { PdfInfo } from './unread.ts'
import { formatXfa } from './xfa.ts'

const PACKAGE = fileURLToPath(new URL('../../', import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs')))
/** A larger file is read in parts, as pages need them. */
const WHOLE_BYTES = 32 * 1024 * 1024
const PART_BYTES = 512 * 1024
/** Pictures of more pixels are not drawn. */
const MAX_IMAGE_POINTS = 40_000_000
/** A reading decodes no picture: only larger ones than this are left out. */
const NO_IMAGES = 0

/** Reads a PDF page by page: text in reading order, tables, what describes its pictures, and what people wrote upon it. */
export async function readPdf({ input }: Document, output: Output): Promise<void> {
  const pdf = await openForm(input)
  try {
    const { info }: { info: PdfInfo } = await pdf.getMetadata().catch(() => ({ info: {} }))
    if (typeof info.Title === 'string' && info.Title.trim()) output.title = info.Title
    // A map, although the types of pdf.js say an object.
    const markInfo = (await pdf.getMarkInfo().catch(() => null)) as unknown
    const isTagged = markInfo instanceof Map && markInfo.get('Marked') === true
    const readAnnotations = createAnnotationReader(pdf)
    output.begin('page', pdf.numPages)
    await reportUnread(pdf, info, output)
    const sizes: TypeSizes = new Map()
    /** Reads a page, and tells whether it has no text but what was written upon it: then it may be a scan. */
    const readPage = async (page: PDFPageProxy, annotations: Annotation[]): Promise<boolean> => {
      const place = { page: page.pageNumber }
      const { regions, links } = findRegions(annotations)
      const listRegions = async (): Promise<Region[]> => [...regions, ...(await findLines(page))]
      const text = formatBlocks(await readBlocks(page, sizes, listRegions), links)
      output.add(text, place)
      if (isTagged) output.add(await formatPictures(page), place)
      output.add(formatNotes(annotations, page.pageNumber, output), place)
      return !text
    }
    for (let number = 1; number <= pdf.numPages; number++) {
      let isBlank = false
      try {
        const page = await pdf.getPage(number)
        if (pdf.isPureXfa) {
          const text = formatXfa(await page.getXfa())
          output.add(text, { page: number })
          // A form that its scripts would build has no text yet.
          if (!text) output.skip('unsupported', 'XFA 表单', { page: number })
        } else isBlank = await readPage(page, await readAnnotations(number))
        page.cleanup()
      } catch (error) {
        if (error instanceof LimitReached) throw error
        output.skip('damaged', `第 ${number} 页`, { page: number })
      }
      output.endUnit({ isBlank })
    }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

/** Opens a PDF with its form in XML; where that form is damaged, with the pages that stand in for it. */
async function openForm(input: Input): Promise<PDFDocumentProxy> {
  try {
    return await openPdf(input, { enableXfa: true, maxImageSize: NO_IMAGES })
  } catch (error) {
    if (error instanceof AppError && error.code === 'document_encrypted') throw error
    return await openPdf(input, { maxImageSize: NO_IMAGES })
  }
}

/**
 * Reads the blocks of a page, and adds its sizes of type to `sizes`, which has those of the pages before. `listRegions` is called
 * where the page has text.
 */
export async function readBlocks(
  page: PDFPageProxy,
  sizes: TypeSizes,
  listRegions: () => Promise<Region[]> = async () => [],
): Promise<PageBlock[]> {
  const { items, styles } = await page.getTextContent()
  const { transform } = page.getViewport({ scale: 1 })
  const runs = items.filter((item) => 'str' in item) as TextItem[]
  const regions = runs.some(({ str }) => str.trim()) ? await listRegions() : []
  return findBlocks(runs, transform, (font) => styles[font]?.vertical ?? false, sizes, regions)
}

/** Throws `document_encrypted` where a password is needed, `document_damaged` where it is no PDF. */
export async function openPdf(
  input: Input,
  options: Pick<DocumentInitParameters, 'enableXfa' | 'maxImageSize'> = {},
): Promise<PDFDocumentProxy> {
  if (input.size > WHOLE_BYTES) {
    const range = new FileParts(input)
    return load({
      ...options,
      range,
      rangeChunkSize: PART_BYTES,
      disableAutoFetch: true,
      disableStream: true,
    })
  }
  const data = input.read(0, input.size)
  try {
    return await load({ ...options, data: new Uint8Array(data) })
  } catch (error) {
    const repaired = addTrailer(data)
    if (!repaired) throw error
    return await load({ ...options, data: repaired })
  }
}

async function load(source: DocumentInitParameters): Promise<PDFDocumentProxy> {
  try {
    return await getDocument({
      maxImageSize: MAX_IMAGE_POINTS,
      ...source,
      cMapUrl: `${PACKAGE}cmaps/`,
      cMapPacked: true,
      standardFontDataUrl: `${PACKAGE}standard_fonts/`,
      wasmUrl: `${PACKAGE}wasm/`,
      iccUrl: `${PACKAGE}iccs/`,
      useSystemFonts: false,
      verbosity: 0,
    }).promise
  } catch (cause) {
    const isLocked = cause instanceof Error && cause.name === 'PasswordException'
    throw new AppError(isLocked ? 'document_encrypted' : 'document_damaged', { cause })
  }
}

/** Adds the trailer, which says where the document begins, to a file that was cut off. */
function addTrailer(data: Buffer): Uint8Array | undefined {
  const text = data.toString('latin1')
  if (/\btrailer\b|\/XRef\b/.test(text)) return undefined
  const [, root] = /(\d+ \d+) obj\s*<<[^>]{0,500}\/Type\s*\/Catalog\b/.exec(text) ?? []
  return root
    ? new Uint8Array(Buffer.concat([data, Buffer.from(`\ntrailer<</Root ${root} R>>\n`)]))
    : undefined
}

class FileParts extends PDFDataRangeTransport {
  private readonly input: Input

  constructor(input: Input) {
    super(input.size, new Uint8Array(input.read(0, PART_BYTES)))
    this.input = input
  }

  override requestDataRange(begin: number, end: number): void {
    // Answered after this call: pdf.js expects the data later.
    queueMicrotask(() => this.onDataRange(begin, new Uint8Array(this.input.read(begin, end - begin))))
  }
}
