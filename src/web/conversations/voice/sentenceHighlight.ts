const HIGHLIGHT_NAME = 'spoken'
const toLetters = (text: string): string[] => Array.from(text.matchAll(/[\p{L}\p{N}]/gu), ([char]) => char)

type LetterPosition = { char: string; node: Text; offset: number }

/** Returns the spoken letters of an answer in order, each with its place in the page. */
function findLetters(answer: Element): LetterPosition[] {
  const walker = document.createTreeWalker(answer, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest('pre, .katex, button') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  )
  const letters: LetterPosition[] = []
  while (walker.nextNode()) {
    const node = walker.currentNode as Text
    for (const match of node.data.matchAll(/[\p{L}\p{N}]/gu))
      letters.push({ char: match[0], node, offset: match.index })
  }
  return letters
}

/**
 * Highlights the sentence being read by the CSS Custom Highlight API, without changing the text. A sentence that is not found,
 * such as one of an answer off the page, is not highlighted.
 */
export function highlightSentence(
  answer: Element | null,
  sentences: readonly string[],
  sentenceIndex: number,
): void {
  CSS.highlights.delete(HIGHLIGHT_NAME)
  const letters = answer ? findLetters(answer) : []
  // Every letter is one unit in `chars`, so an index into it is an index into `letters`.
  const chars = letters.map(({ char }) => char.charAt(0)).join('')
  let from = 0
  for (const [index, sentence] of sentences.slice(0, sentenceIndex + 1).entries()) {
    const needle = toLetters(sentence)
      .map((char) => char.charAt(0))
      .join('')
    const start = chars.indexOf(needle, from)
    if (start < 0) continue
    from = start + needle.length
    const [first, last] = [letters[start], letters[from - 1]]
    if (index !== sentenceIndex || !first || !last) continue
    const range = new Range()
    range.setStart(first.node, first.offset)
    range.setEnd(last.node, last.offset + last.char.length)
    CSS.highlights.set(HIGHLIGHT_NAME, new Highlight(range))
  }
}
