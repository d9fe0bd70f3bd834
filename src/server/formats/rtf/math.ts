import type { XmlNode } from '../containers/xml.ts'
import { formatMath } from '../office/math.ts'

/** Groups of an equation lie in each other to this depth; deeper ones are a part of the group around them. */
const MAX_DEPTH = 40

/** A group of an equation: RTF has the elements of Office Open XML as control words, `\mf` for `m:f`. */
export type MathGroup = { node: XmlNode; depth: number }

export const createMath = (): MathGroup => ({
  node: { name: 'm:oMath', attributes: {}, children: [] },
  depth: 0,
})

/** Begins a group within an equation by its first control word. */
export function beginMathGroup({ node, depth }: MathGroup, word: string): MathGroup {
  const name = /^m([a-z]+)$/i.exec(word)?.[1]
  if (!name || depth >= MAX_DEPTH) return { node, depth }
  const child: XmlNode = { name: `m:${name}`, attributes: {}, children: [] }
  node.children.push(child)
  return { node: child, depth: depth + 1 }
}

/** Formats an equation as LaTeX. */
export const formatMathGroup = ({ node }: MathGroup): string => formatMath(toElement(node))

/** Texts of runs are elements in Office Open XML, and those of properties are attributes. */
function toElement({ name, children }: XmlNode): XmlNode {
  const text = children.filter((child) => typeof child === 'string').join('')
  const nodes = children.filter((child) => typeof child !== 'string').map(toElement)
  if (name === 'm:r')
    return { name, attributes: {}, children: [...nodes, { name: 'm:t', attributes: {}, children: [text] }] }
  const isProperty = text.trim() !== '' && nodes.length === 0
  return { name, attributes: isProperty ? { 'm:val': text.trim() } : {}, children: nodes }
}
