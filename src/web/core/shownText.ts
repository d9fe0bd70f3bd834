/** The text that an element shows, and the offset in it at which each text node begins (UTF-16 units). */
export type ShownText = { text: string; nodes: readonly { node: Text; start: number }[] }

/** Reads the text of `root`, without elements that match the selector `skip`. */
export function readShownText(root: Element, skip?: string): ShownText {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) =>
    skip && node.parentElement?.closest(skip) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  )
  const nodes: { node: Text; start: number }[] = []
  let text = ''
  while (walker.nextNode()) {
    const node = walker.currentNode as Text
    nodes.push({ node, start: text.length })
    text += node.data
  }
  return { text, nodes }
}

/** The page's range for the shown text from `start` to `end`; null where there is no text. */
export function toShownRange({ nodes }: ShownText, start: number, end: number): Range | null {
  const findNode = (at: number) => nodes.findLast((one) => one.start <= at)
  const [first, last] = [findNode(start), findNode(end - 1)]
  if (!first || !last) return null
  const range = document.createRange()
  range.setStart(first.node, start - first.start)
  range.setEnd(last.node, end - last.start)
  return range
}
