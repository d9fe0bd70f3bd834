import type { ChatMessage } from '#contract/chat.ts'
import { exportText } from '#web/text/export.ts'
import {
  waitForHighlighter,
  waitForDiagrams,
  waitForFormulas,
  createMarkdownView,
} from '#web/markdown/markdown.tsx'
import { logoLines } from '#web/ui/water/logoLines.ts'
import { drawWaterLines } from '#web/ui/water/waterLines.ts'
import { getStatusNote, formatToday, type Transcript, getMessageText } from '../transcript.ts'

/** A piece of the sheet that is never split: a heading, a question, a block of an answer. */
export type SheetUnit = { node: HTMLElement; markdown: boolean }

function createPiece(className: string, text: string): HTMLElement {
  const node = document.createElement('div')
  node.className = className
  node.textContent = text
  return node
}

/** Writes the conversation into `sheet`, with formulas, colours and diagrams; returns its pieces from top to bottom. */
export async function writeSheet(sheet: HTMLElement, { title, messages }: Transcript): Promise<SheetUnit[]> {
  sheet.append(createHead(title))
  const answers = messages.flatMap((message) => {
    if (message.role === 'human') {
      sheet.append(createPiece('sheet-question', getMessageText(message)))
      return []
    }
    return [appendAnswer(sheet, message)]
  })
  for (const show of answers) show()
  await waitForFormulas()
  await waitForHighlighter()
  // Showing the same text again draws the colours that arrived late.
  for (const show of answers) show()
  await waitForDiagrams()
  sheet.append(createFooter())
  return [...sheet.children].flatMap(toUnits)
}

/** Title and date of the picture, on the water that is behind the product's pages. */
function createHead(title: string): HTMLElement {
  const head = createPiece('sheet-head', '')
  const size = { width: 816, height: 180 }
  const water = createSvg('svg', { viewBox: `0 0 ${size.width} ${size.height}`, class: 'sheet-water' })
  for (const { d, opacity, width } of drawWaterLines({ ...size, lines: 26 }))
    water.append(createSvg('path', { d, 'stroke-opacity': `${opacity}`, 'stroke-width': `${width}` }))
  head.append(
    water,
    createPiece('sheet-title', title),
    createPiece('sheet-quiet', exportText.from(formatToday())),
  )
  return head
}

/** The product's name and address. */
function createFooter(): HTMLElement {
  const footer = createPiece('sheet-footer', '')
  const brand = createPiece('sheet-brand', '')
  const name = document.createElement('b')
  name.textContent = exportText.brand
  brand.append(createMark(), name, location.host)
  footer.append(brand, exportText.footer)
  return footer
}

function createMark(): SVGElement {
  const mark = createSvg('svg', { viewBox: '0 0 32 32', width: '20', height: '20' })
  mark.append(
    createSvg('rect', { width: '32', height: '32', rx: '8' }),
    ...logoLines.map((d) => createSvg('path', { d })),
  )
  return mark
}

function createSvg(tag: string, attributes: Record<string, string>): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  return element
}

function appendAnswer(sheet: HTMLElement, message: ChatMessage): () => void {
  const place = createPiece('md', '')
  sheet.append(createPiece('sheet-by', exportText.by(message.chat_model || message.model)), place)
  const statusNote = getStatusNote(message)
  if (statusNote) sheet.append(createPiece('sheet-quiet', statusNote))
  const show = createMarkdownView(place)
  return () => show(getMessageText(message), false)
}

const toUnits = (child: Element): SheetUnit[] =>
  child.className === 'md'
    ? [...child.children].map((node) => ({ node: node as HTMLElement, markdown: true }))
    : [{ node: child as HTMLElement, markdown: false }]
