import { dialect } from './dialect.ts'
import { fillFormulas } from './formulas.ts'
import { sanitize } from './sanitize.ts'

/**
 * One block as nodes that are safe to be put into the page. `defs` are the link definitions of the whole answer, as
 * markdown: they are read before the block so that `[text][name]` finds its address.
 */
export function blockNodes(markdown: string, defs = ''): DocumentFragment {
  const source = defs ? `${defs}\n\n${markdown}` : markdown
  const nodes = sanitize(dialect.parse(source, { async: false }))
  fillFormulas(nodes)
  return nodes
}
