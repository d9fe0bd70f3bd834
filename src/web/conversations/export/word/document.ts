import { Document, Footer, HeadingLevel, Packer, PageNumber, Paragraph, type Table, TextRun } from 'docx'
import type { Token, Tokens } from 'marked'
import type { ChatMessage } from '#contract/chat.ts'
import { exportText } from '#web/text/export.ts'
import { lexMarkdown } from '#web/markdown/markdown.tsx'
import { getStatusNote, formatToday, type Transcript, getMessageText } from '../transcript.ts'
import { convertBlocks } from './blocks.ts'
import { convertInline, createTextRuns } from './inline.ts'
import { createLists } from './lists.ts'
import { INK2, SHADE, styles } from './styles.ts'

type WordBlock = Paragraph | Table
type Footnotes = Record<string, { children: Paragraph[] }>

/** The conversation as a Word document with Word's own formulas, tables, lists and footnotes. */
export async function renderWord({ title, messages }: Transcript): Promise<Blob> {
  const lists = createLists()
  const footnotes: Footnotes = {}
  const children: WordBlock[] = [
    new Paragraph({ heading: HeadingLevel.TITLE, children: [new TextRun(stripControlChars(title))] }),
    createNote(exportText.from(formatToday())),
  ]
  for (const message of messages) {
    if (message.role === 'human') children.push(createQuestion(message))
    else children.push(...(await createAnswer(message, lists, footnotes)))
  }
  const document = new Document({
    title: stripControlChars(title),
    creator: exportText.brand,
    styles,
    numbering: { config: lists.config() },
    footnotes,
    sections: [{ footers: { default: createFooter() }, children }],
  })
  return Packer.toBlob(document)
}

/** XML forbids these characters, and Word does not open a file with them. */
const stripControlChars = (text: string): string =>
  text.replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '').toWellFormed()

function createQuestion(message: ChatMessage): Paragraph {
  const me = new TextRun({ text: `${exportText.me}：`, bold: true })
  return new Paragraph({
    style: 'Question',
    shading: SHADE,
    children: [me, ...createTextRuns(stripControlChars(getMessageText(message)).trim())],
  })
}

async function createAnswer(
  message: ChatMessage,
  lists: ReturnType<typeof createLists>,
  footnotes: Footnotes,
): Promise<WordBlock[]> {
  const tokens = lexMarkdown(stripControlChars(getMessageText(message)))
  const notes = await addFootnotes(tokens, footnotes)
  const ending = getStatusNote(message)
  return [
    createNote(exportText.by(message.chat_model || message.model)),
    ...(await convertBlocks(tokens, { notes, lists, level: 0, quoted: 0 })),
    ...(ending ? [createNote(ending)] : []),
  ]
}

/** Adds an answer's footnotes to the document, and returns their numbers there by name. */
async function addFootnotes(tokens: readonly Token[], footnotes: Footnotes): Promise<Map<string, number>> {
  const numbers = new Map<string, number>()
  for (const token of tokens) {
    if (token.type !== 'footnote') continue
    const { name, tokens: inside = [] } = token
    const n = Object.keys(footnotes).length + 1
    const paragraphs = inside
      .filter(({ type }) => type !== 'space')
      .map(
        async (part) =>
          new Paragraph({ children: await convertInline((part as Tokens.Text).tokens, new Map()) }),
      )
    footnotes[n] = { children: await Promise.all(paragraphs) }
    numbers.set(String(name), n)
  }
  return numbers
}

const createNote = (text: string): Paragraph =>
  new Paragraph({ children: [new TextRun({ text: stripControlChars(text), size: 18, color: INK2 })] })

const createFooter = (): Footer =>
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
