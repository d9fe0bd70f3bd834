import type { MathNode } from './mathml.ts'

/** An element of Word's formulas (ECMA-376, part 1, 22.1), or the text of a run. */
export type Omml = { name: string; attributes?: Record<string, string>; children: (Omml | string)[] }

const createElement = (name: string, ...children: (Omml | string)[]): Omml => ({
  name: `m:${name}`,
  children,
})
const createValue = (name: string, value: string): Omml => ({
  name: `m:${name}`,
  attributes: { 'm:val': value },
  children: [],
})

/** Sums, products, integrals and the like: they take limits, and the next element is their operand. */
const NARY = /^[∑∏∐∫∬∭∮∯∰⋀⋁⋂⋃⨀⨁⨂⨄⨆]$/
const INTEGRAL = /^[∫∬∭∮∯∰]$/
/** Accents as KaTeX writes them, with the combining characters that Word needs. */
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

/** Converts KaTeX's MathML to the children of one `m:oMath`. Unknown elements keep their text. */
export const toOmml = (math: MathNode): Omml[] => convertSiblings(math.children)

/** Converts siblings together: an operator with limits takes the next sibling as its operand. */
function convertSiblings(nodes: readonly MathNode[]): Omml[] {
  const elements: Omml[] = []
  for (let at = 0; at < nodes.length;) {
    const converted = convertAt(nodes, at)
    elements.push(...converted.elements)
    at = converted.next
  }
  return elements
}

/** Converts the sibling at an index with its operand, which may be an operator too (double sums); `next` is the index after both. */
function convertAt(nodes: readonly MathNode[], at: number): { elements: Omml[]; next: number } {
  const node = nodes[at]!
  const operator = parseNary(node)
  if (!operator) return { elements: convert(node), next: at + 1 }
  const operand = nodes.findIndex(({ tag }, index) => index > at && tag !== 'mspace' && tag !== '')
  if (operand < 0 || nodes[operand]?.tag === 'mo')
    return { elements: [createNary(operator, [])], next: at + 1 }
  const { elements, next } = convertAt(nodes, operand)
  return { elements: [createNary(operator, elements)], next }
}

type Nary = { sign: string; under: boolean; low: MathNode | undefined; high: MathNode | undefined }

/** Parses an operator with limits; null for anything else. */
function parseNary({ tag, children }: MathNode): Nary | null {
  const [base, first, second] = children
  const sign = base && getLeafText(base)
  if (!sign || !NARY.test(sign)) return null
  const under = tag.startsWith('mu') || tag === 'mover'
  if (tag === 'msub' || tag === 'munder') return { sign, under, low: first, high: undefined }
  if (tag === 'msup' || tag === 'mover') return { sign, under, low: undefined, high: first }
  if (tag === 'msubsup' || tag === 'munderover') return { sign, under, low: first, high: second }
  return null
}

/** The character of an operator, which rows may wrap; empty for anything else. */
function getLeafText({ tag, text, children }: MathNode): string {
  if (tag === 'mo') return text.trim()
  return (tag === 'mrow' || tag === 'mstyle') && children.length === 1 && children[0]
    ? getLeafText(children[0])
    : ''
}

function createNary({ sign, under, low, high }: Nary, operand: Omml[]): Omml {
  const properties = createElement(
    'naryPr',
    createValue('chr', sign),
    createValue('limLoc', under && !INTEGRAL.test(sign) ? 'undOvr' : 'subSup'),
    ...(low ? [] : [createValue('subHide', '1')]),
    ...(high ? [] : [createValue('supHide', '1')]),
  )
  // Word shows an empty operand as a dotted box.
  const body = operand.length ? operand : [createRun('\u200b', {})]
  return createElement(
    'nary',
    properties,
    createElement('sub', ...convertOptional(low)),
    createElement('sup', ...convertOptional(high)),
    createElement('e', ...body),
  )
}

const convertOptional = (node: MathNode | undefined): Omml[] => (node ? convert(node) : [])

function convert(node: MathNode): Omml[] {
  const { tag, children, attributes } = node
  const [a, b, c] = children
  const part = (name: string, child: MathNode | undefined) => createElement(name, ...convertOptional(child))
  switch (tag) {
    case 'mi':
    case 'mn':
    case 'mo':
    case 'mtext':
    case 'ms':
      // Function application and invisible products are for programs that read MathML and are not visible.
      return /^[\u2061-\u2064]?$/.test(node.text)
        ? convertSiblings(children)
        : [createRun(node.text, attributes, tag)]
    case 'mspace':
      return Number.parseFloat(attributes.width ?? '0') > 0 ? [createRun('\u2009', {})] : []
    case 'annotation':
      return []
    case 'mfrac': {
      const bare = attributes.linethickness?.startsWith('0')
      const properties = bare ? [createElement('fPr', createValue('type', 'noBar'))] : []
      return [createElement('f', ...properties, part('num', a), part('den', b))]
    }
    case 'msqrt':
      return [
        createElement(
          'rad',
          createElement('radPr', createValue('degHide', '1')),
          createElement('deg'),
          createElement('e', ...convertSiblings(children)),
        ),
      ]
    case 'mroot':
      return [createElement('rad', part('deg', b), part('e', a))]
    case 'msup':
      return [createElement('sSup', part('e', a), part('sup', b))]
    case 'msub':
      return [createElement('sSub', part('e', a), part('sub', b))]
    case 'msubsup':
      return [createElement('sSubSup', part('e', a), part('sub', b), part('sup', c))]
    case 'munder':
      return [createUnder(a, b)]
    case 'mover':
      return [createOver(a, b)]
    case 'munderover':
      return [
        createElement(
          'limUpp',
          createElement('e', createElement('limLow', part('e', a), part('lim', b))),
          part('lim', c),
        ),
      ]
    case 'mtable':
      return [createMatrix(node)]
    case 'mphantom':
      return [
        createElement(
          'phant',
          createElement('phantPr', createValue('show', '0')),
          createElement('e', ...convertSiblings(children)),
        ),
      ]
    case 'menclose':
      return [createElement('borderBox', createElement('e', ...convertSiblings(children)))]
    default:
      return convertFenced(children) ?? convertSiblings(children)
  }
}

function createUnder(base: MathNode | undefined, below: MathNode | undefined): Omml {
  const mark = below ? getLeafText(below) : ''
  if (bars.has(mark))
    return createElement(
      'bar',
      createElement('barPr', createValue('pos', 'bot')),
      createElement('e', ...convertOptional(base)),
    )
  if (mark === '⏟') return createGroup(mark, 'bot', base)
  return createElement(
    'limLow',
    createElement('e', ...convertOptional(base)),
    createElement('lim', ...convertOptional(below)),
  )
}

function createOver(base: MathNode | undefined, above: MathNode | undefined): Omml {
  const mark = above ? getLeafText(above) : ''
  // A long line covers several letters; over one letter it is an accent, which Word also draws as a bar.
  if (bars.has(mark))
    return createElement(
      'bar',
      createElement('barPr', createValue('pos', 'top')),
      createElement('e', ...convertOptional(base)),
    )
  if (mark === '⏞') return createGroup(mark, 'top', base)
  const accent = accents[mark]
  if (accent)
    return createElement(
      'acc',
      createElement('accPr', createValue('chr', accent)),
      createElement('e', ...convertOptional(base)),
    )
  return createElement(
    'limUpp',
    createElement('e', ...convertOptional(base)),
    createElement('lim', ...convertOptional(above)),
  )
}

const createGroup = (chr: string, pos: 'top' | 'bot', base: MathNode | undefined): Omml =>
  createElement(
    'groupChr',
    createElement(
      'groupChrPr',
      createValue('chr', chr),
      createValue('pos', pos),
      createValue('vertJc', pos === 'top' ? 'bot' : 'top'),
    ),
    createElement('e', ...convertOptional(base)),
  )

function createMatrix({ children: rows, attributes }: MathNode): Omml {
  const columns = Math.max(1, ...rows.map((row) => row.children.length))
  const aligned = (attributes.columnalign ?? '').split(' ')
  const numbers = Array.from({ length: columns }, (_, i) => i)
  const column = (i: number) =>
    createElement(
      'mc',
      createElement('mcPr', createValue('count', '1'), createValue('mcJc', aligned[i] || 'center')),
    )
  const cells = (row: MathNode) => numbers.map((i) => createElement('e', ...convertOptional(row.children[i])))
  return createElement(
    'm',
    createElement('mPr', createElement('mcs', ...numbers.map(column))),
    ...rows.map((row) => createElement('mr', ...cells(row))),
  )
}

const isFence = (node: MathNode | undefined): node is MathNode =>
  node?.tag === 'mo' && node.attributes.fence === 'true'

/** Converts `\left( … \right)`, whose brackets grow with their contents, and cases, which have only the left one; else null. */
function convertFenced(children: readonly MathNode[]): Omml[] | null {
  const [first, last] = [children[0], children.at(-1)]
  if (children.length < 2 || !isFence(first)) return null
  const isClosed = isFence(last)
  if (!isClosed && !(children.length === 2 && children[1]?.tag === 'mtable')) return null
  const inside = isClosed ? children.slice(1, -1) : children.slice(1)
  const end = isClosed ? last.text.trim() : ''
  return [
    createElement(
      'd',
      createElement('dPr', createValue('begChr', first.text.trim()), createValue('endChr', end)),
      createElement('e', ...convertSiblings(inside)),
    ),
  ]
}

function createRun(text: string, attributes: Record<string, string>, tag = 'mo'): Omml {
  const variant = attributes.mathvariant ?? ''
  const script = scripts[variant]
  const upright = tag === 'mtext' || variant === 'normal' || (tag === 'mi' && text.length > 1 && !variant)
  const style = variant.startsWith('bold') ? (variant.includes('italic') ? 'bi' : 'b') : upright ? 'p' : ''
  const properties = [
    ...(tag === 'mtext' ? [createValue('nor', '1')] : []),
    ...(script ? [createValue('scr', script)] : []),
    ...(style && tag !== 'mtext' ? [createValue('sty', style)] : []),
  ]
  const words: Omml = { name: 'm:t', attributes: { 'xml:space': 'preserve' }, children: [text] }
  return createElement('r', ...(properties.length ? [createElement('rPr', ...properties)] : []), words)
}
