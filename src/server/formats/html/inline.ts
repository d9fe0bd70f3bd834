import { serializeOuter } from 'parse5'
import { formatMathMl } from '../text/mathml.ts'
import { escapeText, formatPhonetic, formatScript } from '../text/markdown.ts'
import { findElements, getAttribute, getText, isElement } from './document.ts'
import type { Element, Node } from './document.ts'

/** Deepest nesting of elements; deeper ones are read as their plain text. */
export const MAX_DEPTH = 200

/** Elements of which a page shows nothing, or what is not in its file. */
const UNSEEN = new Set(
  'script style noscript template head title meta link iframe object embed canvas video audio datalist noframes noembed rp'.split(
    ' ',
  ),
)

/** Tells whether a page does not show an element. */
export function isSkipped(element: Element): boolean {
  const style = getAttribute(element, 'style') ?? ''
  return (
    UNSEEN.has(element.tagName) ||
    getAttribute(element, 'hidden') !== undefined ||
    (element.tagName === 'dialog' && getAttribute(element, 'open') === undefined) ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style)
  )
}

/** Formats nodes that stand in a line as Markdown. Neighbours with the same mark are marked together. */
export function formatInline(nodes: Iterable<Node>, depth: number): string {
  let text = ''
  let marked = ''
  let mark: string | undefined
  const flush = (): void => {
    text += mark && marked.trim() ? wrap(marked, mark) : marked
    marked = ''
  }
  const shownNodes = leaveOutDoubles([...nodes])
  for (const node of shownNodes) {
    const nextMark = depth <= MAX_DEPTH && isElement(node) ? getMark(node) : undefined
    if (nextMark !== mark) flush()
    mark = nextMark
    marked += formatNode(node, depth)
  }
  flush()
  return text.replace(/[ \t]{2,}/g, ' ').replace(/[ \t]?\n[ \t]?/g, '\n')
}

/** Leaves out what draws a formula again beside its MathML, as KaTeX and MathJax do for the eye. */
function leaveOutDoubles(nodes: Node[]): Node[] {
  const isDouble = (node: Node): boolean => isElement(node) && getAttribute(node, 'aria-hidden') === 'true'
  const isFormula = (node: Node): boolean =>
    isElement(node) && (node.tagName === 'math' || !findElements(node, 'math').next().done)
  if (!nodes.some(isDouble) || !nodes.some((node) => !isDouble(node) && isFormula(node))) return nodes
  return nodes.filter((node) => !isDouble(node))
}

/** Formats a node without its mark. */
function formatNode(node: Node, depth: number): string {
  if (!isElement(node)) return formatPlain(node)
  if (isSkipped(node)) return ''
  if (depth > MAX_DEPTH) return formatPlain(node)
  const special = SPECIAL.get(node.tagName)
  if (special) return special(node, depth)
  const inner = formatInline(node.childNodes, depth + 1)
  return inner.trim() ? (ALTERED.get(node.tagName)?.(inner) ?? inner) : inner
}

/** Marks of Markdown around the words of an element. */
const MARKS = new Map<string, string>(
  Object.entries({
    strong: '**',
    b: '**',
    em: '*',
    i: '*',
    del: '~~',
    s: '~~',
    strike: '~~',
  }),
)

const formatCodeSpan = (inner: string): string => (inner.includes('`') ? inner : wrap(inner, '`'))

/** Elements whose words are written in another way. */
const ALTERED = new Map<string, (inner: string) => string>(
  Object.entries({
    code: formatCodeSpan,
    kbd: formatCodeSpan,
    samp: formatCodeSpan,
    sup: (inner) => formatScript(inner, 'sup'),
    sub: (inner) => formatScript(inner, 'sub'),
    q: (inner) => wrap(inner, '“', '”'),
    p: (inner) => `\n${inner}\n`,
  }),
)

/** Elements that are more than their words. */
const SPECIAL = new Map<string, (element: Element, depth: number) => string>(
  Object.entries({
    br: () => '\n',
    img: formatImage,
    area: formatImage,
    input: formatInput,
    textarea: formatPlain,
    a: formatLink,
    ruby: formatRuby,
    math: formatFormula,
    svg: (svg) => formatLabels(svg, ' '),
  }),
)

function getMark(element: Element): string | undefined {
  const mark = MARKS.get(element.tagName)
  if (mark) return mark
  const style = getAttribute(element, 'style') ?? ''
  return /text-decoration(?:-line)?\s*:[^;]*line-through/i.test(style) ? '~~' : undefined
}

/** Puts marks around the words, not around the white space beside them. */
function wrap(text: string, mark: string, end = mark): string {
  const inner = text.trim()
  const start = text.indexOf(inner)
  return text.slice(0, start) + mark + inner + end + text.slice(start + inner.length)
}

function formatLink(link: Element, depth: number): string {
  const text = formatInline(link.childNodes, depth + 1)
  const href = (getAttribute(link, 'href') ?? '').trim()
  if (!text.trim() || !/^(https?:|mailto:)/i.test(href) || text.includes('](')) return text
  const target = href.replace(/[\s()<>]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
  return wrap(text.replaceAll('\n', ' '), '[', `](${target})`)
}

function formatImage(image: Element): string {
  const alt = escapeText(collapse(getAttribute(image, 'alt') ?? '').replace(/[[\]]/g, '')).trim()
  return alt ? `![${alt}]()` : ''
}

function formatInput(input: Element): string {
  const type = getAttribute(input, 'type') ?? 'text'
  if (type === 'checkbox' || type === 'radio')
    return getAttribute(input, 'checked') === undefined ? '[ ] ' : '[x] '
  return /^(text|submit|button|reset)$/.test(type)
    ? escapeText(collapse(getAttribute(input, 'value') ?? ''))
    : ''
}

/** Formats characters with their readings: those that follow each other are one word with one reading. */
function formatRuby(ruby: Element, depth: number): string {
  const guides = [...findElements(ruby, 'rt', 'rtc'), ...findElements(ruby, 'rtc')]
  const readings = guides.map((reading) => formatPlain(reading).trim())
  const base = ruby.childNodes.filter((node) => !isElement(node) || !/^(rt|rtc)$/.test(node.tagName))
  return formatPhonetic(formatInline(base, depth + 1).trim(), readings.filter(Boolean).join(' '))
}

/** Formats the labels of a drawing. */
export const formatLabels = (svg: Element, separator: string): string =>
  Array.from(findElements(svg, 'text'), (label) => formatPlain(label).trim())
    .filter(Boolean)
    .join(separator)

/** Formats a formula as LaTeX: its own where it brings one. */
function formatFormula(math: Element): string {
  const annotations = [...findElements(math, 'annotation')]
  const tex = annotations.find((each) => getAttribute(each, 'encoding') === 'application/x-tex')
  const latex = tex ? getText(tex) : formatMathMl(serializeOuter(math), collapse(getText(math)))
  const mark = getAttribute(math, 'display') === 'block' ? '$$' : '$'
  return latex.trim() ? ` ${mark}${latex.trim()}${mark} ` : ''
}

/** Formats the text of a node without looking at its elements. */
export function formatPlain(node: Node): string {
  return escapeText(collapse(getText(node)))
}

/** Writes white space as one space, and leaves out what only allows a word to be cut. */
export const collapse = (text: string): string => text.replaceAll('\u00AD', '').replace(/[\s\u200B]+/g, ' ')
