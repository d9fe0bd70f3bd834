const MAX_DEPTH = 100
const MAX_NODES = 5000

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))
/** Elements that a browser opens again in every paragraph, cell and item until they are closed. */
const formatting = names('a b big code em font i nobr s small strike strong tt u')
const empty = names('area base br col embed hr img input link meta param source track wbr')
/** Elements whose content is read by other rules: what looks like a closing tag in there may be none. */
const opaque = names(
  'iframe math noembed noframes noscript plaintext script select style svg template textarea title xmp',
)

// The third group is there only for a tag that means the same to everybody who reads it.
const tags =
  /<(?:[!?]|(\/?)([a-z][^\s/<>]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'=<>`]+))?)*\s*\/?>)?)/gi

/**
 * Whether a browser makes a page of this HTML that is neither too deep nor too large: 4 kB of tags left open can become
 * millions of elements. Judged from above: only what is closed in order counts as closed.
 */
export function isHtmlBounded(html: string): boolean {
  const open: string[] = []
  let [nodes, openFormatting, isPlain] = [0, 0, true]
  for (const [, slash, tag, rest] of html.matchAll(tags)) {
    const name = tag?.toLowerCase() ?? ''
    isPlain &&= rest !== undefined && !opaque.has(name)
    if (slash) {
      if (!isPlain || open.at(-1) !== name) continue
      open.pop()
      if (formatting.has(name)) openFormatting--
      continue
    }
    nodes += 1 + openFormatting
    if (!name || empty.has(name)) continue
    open.push(name)
    if (formatting.has(name)) openFormatting++
    if (open.length > MAX_DEPTH || nodes > MAX_NODES) return false
  }
  return nodes <= MAX_NODES
}
