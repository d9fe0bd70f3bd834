const openingMarks = /[（「『“‘《〈【〔([]+$/
const lastCharacter = /\S$/u
const closingMarks = /^[，。、；：！？）」』”’》〉】〕…,.;:!?)\]]+/

/**
 * Keeps the punctuation around a formula on its line, and a citation on the line of the character that it follows: a browser may
 * break a line on either side of anything that is no text (CSS Text 3, section 5.1). A formula itself breaks where it could
 * before.
 */
export function gluePunctuation(nodes: DocumentFragment): void {
  for (const box of nodes.querySelectorAll('.md-tex:not(.md-tex-display), .md-cite, .md-note-ref')) {
    // The source of a formula is text, which may be longer than a line.
    if (box.querySelector('.md-tex-source')) continue
    const opening = takeMarks(box.previousSibling, box.matches('.md-tex') ? openingMarks : lastCharacter)
    const closing = takeMarks(box.nextSibling, closingMarks)
    if (!opening && !closing) continue
    for (const part of box.querySelectorAll('.katex-base + .katex-base'))
      part.before(document.createElement('wbr'))
    const glue = document.createElement('span')
    glue.className = 'md-glue'
    box.replaceWith(glue)
    glue.append(opening, box, closing)
  }
}

/** Removes the marks from the text beside a box, and returns them. */
function takeMarks(node: Node | null, marks: RegExp): string {
  if (!(node instanceof Text)) return ''
  const takenMarks = marks.exec(node.data)?.[0] ?? ''
  if (takenMarks) node.data = node.data.replace(marks, '')
  return takenMarks
}
