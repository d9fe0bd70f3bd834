/** The words that are selected within one answer on the screen, where they are, and whose they are. */
export function getSelectedText(): { text: string; range: Range; answer: HTMLElement } | null {
  const selection = getSelection()
  if (!selection?.rangeCount || selection.isCollapsed) return null
  const range = selection.getRangeAt(0).cloneRange()
  const answer = toElement(range.startContainer)?.closest<HTMLElement>('[data-answer]')
  if (!answer) return null
  const inside = answer.contains(range.endContainer)
  // A triple click selects up to the start of what follows, which is not part of the answer.
  if (!inside) range.setEnd(answer, answer.childNodes.length)
  // Of both, only the selection knows the breaks between paragraphs.
  const text = (inside ? selection : range).toString().trim()
  return text ? { text, range, answer } : null
}

const toElement = (node: Node): Element | null => (node instanceof Element ? node : node.parentElement)

/** The same words, of the answer with this id; empty when none are selected there. */
export function getSelectedTextOf(id: string): string {
  const selected = getSelectedText()
  return selected?.answer.dataset.answer === id ? selected.text : ''
}
