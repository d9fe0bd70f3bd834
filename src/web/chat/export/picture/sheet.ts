import type { ChatMessage } from '#contract/chat.ts'
import { exportText } from '../../../text/export.ts'
import { coloursSettled } from '../../markdown/colours.ts'
import { diagramsSettled } from '../../markdown/diagrams.ts'
import { loadFormulas } from '../../markdown/formulas.ts'
import { markdownView } from '../../markdown/view.ts'
import { endingOf, today, type Transcript, wordsOf } from '../transcript.ts'

/** One piece of the sheet that is never taken apart: a heading, a question, a block of an answer. */
export type Unit = { node: HTMLElement; markdown: boolean }

function piece(className: string, text: string): HTMLElement {
  const node = document.createElement('div')
  node.className = className
  node.textContent = text
  return node
}

/** Writes the conversation into `sheet`, formulas, colours and diagrams drawn; returns its pieces from top to bottom. */
export async function writeSheet(sheet: HTMLElement, { title, messages }: Transcript): Promise<Unit[]> {
  sheet.append(piece('sheet-title', title), piece('sheet-quiet', exportText.from(today())))
  const answers = messages.flatMap((message) => {
    if (message.role === 'human') {
      sheet.append(piece('sheet-question', wordsOf(message)))
      return []
    }
    return [writeAnswer(sheet, message)]
  })
  for (const show of answers) show()
  if (sheet.querySelector('.md-tex')) await loadFormulas()
  await coloursSettled()
  // What came late is shown by showing the same text again.
  for (const show of answers) show()
  await diagramsSettled()
  const footer = piece('sheet-footer', '')
  const brand = document.createElement('b')
  brand.textContent = exportText.brand
  footer.append(brand, exportText.footer)
  sheet.append(footer)
  return [...sheet.children].flatMap(unitsOf)
}

function writeAnswer(sheet: HTMLElement, message: ChatMessage): () => void {
  const place = piece('md', '')
  sheet.append(piece('sheet-by', exportText.by(message.chat_model || message.model)), place)
  const ending = endingOf(message)
  if (ending) sheet.append(piece('sheet-quiet', ending))
  const show = markdownView(place)
  return () => show(wordsOf(message), false)
}

const unitsOf = (child: Element): Unit[] =>
  child.className === 'md'
    ? [...child.children].map((node) => ({ node: node as HTMLElement, markdown: true }))
    : [{ node: child as HTMLElement, markdown: false }]
