import { markdownParser } from './syntax/parser.ts'
import { fillFormulas } from './formulas.ts'
import { fillReferences, emptyContext, type DocumentContext } from './references.ts'
import { sanitize } from './sanitize.ts'

/**
 * One block as nodes that are safe to be put into the page. The link definitions of the whole answer are read before
 * the block, so that `[text][name]` finds its address.
 */
export function renderBlock(markdown: string, context: DocumentContext = emptyContext): DocumentFragment {
  const source = context.defs ? `${context.defs}\n\n${markdown}` : markdown
  const nodes = sanitize(markdownParser.parse(source, { async: false }))
  fillReferences(nodes, context)
  fillFormulas(nodes)
  return nodes
}
