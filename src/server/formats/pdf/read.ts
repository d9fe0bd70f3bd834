import { fileURLToPath } from 'node:url'
import { getDocument, PDFDataRangeTransport } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import type { DocumentInitParameters } from 'pdfjs-dist/types/src/display/api.d.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Document } from '../detect-format.ts'
import { escapeText } from '../text/markdown.ts'
import type { Input } from '../reading/input.ts'
import { LimitReached } from '../reading/output.ts'
import type { Output } from '../reading/output.ts'
import type { TextItem } from './boxes.ts'
import { findBlocks, formatBlocks } from './page-text.ts'
import type { PageBlock, TypeSizes } from './page-text.ts'

const PACKAGE = fileURLToPath(new URL('../../', import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs')))
/** A larger file is read in parts, as pages need them. */
const WHOLE_BYTES = 32 * 1024 * 1024
const PART_BYTES = 512 * 1024
/** Pictures of more pixels are not drawn. */
const MAX_IMAGE_POINTS = 40_000_000

/** Reads a PDF page by page: text in reading order, tables, and what people filled into its forms. */
export async function readPdf({ input }: Document, output: Output): Promise<void> {
  const pdf = await openPdf(input)
  try {
    const { info }: { info: { Title?: unknown } } = await pdf.getMetadata().catch(() => ({ info: {} }))
    if (typeof info.Title === 'string' && info.Title.trim()) output.title = info.Title
    const hasForm = (await pdf.getFieldObjects().catch(() => null)) !== null
    output.begin('page', pdf.numPages)
    const sizes: TypeSizes = new Map()
    for (let number = 1; number <= pdf.numPages; number++) {
      try {
        const page = await pdf.getPage(number)
        output.add(formatBlocks(await readBlocks(page, sizes)), { page: number })
        if (hasForm) output.add(await readFields(page), { page: number })
        page.cleanup()
      } catch (error) {
        if (error instanceof LimitReached) throw error
        output.skip('damaged', `第 ${number} 页`, { page: number })
      }
      output.endUnit()
    }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

/** Reads the blocks of a page, and adds its sizes of type to `sizes`, which has those of the pages before. */
export async function readBlocks(page: PDFPageProxy, sizes: TypeSizes): Promise<PageBlock[]> {
  const { items, styles } = await page.getTextContent()
  const { transform } = page.getViewport({ scale: 1 })
  const runs = items.filter((item) => 'str' in item) as TextItem[]
  return findBlocks(runs, transform, (font) => styles[font]?.vertical ?? false, sizes)
}

/** Throws `document_encrypted` where a password is needed, `document_damaged` where it is no PDF. */
export async function openPdf(input: Input): Promise<PDFDocumentProxy> {
  if (input.size > WHOLE_BYTES) {
    const range = new FileParts(input)
    return load({ range, rangeChunkSize: PART_BYTES, disableAutoFetch: true, disableStream: true })
  }
  const data = input.read(0, input.size)
  try {
    return await load({ data: new Uint8Array(data) })
  } catch (error) {
    const repaired = addTrailer(data)
    if (!repaired) throw error
    return await load({ data: repaired })
  }
}

async function load(source: DocumentInitParameters): Promise<PDFDocumentProxy> {
  try {
    return await getDocument({
      ...source,
      cMapUrl: `${PACKAGE}cmaps/`,
      cMapPacked: true,
      standardFontDataUrl: `${PACKAGE}standard_fonts/`,
      wasmUrl: `${PACKAGE}wasm/`,
      iccUrl: `${PACKAGE}iccs/`,
      useSystemFonts: false,
      verbosity: 0,
      maxImageSize: MAX_IMAGE_POINTS,
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

type Field = { fieldName?: unknown; fieldValue?: unknown }

/** Reads the fields of a form that are filled in. */
async function readFields(page: PDFPageProxy): Promise<string> {
  const fields = (await page.getAnnotations()) as Field[]
  return fields
    .filter(({ fieldValue: value }) => typeof value === 'string' && value.trim() && value !== 'Off')
    .map(({ fieldName, fieldValue }) => `- ${String(fieldName)}: ${escapeText(String(fieldValue))}`)
    .join('\n')
}
