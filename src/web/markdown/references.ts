import { isOwnUrl } from '#web/core/ownUrl.ts'
import { markdownText } from '#web/text/markdown.ts'
import type { Source } from './syntax/citations.ts'

/** Facts of the whole answer that a block depends on. */
export type DocumentContext = {
  /** The link definitions, as Markdown. */
  defs: string
  /** Names of the footnotes; a name's position is its number. */
  notes: readonly string[]
  sources: readonly Source[]
  /** The reader may not see the answer's other sources, nor their numbers. */
  hidesCitations: boolean
}

export const emptyContext: DocumentContext = { defs: '', notes: [], sources: [], hidesCitations: false }

/** Fills in the numbers of footnotes and citations in a sanitised block. References without a target become plain text. */
export function fillReferences(nodes: DocumentFragment, context: DocumentContext): void {
  const { notes } = context
  for (const slot of nodes.querySelectorAll<HTMLElement>('sup.md-note-ref')) {
    const n = notes.indexOf(slot.dataset.note ?? '') + 1
    if (n)
      slot.replaceChildren(
        createReferenceButton('md-note-go', slot.dataset.note ?? '', String(n), markdownText.note(n)),
      )
    else slot.replaceWith(slot.textContent)
  }
  for (const note of nodes.querySelectorAll<HTMLElement>('.md-note')) numberFootnote(note, notes)
  for (const slot of nodes.querySelectorAll<HTMLElement>('span.md-cite'))
    slot.replaceWith(...createCitation(slot, context))
}

/** Returns a link for each number with a source; if none has one, the citation as written, or nothing if numbers are hidden. */
function createCitation(
  slot: HTMLElement,
  { sources, hidesCitations }: DocumentContext,
): (HTMLElement | string)[] {
  const numbers = slot.dataset.cite?.split(' ').map(Number) ?? []
  const links = numbers.map((n) => {
    const source = sources.find((one) => one.n === n)
    const isShown = source && (isWebUrl(source.url) || isOwnUrl(source.url))
    return isShown ? createCitationLink(source) : hidesCitations ? '' : `[${n}]`
  })
  return links.some((link) => typeof link !== 'string') || hidesCitations ? links : [slot.textContent]
}

function numberFootnote(note: HTMLElement, notes: readonly string[]): void {
  const name = note.dataset.note ?? ''
  const n = notes.indexOf(name) + 1
  if (!n) return
  note.tabIndex = -1
  const number = document.createElement('span')
  number.className = 'md-note-number'
  number.textContent = `${n}.`
  note.prepend(number)
  const last = note.querySelector(':scope > p:last-of-type') ?? note
  last.append(' ', createReferenceButton('md-note-back', name, '↩', markdownText.noteBack(n)))
}

function createReferenceButton(kind: string, name: string, text: string, label: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = kind
  button.dataset.note = name
  button.ariaLabel = label
  button.textContent = text
  return button
}

const isWebUrl = (url: string): boolean => /^https?:\/\//i.test(url)

function createCitationLink({ n, title, url }: Source): HTMLElement {
  const link = document.createElement('a')
  const label = markdownText.cite(n, title)
  link.className = 'md-cite'
  link.dataset.cite = link.textContent = String(n)
  link.dataset.tooltip = label
  link.ariaLabel = label
  link.href = url
  if (isOwnUrl(url)) return link
  link.target = '_blank'
  link.rel = 'noopener noreferrer nofollow'
  return link
}
