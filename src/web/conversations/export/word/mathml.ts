/** A node of MathML as KaTeX writes it: well-formed, without comments and processing instructions. */
export type MathNode = { tag: string; attributes: Record<string, string>; text: string; children: MathNode[] }

const entities: Record<string, string> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  '#x27': "'",
  '#39': "'",
  nbsp: '\u00a0',
}
const unescapeXml = (text: string): string =>
  text.replace(/&([#\w]+);/g, (whole, name: string) => entities[name] ?? whole)

const tagPattern = /<(\/?)([\w:-]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>|([^<]+)/g

/** Parses the first `<math>` of a text; null when there is none. */
export function parseMathMl(html: string): MathNode | null {
  const math = /<math[\s\S]*<\/math>/.exec(html)?.[0]
  if (!math) return null
  const root: MathNode = { tag: '', attributes: {}, text: '', children: [] }
  const open = [root]
  for (const [, closing, tag, attributes = '', empty, text] of math.matchAll(tagPattern)) {
    const parent = open.at(-1) ?? root
    if (text !== undefined) parent.text += unescapeXml(text)
    else if (closing) open.pop()
    else if (tag) {
      const node: MathNode = { tag, attributes: parseAttributes(attributes), text: '', children: [] }
      parent.children.push(node)
      if (!empty) open.push(node)
    }
  }
  return root.children[0] ?? null
}

const parseAttributes = (source: string): Record<string, string> =>
  Object.fromEntries(
    [...source.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      unescapeXml(value),
    ]),
  )
