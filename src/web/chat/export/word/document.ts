import { Document, Footer, HeadingLevel, Packer, PageNumber, Paragraph, type Table, TextRun } from 'docx'
import type { Token, Tokens } from 'marked'
import type { ChatMessage } from '#contract/chat.ts'
import { exportText } from '../../../text/export.ts'
import { dialect } from '../../markdown/dialect.ts'
import { endingOf, today, type Transcript, wordsOf } from '../transcript.ts'
import { blocks } from './blocks.ts'
import { inline, lines } from './inline.ts'
import { openLists } from './lists.ts'
import { INK2, SHADE, styles } from './look.ts'

type Made = Paragraph | Table
type Footnotes = Record<string, { children: Paragraph[] }>

/** The conversation as a Word document: formulas, tables, lists and footnotes are Word's own. */
export async function toWord({ title, messages }: Transcript): Promise<Blob> {
  const lists = openLists()
  const footnotes: Footnotes = {}
  const children: Made[] = [
    new Paragraph({ heading: HeadingLevel.TITLE, children: [new TextRun(printable(title))] }),
    quiet(exportText.from(today())),
  ]
  for (const message of messages) {
    if (message.role === 'human') children.push(question(message))
    else children.push(...(await answer(message, lists, footnotes)))
  }
  const document = new Document({
    title: printable(title),
    creator: exportText.brand,
    styles,
    numbering: { config: lists.config() },
    footnotes,
    sections: [{ footers: { default: footer() }, children }],
  })
  return Packer.toBlob(document)
}

/** XML has no place for these characters, and Word opens nothing that has them. */
const printable = (text: string): string =>
  text.replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '').toWellFormed()

function question(message: ChatMessage): Paragraph {
  const me = new TextRun({ text: `${exportText.me}：`, bold: true })
  return new Paragraph({
    style: 'Question',
    shading: SHADE,
    children: [me, ...lines(printable(wordsOf(message)).trim())],
  })
}

async function answer(
  message: ChatMessage,
  lists: ReturnType<typeof openLists>,
  footnotes: Footnotes,
): Promise<Made[]> {
  const tokens = dialect.lexer(printable(wordsOf(message)))
  const notes = await addFootnotes(tokens, footnotes)
  const ending = endingOf(message)
  return [
    quiet(exportText.by(message.chat_model || message.model)),
    ...(await blocks(tokens, { notes, lists, level: 0, quoted: 0 })),
    ...(ending ? [quiet(ending)] : []),
  ]
}

/** Adds an answer's footnotes to the document's, and returns the numbers that they have there by their names. */
async function addFootnotes(tokens: readonly Token[], footnotes: Footnotes): Promise<Map<string, number>> {
  const numbers = new Map<string, number>()
  for (const token of tokens) {
    if (token.type !== 'footnote') continue
    const { name, tokens: inside = [] } = token as Tokens.Generic
    const n = Object.keys(footnotes).length + 1
    const paragraphs = inside
      .filter(({ type }) => type !== 'space')
      .map(async (part) => new Paragraph({ children: await inline((part as Tokens.Text).tokens, new Map()) }))
    footnotes[n] = { children: await Promise.all(paragraphs) }
    numbers.set(String(name), n)
  }
  return numbers
}

const quiet = (text: string): Paragraph =>
  new Paragraph({ children: [new TextRun({ text: printable(text), size: 18, color: INK2 })] })

const footer = (): Footer =>
  new Footer({
    children: [
      new Paragraph({
        children: [
          new TextRun({ text: `${exportText.brand} · ${exportText.footer} · `, size: 16, color: INK2 }),
          new TextRun({ children: [PageNumber.CURRENT], size: 16, color: INK2 }),
        ],
      }),
    ],
  })
