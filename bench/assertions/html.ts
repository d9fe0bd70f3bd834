import { parseFragment } from 'parse5'
import type { DefaultTreeAdapterTypes } from 'parse5'

const LINES =
  /^(p|div|td|th|tr|li|ul|ol|table|h\d|title|br|section|article|pre|blockquote|dt|dd|figcaption|header|footer)$/
const UNSEEN = /^(script|style|noscript|template|head)$/

/** Returns the text of a piece of HTML, with a line for each block. */
export function getHtmlText(html: string): string {
  const write = (node: DefaultTreeAdapterTypes.ChildNode): string => {
    if ('value' in node) return node.value
    if (!('tagName' in node) || UNSEEN.test(node.tagName)) return ''
    const inner = node.childNodes.map(write).join('')
    return LINES.test(node.tagName) ? `\n${inner}\n` : inner
  }
  return parseFragment(html).childNodes.map(write).join('')
}
