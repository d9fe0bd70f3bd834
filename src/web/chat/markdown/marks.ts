import { readingText } from '../../text/reading.ts'
import type { Source } from './citations.ts'

/** What a block must know of the answer around it. */
export type Surroundings = {
  /** The link definitions, as markdown. */
  defs: string
  /** Names of the footnotes; the place in the list is the number. */
  notes: readonly string[]
  sources: readonly Source[]
}

export const nothingAround: Surroundings = { defs: '', notes: [], sources: [] }

/** Numbers of footnotes and citations in a sanitised block; what leads nowhere is plain text again. */
export function fillMarks(nodes: DocumentFragment, { notes, sources }: Surroundings): void {
  for (const slot of nodes.querySelectorAll<HTMLElement>('sup.md-note-ref')) {
    const n = notes.indexOf(slot.dataset.note ?? '') + 1
    if (n)
      slot.replaceChildren(markButton('md-note-go', slot.dataset.note ?? '', String(n), readingText.note(n)))
    else slot.replaceWith(slot.textContent)
  }
  for (const note of nodes.querySelectorAll<HTMLElement>('.md-note')) numberNote(note, notes)
  for (const slot of nodes.querySelectorAll<HTMLElement>('span.md-cite')) {
    const n = Number(slot.dataset.cite)
    const source = sources[n - 1]
    slot.replaceWith(source && isWeb(source.url) ? citeLink(n, source) : slot.textContent)
  }
}

function numberNote(note: HTMLElement, notes: readonly string[]): void {
  const name = note.dataset.note ?? ''
  const n = notes.indexOf(name) + 1
  if (!n) return
  note.tabIndex = -1
  const number = document.createElement('span')
  number.className = 'md-note-number'
  number.textContent = `${n}.`
  note.prepend(number)
  const last = note.querySelector(':scope > p:last-of-type') ?? note
  last.append(' ', markButton('md-note-back', name, '↩', readingText.noteBack(n)))
}

function markButton(kind: string, name: string, text: string, label: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = kind
  button.dataset.note = name
  button.ariaLabel = label
  button.textContent = text
  return button
}

const isWeb = (url: string): boolean => /^https?:\/\//i.test(url)

function citeLink(n: number, { title, url }: Source): HTMLElement {
  const link = document.createElement('a')
  const label = readingText.cite(n, title)
  link.className = 'md-cite'
  link.dataset.cite = link.textContent = String(n)
  link.dataset.tooltip = label
  link.ariaLabel = label
  link.href = url
  link.target = '_blank'
  link.rel = 'noopener noreferrer nofollow'
  return link
}
