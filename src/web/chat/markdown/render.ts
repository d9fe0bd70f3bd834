import { dialect } from './dialect.ts'
import { fillFormulas } from './formulas.ts'
import { fillMarks, nothingAround, type Surroundings } from './marks.ts'
import { sanitize } from './sanitize.ts'

/**
 * One block as nodes that are safe to be put into the page. The link definitions of the whole answer are read before
 * the block, so that `[text][name]` finds its address.
 */
export function blockNodes(markdown: string, around: Surroundings = nothingAround): DocumentFragment {
  const source = around.defs ? `${around.defs}\n\n${markdown}` : markdown
  const nodes = sanitize(dialect.parse(source, { async: false }))
  fillMarks(nodes, around)
  fillFormulas(nodes)
  return nodes
}
