const MAX_DEPTH = 100
const MAX_NODES = 5000

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))
/** Elements that a browser reopens in every paragraph, cell and item until they are closed. */
const formatting = names('a b big code em font i nobr s small strike strong tt u')
const empty = names('area base br col embed hr img input link meta param source track wbr')
/** Elements with parsing rules of their own, in which an apparent closing tag may be none. */
const opaque = names(
  'iframe math noembed noframes noscript plaintext script select style svg template textarea title xmp',
)

// The third group matches only for a tag that every parser reads alike.
const tags =
  /<(?:[!?]|(\/?)([a-z][^\s/<>]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'=<>`]+))?)*\s*\/?>)?)/gi

/**
 * Tells whether a browser builds a page from this HTML that is neither too deep nor too large: 4 kB of unclosed tags can become
 * millions of elements. This is an upper bound: only elements closed in order count as closed.
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
