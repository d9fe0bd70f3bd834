import type { MathNode } from './mathml.ts'

/** A node of Word's own formulas (ECMA-376, part 1, 22.1), or the text of a run. */
export type Omml = { name: string; attributes?: Record<string, string>; children: (Omml | string)[] }

const el = (name: string, ...children: (Omml | string)[]): Omml => ({ name: `m:${name}`, children })
const val = (name: string, value: string): Omml => ({
  name: `m:${name}`,
  attributes: { 'm:val': value },
  children: [],
})

/** Sums, products, integrals and their kin: they take limits, and what follows belongs to them. */
const NARY = /^[∑∏∐∫∬∭∮∯∰⋀⋁⋂⋃⨀⨁⨂⨄⨆]$/
const INTEGRAL = /^[∫∬∭∮∯∰]$/
/** Accents as KaTeX writes them, and the combining characters that Word wants. */
const accents: Record<string, string> = {
  '^': '\u0302',
  ˆ: '\u0302',
  '~': '\u0303',
  '˜': '\u0303',
  '˙': '\u0307',
  '¨': '\u0308',
  '⃗': '\u20d7',
  '→': '\u20d7',
  '´': '\u0301',
  ˊ: '\u0301',
  '`': '\u0300',
  ˋ: '\u0300',
  '˘': '\u0306',
  ˇ: '\u030c',
  '¯': '\u0304',
  ˉ: '\u0304',
  '˚': '\u030a',
}
const bars = new Set(['‾', '―', '_', '¯', 'ˉ', '\u0332', '\u0305'])
const scripts: Record<string, string> = {
  'double-struck': 'double-struck',
  script: 'script',
  'bold-script': 'script',
  fraktur: 'fraktur',
  'bold-fraktur': 'fraktur',
  'sans-serif': 'sans-serif',
  'bold-sans-serif': 'sans-serif',
  monospace: 'monospace',
}

/** KaTeX's MathML as the children of one `m:oMath`. What is not known keeps its text. */
export const toOmml = (math: MathNode): Omml[] => siblings(math.children)

/** Neighbours are read together: an operator with limits takes the one behind it as its operand. */
function siblings(nodes: readonly MathNode[]): Omml[] {
  const made: Omml[] = []
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]
    if (!node) continue
    const operator = naryOf(node)
    if (!operator) made.push(...convert(node))
    else {
      const operand = nodes.slice(i + 1).findIndex(({ tag }) => tag !== 'mspace' && tag !== '')
      const next = operand < 0 ? undefined : nodes[i + 1 + operand]
      made.push(nary(operator, next && next.tag !== 'mo' ? convertOne(next, nodes, i + 1 + operand) : []))
      if (next && next.tag !== 'mo') i += 1 + operand
    }
  }
  return made
}

/** The operand of an operator, which may itself be one with limits (double sums). */
const convertOne = (node: MathNode, nodes: readonly MathNode[], at: number): Omml[] =>
  naryOf(node) ? siblings([node, ...nodes.slice(at + 1, at + 2)]) : convert(node)

type Nary = { sign: string; under: boolean; low: MathNode | undefined; high: MathNode | undefined }

/** The parts of an operator with limits; null for anything else. */
function naryOf({ tag, children }: MathNode): Nary | null {
  const [base, first, second] = children
  const sign = base && leafText(base)
  if (!sign || !NARY.test(sign)) return null
  const under = tag.startsWith('mu') || tag === 'mover'
  if (tag === 'msub' || tag === 'munder') return { sign, under, low: first, high: undefined }
  if (tag === 'msup' || tag === 'mover') return { sign, under, low: undefined, high: first }
  if (tag === 'msubsup' || tag === 'munderover') return { sign, under, low: first, high: second }
  return null
}

/** The character of an operator that may be wrapped in rows; empty for anything else. */
function leafText({ tag, text, children }: MathNode): string {
  if (tag === 'mo') return text.trim()
  return (tag === 'mrow' || tag === 'mstyle') && children.length === 1 && children[0]
    ? leafText(children[0])
    : ''
}

function nary({ sign, under, low, high }: Nary, operand: Omml[]): Omml {
  const properties = el(
    'naryPr',
    val('chr', sign),
    val('limLoc', under && !INTEGRAL.test(sign) ? 'undOvr' : 'subSup'),
    ...(low ? [] : [val('subHide', '1')]),
    ...(high ? [] : [val('supHide', '1')]),
  )
  // An empty operand would be shown as a dotted box.
  const body = operand.length ? operand : [run('\u200b', {})]
  return el('nary', properties, el('sub', ...maybe(low)), el('sup', ...maybe(high)), el('e', ...body))
}

const maybe = (node: MathNode | undefined): Omml[] => (node ? convert(node) : [])

function convert(node: MathNode): Omml[] {
  const { tag, children, attributes } = node
  const [a, b, c] = children
  const part = (name: string, child: MathNode | undefined) => el(name, ...maybe(child))
  switch (tag) {
    case 'mi':
    case 'mn':
    case 'mo':
    case 'mtext':
    case 'ms':
      // Function application and invisible products are marks for readers of MathML, not for eyes.
      return /^[\u2061-\u2064]?$/.test(node.text) ? siblings(children) : [run(node.text, attributes, tag)]
    case 'mspace':
      return Number.parseFloat(attributes.width ?? '0') > 0 ? [run('\u2009', {})] : []
    case 'annotation':
      return []
    case 'mfrac': {
      const bare = attributes.linethickness?.startsWith('0')
      const properties = bare ? [el('fPr', val('type', 'noBar'))] : []
      return [el('f', ...properties, part('num', a), part('den', b))]
    }
    case 'msqrt':
      return [el('rad', el('radPr', val('degHide', '1')), el('deg'), el('e', ...siblings(children)))]
    case 'mroot':
      return [el('rad', part('deg', b), part('e', a))]
    case 'msup':
      return [el('sSup', part('e', a), part('sup', b))]
    case 'msub':
      return [el('sSub', part('e', a), part('sub', b))]
    case 'msubsup':
      return [el('sSubSup', part('e', a), part('sub', b), part('sup', c))]
    case 'munder':
      return [under(a, b)]
    case 'mover':
      return [over(a, b)]
    case 'munderover':
      return [el('limUpp', el('e', el('limLow', part('e', a), part('lim', b))), part('lim', c))]
    case 'mtable':
      return [matrix(node)]
    case 'mphantom':
      return [el('phant', el('phantPr', val('show', '0')), el('e', ...siblings(children)))]
    case 'menclose':
      return [el('borderBox', el('e', ...siblings(children)))]
    default:
      return fenced(children) ?? siblings(children)
  }
}

function under(base: MathNode | undefined, below: MathNode | undefined): Omml {
  const mark = below ? leafText(below) : ''
  if (bars.has(mark)) return el('bar', el('barPr', val('pos', 'bot')), el('e', ...maybe(base)))
  if (mark === '⏟') return group(mark, 'bot', base)
  return el('limLow', el('e', ...maybe(base)), el('lim', ...maybe(below)))
}

function over(base: MathNode | undefined, above: MathNode | undefined): Omml {
  const mark = above ? leafText(above) : ''
  // A long line over several letters; over one letter it is an accent, which Word draws as a bar as well.
  if (bars.has(mark)) return el('bar', el('barPr', val('pos', 'top')), el('e', ...maybe(base)))
  if (mark === '⏞') return group(mark, 'top', base)
  const accent = accents[mark]
  if (accent) return el('acc', el('accPr', val('chr', accent)), el('e', ...maybe(base)))
  return el('limUpp', el('e', ...maybe(base)), el('lim', ...maybe(above)))
}

const group = (chr: string, pos: 'top' | 'bot', base: MathNode | undefined): Omml =>
  el(
    'groupChr',
    el('groupChrPr', val('chr', chr), val('pos', pos), val('vertJc', pos === 'top' ? 'bot' : 'top')),
    el('e', ...maybe(base)),
  )

function matrix({ children: rows, attributes }: MathNode): Omml {
  const columns = Math.max(1, ...rows.map((row) => row.children.length))
  const aligned = (attributes.columnalign ?? '').split(' ')
  const numbers = Array.from({ length: columns }, (_, i) => i)
  const column = (i: number) => el('mc', el('mcPr', val('count', '1'), val('mcJc', aligned[i] || 'center')))
  const cells = (row: MathNode) => numbers.map((i) => el('e', ...maybe(row.children[i])))
  return el('m', el('mPr', el('mcs', ...numbers.map(column))), ...rows.map((row) => el('mr', ...cells(row))))
}

const isFence = (node: MathNode | undefined): node is MathNode =>
  node?.tag === 'mo' && node.attributes.fence === 'true'

/** `\left( … \right)`: brackets that grow with what they hold, cases with only the left one; null where there are none. */
function fenced(children: readonly MathNode[]): Omml[] | null {
  const [first, last] = [children[0], children.at(-1)]
  if (children.length < 2 || !isFence(first)) return null
  const closed = isFence(last)
  if (!closed && !(children.length === 2 && children[1]?.tag === 'mtable')) return null
  const inside = closed ? children.slice(1, -1) : children.slice(1)
  const end = closed ? last.text.trim() : ''
  return [
    el('d', el('dPr', val('begChr', first.text.trim()), val('endChr', end)), el('e', ...siblings(inside))),
  ]
}

function run(text: string, attributes: Record<string, string>, tag = 'mo'): Omml {
  const variant = attributes.mathvariant ?? ''
  const script = scripts[variant]
  const upright = tag === 'mtext' || variant === 'normal' || (tag === 'mi' && text.length > 1 && !variant)
  const style = variant.startsWith('bold') ? (variant.includes('italic') ? 'bi' : 'b') : upright ? 'p' : ''
  const properties = [
    ...(tag === 'mtext' ? [val('nor', '1')] : []),
    ...(script ? [val('scr', script)] : []),
    ...(style && tag !== 'mtext' ? [val('sty', style)] : []),
  ]
  const words: Omml = { name: 'm:t', attributes: { 'xml:space': 'preserve' }, children: [text] }
  return el('r', ...(properties.length ? [el('rPr', ...properties)] : []), words)
}
