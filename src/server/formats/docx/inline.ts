import { findAll, findPath, getChildren, textOfNode } from '../containers/xml.ts'
import type { XmlNode } from '../containers/xml.ts'
import type { Output } from '../reading/output.ts'
import { escapeText, formatLink, formatPhonetic, formatScript } from '../text/markdown.ts'
import { formatMath } from '../office/math.ts'
import type { OfficePackage, Relation } from '../office/package.ts'
import { formatSymbol, toUnicode } from '../office/symbols.ts'
import { formatField } from './fields.ts'
import type { WordStyles } from './styles.ts'

/** A part of a Word document that is being read. */
export type Word = {
  file: OfficePackage
  styles: WordStyles
  relations: Map<string, Relation>
  output: Output
}

/** A field whose end has not come: its instruction, then its result. */
type OpenField = { instruction: string; isResult: boolean; isWritten: boolean; hidden: string }

/** Formats the runs of a paragraph; adjacent runs of the same look are marked together. */
export function formatRuns(parent: XmlNode, word: Word): string {
  const fields: OpenField[] = []
  let out = ''
  let pending = ''
  let mark = ''
  let base = ''
  let readings: string[] = []
  const flush = (): void => {
    const inner = pending.trim()
    const start = pending.indexOf(inner)
    out +=
      inner && mark
        ? pending.slice(0, start) +
          mark +
          inner +
          mark.split('').reverse().join('') +
          pending.slice(start + inner.length)
        : pending
    pending = ''
  }
  const add = (text: string, look = ''): void => {
    if (!text) return
    const phonetic = formatPhonetic(base, readings.join(' '))
    ;[base, readings] = ['', []]
    if (phonetic) add(phonetic)
    if (look !== mark) {
      flush()
      mark = look
    }
    pending += text
  }
  /** Adds text that is shown unless it is a part of a field's instruction, or stands for what the instruction shows. */
  const show = (text: string, look = ''): void => {
    const field = fields.findLast(({ isResult, isWritten }) => !isResult || isWritten)
    if (field) field.hidden += text
    else add(text, look)
  }
  const endInstruction = (field: OpenField): void => {
    const text = formatField(field.instruction)
    field.isResult = true
    if (text !== undefined) show(escapeText(text))
    field.isWritten = text !== undefined
  }
  const readRun = (run: XmlNode): void => {
    const look = getLook(run, word)
    for (const child of getChildren(run)) {
      const field = fields.at(-1)
      if (child.name === 'w:fldChar') {
        const type = child.attributes['w:fldCharType']
        if (type === 'begin') {
          show(formatFormField(child))
          fields.push({ instruction: '', isResult: false, isWritten: false, hidden: '' })
        } else if (field && !field.isResult) endInstruction(field)
        if (type === 'end') fields.pop()
      } else if (child.name === 'w:instrText') {
        if (field && !field.isResult) field.instruction += textOfNode(child)
      } else if (child.name === 'w:ruby') {
        // Characters that follow each other with a guide of their own are one word.
        const rubyBase = formatRuns(findPath(child, 'w:rubyBase') ?? child, word)
        const reading = formatRuns(findPath(child, 'w:rt') ?? child, word)
        if (base) [base, readings] = [base + rubyBase, [...readings, reading]]
        else [base, readings] = [rubyBase, [reading]]
      } else show(formatChild(child, run, word), look)
    }
  }
  const walk = (node: XmlNode): void => {
    switch (node.name) {
      case 'w:r':
        return readRun(node)
      case 'm:oMathPara':
        return show(
          getChildren(node, 'm:oMath')
            .map((math) => `$$${formatMath(math)}$$`)
            .join('\n'),
        )
      case 'm:oMath':
        return show(` $${formatMath(node)}$ `)
      case 'w:hyperlink': {
        const target = word.relations.get(node.attributes['r:id'] ?? '')
        const anchor = node.attributes['w:anchor'] ? `#${node.attributes['w:anchor']}` : ''
        const text = formatRuns(node, word)
        return show(target?.external ? formatLink(text, `${target.target}${anchor}`) : text)
      }
      case 'w:fldSimple': {
        const text = formatField(node.attributes['w:instr'] ?? '')
        return text === undefined ? getChildren(node).forEach(walk) : show(escapeText(text))
      }
      case 'w:sdt': {
        const box = findAll(findPath(node, 'w:sdtPr'), 'w14:checkbox')[0]
        if (!box) return getChildren(node).forEach(walk)
        const checked = findPath(box, 'w14:checked')?.attributes['w14:val']
        return show(checked === '1' || checked === 'true' ? '[x] ' : '[ ] ')
      }
      case 'w:del':
      case 'w:moveFrom':
      case 'w:pPr':
      case 'w:sdtPr':
        return undefined
      default:
        // A revision may add a part of an equation alone.
        if (node.name.startsWith('m:')) return show(` $${formatMath({ ...node, children: [node] })}$ `)
        return getChildren(node).forEach(walk)
    }
  }
  getChildren(parent).forEach(walk)
  // A field that ends in another paragraph: nothing of it is lost.
  const lost = fields.map(({ isWritten, hidden }) => (isWritten ? '' : hidden)).join('')
  fields.length = 0
  add(lost)
  add(formatPhonetic(base, readings.join(' ')))
  flush()
  return out
}

/** Formats the state of a form's field: a box to check, or the choice of a list. */
function formatFormField(begin: XmlNode): string {
  const data = findPath(begin, 'w:ffData')
  const box = findPath(data, 'w:checkBox')
  if (box) {
    const state = findPath(box, 'w:checked') ?? findPath(box, 'w:default')
    return state && isOn(state) ? '☑' : '☐'
  }
  const list = findPath(data, 'w:ddList')
  const choice = findPath(list, 'w:result') ?? findPath(list, 'w:default')
  const entry = getChildren(list, 'w:listEntry')[Number(choice?.attributes['w:val'] ?? 0)]
  return escapeText(entry?.attributes['w:val'] ?? '')
}

export const isOn = (node: XmlNode): boolean => !/^(0|false|none|off)$/.test(node.attributes['w:val'] ?? '1')

function getLook(run: XmlNode, { styles }: Word): string {
  const properties = findPath(run, 'w:rPr')
  const style = styles.resolveRun(properties)
  const has = (name: string): boolean => {
    const node = findPath(properties, name)
    return node !== undefined && isOn(node)
  }
  return `${style.isStruckOut ? '~~' : ''}${has('w:b') ? '**' : ''}${has('w:i') ? '*' : ''}`
}

/** Formats an element of a run. */
function formatChild(child: XmlNode, run: XmlNode, word: Word): string {
  switch (child.name) {
    case 'w:t': {
      const properties = findPath(run, 'w:rPr')
      const fonts = findPath(properties, 'w:rFonts')?.attributes ?? {}
      const text = escapeText(toUnicode(textOfNode(child), fonts['w:ascii'] ?? fonts['w:hAnsi']))
      const { script } = word.styles.resolveRun(properties)
      return script ? formatScript(text, script) : text
    }
    case 'w:tab':
    case 'w:ptab':
      return '\t'
    case 'w:br':
    case 'w:cr':
      return '\n'
    case 'w:noBreakHyphen':
      return '-'
    case 'w:sym':
      return formatSymbol(
        Number.parseInt(child.attributes['w:char'] ?? '', 16) || 0x20,
        child.attributes['w:font'],
      )
    case 'w:footnoteReference':
    case 'w:endnoteReference':
      return `[^${child.name[2]}${child.attributes['w:id'] ?? ''}]`
    case 'w:drawing':
    case 'w:pict':
    case 'w:object':
    case 'mc:AlternateContent':
      return formatPicture(child, word)
    default:
      return ''
  }
}

function formatPicture(node: XmlNode, { output }: Word): string {
  const art = findAll(node, 'v:textpath').map(({ attributes }) => escapeText(attributes.string ?? ''))
  if (findAll(node, 'o:OLEObject').length) output.skip('unsupported', '嵌入的文件')
  const pictures = [...findAll(node, 'a:blip'), ...findAll(node, 'v:imagedata')]
  if (!pictures.length) return art.join(' ')
  const alt = findAll(node, 'wp:docPr')[0]?.attributes.descr ?? ''
  output.skip('picture', alt || '图片')
  return (alt ? `![${escapeText(alt.replace(/[[\]\n]/g, ' '))}]()` : '') + art.join(' ')
}
