import type { TextProblem } from '#contract/translate/documents.ts'
import { textProblems } from '#contract/translate/documents.ts'
import { AppError } from '#server/core/app-error.ts'
import { openInput } from '../reading/input.ts'
import { openPages } from './pages.ts'
import type { PageBlock } from './page-text.ts'
import type { Part, Syntax } from '../rewriting/blocks.ts'
import { Draft } from '../rewriting/draft.ts'
import type { Opened } from '../rewriting/draft.ts'
import { formatRanges } from '../text/markdown.ts'
import { drawTranslations } from './drawing.ts'
import { hasGlyphs } from './fonts.ts'
import { formatPlainMarks } from './marks.ts'
import type { TranslatedPage } from './layout.ts'
import { writeSideBySide } from './side-by-side.ts'

/** A page with its texts, and their parts, one for each text in its order. */
type Page = TranslatedPage & { parts: Part[] }

/** More pages take longer than a file may. */
const MAX_PAGES = 2000
const syntax: Syntax = { write: (text) => text }

/**
 * Opens a PDF: the paragraphs and cells of its pages. Nothing in it can be replaced, so its translation stands beside it: in a
 * web page with pictures of the pages (`translated`), or in the same PDF with a page of the translation behind each of its own
 * (`bilingual`).
 */
export async function openPdf(bytes: Buffer): Promise<Opened> {
  const draft = new Draft()
  const pages = await readPages(bytes, draft)
  return {
    format: 'pdf',
    draft,
    async publish(changed, mode, name) {
      const translated = pages.map((page) => replaceTexts(page, changed))
      return mode === 'bilingual'
        ? { bytes: await writePairs(bytes, translated), name, problems: findUnwritable(draft, changed) }
        : {
            bytes: await writePage(bytes, translated, name),
            name: `${name.replace(/\.pdf$/i, '')}.html`,
            problems: [],
          }
    },
  }
}

async function readPages(bytes: Buffer, draft: Draft): Promise<Page[]> {
  const pdf = await openPages(openInput({ bytes }))
  const pages: Page[] = []
  const keptPages = { scan: [] as number[], damaged: [] as number[], note: [] as number[] }
  try {
    if (pdf.count > MAX_PAGES) throw new AppError('document_too_large')
    for (let number = 1; number <= pdf.count; number++) {
      const page = await pdf.read(number).catch(() => undefined)
      const { blocks = [], width = 595, height = 842, isGarbled = true, notes = 0 } = page ?? {}
      const isEmpty = page && blocks.length === 0
      if (isEmpty) keptPages.scan.push(number)
      else if (isGarbled) keptPages.damaged.push(number)
      if (notes) keptPages.note.push(number)
      const parts = isGarbled ? [] : addBlocks(blocks, number, draft)
      pages.push({ number, width, height, blocks: isGarbled ? [] : blocks, parts })
    }
  } finally {
    await pdf.close()
  }
  draft.keep('layout', '')
  for (const reason of ['scan', 'damaged', 'note'] as const) {
    const numbers = keptPages[reason]
    const [page] = numbers
    if (page) draft.keep(reason, `第 ${formatRanges(numbers)} 页`, { page }, numbers.length)
  }
  return pages
}

function addBlocks(blocks: PageBlock[], page: number, draft: Draft): Part[] {
  return blocks.flatMap((block) =>
    ('cells' in block ? block.cells.flat() : [block.text]).map((text) => {
      const source = cleanText(text)
      const part = { source, syntax }
      draft.add(part, [{ kind: 'text', start: 0, end: source.length, text: source }], { page })
      return part
    }),
  )
}

/** Dissolves ligatures, which belong to the font, and drops private and control characters: bullets in a font of the file. */
const cleanText = (text: string): string =>
  formatPlainMarks(text)
    .replace(/[\uFB00-\uFB06]/g, (ligature) => ligature.normalize('NFKC'))
    .replace(/[\p{Co}\p{Cc}]/gu, ' ')
    .trim()

/** Returns the page with the texts that were changed. */
function replaceTexts({ blocks, parts, ...page }: Page, changed: Map<Part, string>): TranslatedPage {
  const texts = parts.map((part) => changed.get(part) ?? part.source)[Symbol.iterator]()
  const next = (): string => texts.next().value ?? ''
  return {
    ...page,
    blocks: blocks.map((block) =>
      'cells' in block ? { cells: block.cells.map((row) => row.map(next)) } : { ...block, text: next() },
    ),
  }
}

async function writePairs(bytes: Buffer, pages: TranslatedPage[]): Promise<Uint8Array> {
  const pdf = await openPages(openInput({ bytes }))
  try {
    const { bytes: added, after } = drawTranslations(pages)
    return await pdf.insert(added, after)
  } finally {
    await pdf.close()
  }
}

async function writePage(bytes: Buffer, pages: TranslatedPage[], name: string): Promise<Uint8Array> {
  const pdf = await openPages(openInput({ bytes }))
  try {
    return await writeSideBySide(pages, name, (number, dpi) => pdf.draw(number, dpi))
  } finally {
    await pdf.close()
  }
}

/** Finds texts with characters that the fonts of a PDF may lack. */
function findUnwritable({ units }: Draft, changed: Map<Part, string>): TextProblem[] {
  return units.flatMap(({ targets: [target] }, index) => {
    const text = target && changed.get(target.part)
    if (text === undefined || hasGlyphs(text)) return []
    return [{ n: index + 1, what: 'glyphs', message: textProblems.glyphs } as const]
  })
}
