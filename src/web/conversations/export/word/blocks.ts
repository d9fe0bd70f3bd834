import {
  AlignmentType,
  HeadingLevel,
  type IParagraphOptions,
  Paragraph,
  type ParagraphChild,
  Table,
  TableCell,
  TableRow,
  WidthType,
} from 'docx'
import type { Token, Tokens } from 'marked'
import { type AlertKind, parseLanguage } from '#web/markdown/markdown.tsx'
import { markdownText } from '#web/text/markdown.ts'
import { createFormula } from './formula.ts'
import { convertInline, createTextRuns, type FootnoteNumbers } from './inline.ts'
import type { Lists } from './lists.ts'
import { cellBorders, MONO, quoteBorder, ruleBorder, SHADE } from './styles.ts'
import { createDiagramRun } from './pictures.ts'

/** Position of a block: `level` is the depth of lists around it, `quoted` that of quotations. */
export type BlockContext = { notes: FootnoteNumbers; lists: Lists; level: number; quoted: number }
type WordBlock = Paragraph | Table

const headings = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
]
const aligned = { left: AlignmentType.LEFT, center: AlignmentType.CENTER, right: AlignmentType.RIGHT }
const INDENT = 480

/** Indentation and border of a paragraph, from its position. */
function getIndent({ level, quoted }: BlockContext): Partial<IParagraphOptions> {
  const left = (level + quoted) * INDENT
  return { ...(left ? { indent: { left } } : {}), ...(quoted ? { border: quoteBorder } : {}) }
}

export async function convertBlocks(tokens: readonly Token[], context: BlockContext): Promise<WordBlock[]> {
  const blocks: WordBlock[] = []
  for (const token of tokens) blocks.push(...(await convertBlock(token, context)))
  return blocks
}

const createParagraph = (
  children: readonly ParagraphChild[],
  context: BlockContext,
  options: Partial<IParagraphOptions> = {},
) => new Paragraph({ ...getIndent(context), ...options, children })

async function convertBlock(token: Token, context: BlockContext): Promise<WordBlock[]> {
  switch (token.type) {
    case 'space':
    case 'def':
    case 'footnote':
      return []
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading
      return [
        createParagraph(await convertInline(tokens, context.notes), context, {
          heading: headings[depth - 1] ?? HeadingLevel.HEADING_6,
        }),
      ]
    }
    case 'code':
      return convertCode(token as Tokens.Code, context)
    case 'blockMath':
      return [convertDisplayFormula(String(token.tex), context)]
    case 'list':
      return convertList(token as Tokens.List, context)
    case 'table':
      return [await convertTable(token as Tokens.Table, context), new Paragraph({ children: [] })]
    case 'blockquote':
      return convertBlocks((token as Tokens.Blockquote).tokens, { ...context, quoted: context.quoted + 1 })
    case 'alert':
      return convertAlert(token, context)
    case 'details':
      return convertDetails(token, context)
    case 'hr':
      return [new Paragraph({ border: ruleBorder, children: [] })]
    case 'html':
      return convertHtml(token.raw, context)
    default: {
      const { tokens, text } = token as Tokens.Generic
      const children = tokens
        ? await convertInline(tokens, context.notes)
        : createTextRuns(String(text ?? token.raw))
      return [createParagraph(children, context)]
    }
  }
}

async function convertAlert({ kind, tokens }: Tokens.Generic, context: BlockContext): Promise<WordBlock[]> {
  const inside = { ...context, quoted: context.quoted + 1 }
  const title = createTextRuns(markdownText.alert[kind as AlertKind], { bold: true })
  return [createParagraph(title, inside), ...(await convertBlocks(tokens ?? [], inside))]
}

async function convertDetails(token: Tokens.Generic, context: BlockContext): Promise<WordBlock[]> {
  const summary = await convertInline(token.summary as Token[], context.notes, { bold: true })
  return [createParagraph(summary, context), ...(await convertBlocks(token.tokens ?? [], context))]
}

function convertDisplayFormula(tex: string, context: BlockContext): Paragraph {
  const formula = createFormula(tex, true)
  return createParagraph(formula ? [formula] : createTextRuns(tex, { font: MONO }), context, {
    alignment: AlignmentType.CENTER,
  })
}

/** Code goes into one shaded paragraph, which keeps its lines; a Mermaid diagram is drawn, or stays code where it cannot be. */
async function convertCode({ text, lang }: Tokens.Code, context: BlockContext): Promise<Paragraph[]> {
  const diagram = parseLanguage(lang).toLowerCase() === 'mermaid' ? await createDiagramRun(text) : null
  if (diagram) return [createParagraph([diagram], context, { alignment: AlignmentType.CENTER })]
  return [createParagraph(createTextRuns(text), context, { style: 'Code', shading: SHADE, border: {} })]
}

function convertHtml(raw: string, context: BlockContext): Paragraph[] {
  const text = raw
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .trim()
  return text ? [createParagraph(createTextRuns(text), context)] : []
}

async function convertList(
  { ordered, start, items }: Tokens.List,
  context: BlockContext,
): Promise<WordBlock[]> {
  const numbering = ordered
    ? context.lists.ordered(Number(start) || 1, context.level)
    : context.lists.bullets(context.level)
  const inside = { ...context, level: context.level + 1 }
  const blocks: WordBlock[] = []
  for (const { tokens, task, checked } of items) {
    const [first, ...rest] = tokens.filter(({ type }) => type !== 'space' && type !== 'checkbox')
    const words = first && (first.type === 'text' || first.type === 'paragraph') ? first : null
    const children = words ? await convertInline((words as Tokens.Text).tokens, context.notes) : []
    const box = task ? createTextRuns(checked ? '☑ ' : '☐ ') : []
    const border = context.quoted ? { border: quoteBorder } : {}
    blocks.push(new Paragraph({ numbering, ...border, children: [...box, ...children] }))
    blocks.push(...(await convertBlocks(words || !first ? rest : [first, ...rest], inside)))
  }
  return blocks
}

async function convertTable({ header, rows, align }: Tokens.Table, context: BlockContext): Promise<Table> {
  const row = async (cells: Tokens.TableCell[], head: boolean) => {
    const tableCells = cells.map(async ({ tokens }, i) => {
      const alignment = aligned[align[i] ?? 'left']
      const children = await convertInline(tokens, context.notes, head ? { bold: true } : {})
      return new TableCell({
        ...(head ? { shading: SHADE } : {}),
        borders: cellBorders,
        margins: { top: 60, bottom: 60, left: 120, right: 120 },
        children: [new Paragraph({ alignment, spacing: { after: 0 }, children })],
      })
    })
    return new TableRow({ tableHeader: head, cantSplit: true, children: await Promise.all(tableCells) })
  }
  const body = await Promise.all(rows.map((cells) => row(cells, false)))
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    rows: [await row(header, true), ...body],
  })
}
