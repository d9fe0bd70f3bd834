/** Returns the text selected within one answer on the screen, with its range and that answer. */
export function getSelectedText(): { text: string; range: Range; answer: HTMLElement } | null {
  const selection = getSelection()
  if (!selection?.rangeCount || selection.isCollapsed) return null
  const range = selection.getRangeAt(0).cloneRange()
  const answer = toElement(range.startContainer)?.closest<HTMLElement>('[data-answer]')
  if (!answer) return null
  const inside = answer.contains(range.endContainer)
  // A triple click selects up to the start of the next element, which is not part of the answer.
  if (!inside) range.setEnd(answer, answer.childNodes.length)
  // Only a selection's text has line breaks between paragraphs; a range's text has none.
  const text = (inside ? selection : range).toString().trim()
  return text ? { text, range, answer } : null
}

const toElement = (node: Node): Element | null => (node instanceof Element ? node : node.parentElement)

/** Returns the text selected in the answer with this id; empty if none is. */
export function getSelectedTextOf(id: string): string {
  const selectedText = getSelectedText()
  return selectedText?.answer.dataset.answer === id ? selectedText.text : ''
}
