const LONG_WORD = /[^\s\u3000-\u9fff]{1000}/
const STEP = 100

/**
 * Marks where a word of thousands of characters may break. Without marks a browser tries every position: 30,000 digits take
 * Chromium 0.7 s.
 */
export function breakLongWords(nodes: DocumentFragment, markdown: string): void {
  if (!LONG_WORD.test(markdown)) return
  const walker = document.createTreeWalker(nodes, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (const text of texts) {
    if (!LONG_WORD.test(text.data)) continue
    const pieces = text.data.match(new RegExp(`[^]{1,${STEP}}`, 'gu')) ?? []
    text.replaceWith(...pieces.flatMap((piece, i) => (i ? [document.createElement('wbr'), piece] : [piece])))
  }
}
