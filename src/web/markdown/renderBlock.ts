import { lexMarkdown } from './syntax/boundedLexer.ts'
import { markdownParser, renderSource } from './syntax/parser.ts'
import { breakLongWords } from './longWords.ts'
import { fillFormulas } from './formulas.ts'
import { gluePunctuation } from './punctuation.ts'
import { fillReferences, emptyContext, type DocumentContext } from './references.ts'
import { isHtmlBounded } from './syntax/htmlBounds.ts'
import { sanitize } from './sanitize.ts'

/** A block with more lines is not parsed: a list of that length takes too long. */
const MAX_LINES = 4000

/** Hebrew, Arabic and related scripts. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** Gives each block the direction of its own first letter. All markers of a list stand on the same side. */
function setDirections(nodes: DocumentFragment): void {
  for (const block of nodes.querySelectorAll<HTMLElement>(
    'p, ul, ol, blockquote, h1, h2, h3, h4, h5, h6, td, th, summary',
  ))
    block.dir = rightToLeft.test(/\p{L}/u.exec(block.textContent)?.[0] ?? '') ? 'rtl' : 'ltr'
}

/**
 * Renders a block as nodes that are safe to put into the page. The answer's link definitions are parsed in front of the block, so
 * that `[text][name]` finds its address.
 */
export function renderBlock(markdown: string, context: DocumentContext = emptyContext): DocumentFragment {
  if (markdown.split('\n', MAX_LINES + 1).length > MAX_LINES) return sanitize(renderSource(markdown))
  const source = context.defs ? `${context.defs}\n\n${markdown}` : markdown
  const html = markdownParser.parser(lexMarkdown(source))
  const nodes = sanitize(isHtmlBounded(html) ? html : renderSource(markdown))
  breakLongWords(nodes, markdown)
  fillReferences(nodes, context)
  fillFormulas(nodes)
  gluePunctuation(nodes)
  if (rightToLeft.test(markdown)) setDirections(nodes)
  return nodes
}
