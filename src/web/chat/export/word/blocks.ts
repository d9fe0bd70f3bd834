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
import { languageOf } from '../../markdown/codeHtml.ts'
import { formulaOf } from './formula.ts'
import { inline, lines, type Notes } from './inline.ts'
import type { Lists } from './lists.ts'
import { cellBorders, MONO, quoteBorder, ruleBorder, SHADE } from './look.ts'
import { diagramRun } from './pictures.ts'

/** Where a block stands: `level` is the depth of lists around it, `quoted` of quotations. */
export type Place = { notes: Notes; lists: Lists; level: number; quoted: number }
type Made = Paragraph | Table

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

/** What the place of a paragraph adds to it. */
function placed({ level, quoted }: Place): Partial<IParagraphOptions> {
  const left = (level + quoted) * INDENT
  return { ...(left ? { indent: { left } } : {}), ...(quoted ? { border: quoteBorder } : {}) }
}

export async function blocks(tokens: readonly Token[], place: Place): Promise<Made[]> {
  const made: Made[] = []
  for (const token of tokens) made.push(...(await block(token, place)))
  return made
}

const paragraph = (
  children: readonly ParagraphChild[],
  place: Place,
  more: Partial<IParagraphOptions> = {},
) => new Paragraph({ ...placed(place), ...more, children })

async function block(token: Token, place: Place): Promise<Made[]> {
  switch (token.type) {
    case 'space':
    case 'def':
    case 'footnote':
      return []
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading
      return [
        paragraph(await inline(tokens, place.notes), place, {
          heading: headings[depth - 1] ?? HeadingLevel.HEADING_6,
        }),
      ]
    }
    case 'code':
      return code(token as Tokens.Code, place)
    case 'blockMath':
      return [display(String((token as Tokens.Generic).tex), place)]
    case 'list':
      return list(token as Tokens.List, place)
    case 'table':
      return [await table(token as Tokens.Table, place), new Paragraph({ children: [] })]
    case 'blockquote':
      return blocks((token as Tokens.Blockquote).tokens, { ...place, quoted: place.quoted + 1 })
    case 'hr':
      return [new Paragraph({ border: ruleBorder, children: [] })]
    case 'html':
      return html(token.raw, place)
    default: {
      const { tokens, text } = token as Tokens.Generic
      const children = tokens ? await inline(tokens, place.notes) : lines(String(text ?? token.raw))
      return [paragraph(children, place)]
    }
  }
}

function display(tex: string, place: Place): Paragraph {
  const formula = formulaOf(tex, true)
  return paragraph(formula ? [formula] : lines(tex, { font: MONO }), place, {
    alignment: AlignmentType.CENTER,
  })
}

/** Code keeps its lines together in one shaded paragraph; a diagram is drawn, its code is kept below where it cannot. */
async function code({ text, lang }: Tokens.Code, place: Place): Promise<Paragraph[]> {
  const diagram = languageOf(lang).toLowerCase() === 'mermaid' ? await diagramRun(text) : null
  if (diagram) return [paragraph([diagram], place, { alignment: AlignmentType.CENTER })]
  return [paragraph(lines(text), place, { style: 'Code', shading: SHADE, border: {} })]
}

function html(raw: string, place: Place): Paragraph[] {
  const text = raw
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .trim()
  return text ? [paragraph(lines(text), place)] : []
}

async function list({ ordered, start, items }: Tokens.List, place: Place): Promise<Made[]> {
  const numbering = ordered
    ? place.lists.ordered(Number(start) || 1, place.level)
    : place.lists.bullets(place.level)
  const inside = { ...place, level: place.level + 1 }
  const made: Made[] = []
  for (const { tokens, task, checked } of items) {
    const [first, ...rest] = tokens.filter(({ type }) => type !== 'space' && type !== 'checkbox')
    const words = first && (first.type === 'text' || first.type === 'paragraph') ? first : null
    const children = words ? await inline((words as Tokens.Text).tokens, place.notes) : []
    const box = task ? lines(checked ? '☑ ' : '☐ ') : []
    const border = place.quoted ? { border: quoteBorder } : {}
    made.push(new Paragraph({ numbering, ...border, children: [...box, ...children] }))
    made.push(...(await blocks(words || !first ? rest : [first, ...rest], inside)))
  }
  return made
}

async function table({ header, rows, align }: Tokens.Table, place: Place): Promise<Table> {
  const row = async (cells: Tokens.TableCell[], head: boolean) => {
    const made = cells.map(async ({ tokens }, i) => {
      const alignment = aligned[align[i] ?? 'left']
      const children = await inline(tokens, place.notes, head ? { bold: true } : {})
      return new TableCell({
        ...(head ? { shading: SHADE } : {}),
        borders: cellBorders,
        margins: { top: 60, bottom: 60, left: 120, right: 120 },
        children: [new Paragraph({ alignment, spacing: { after: 0 }, children })],
      })
    })
    return new TableRow({ tableHeader: head, cantSplit: true, children: await Promise.all(made) })
  }
  const body = await Promise.all(rows.map((cells) => row(cells, false)))
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    rows: [await row(header, true), ...body],
  })
}
