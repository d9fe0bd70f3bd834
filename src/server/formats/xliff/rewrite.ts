import type { TargetLanguage } from '#contract/translate/languages.ts'
import { parseTargetLanguage } from '#contract/translate/target-language.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Node, Part, Range, Syntax } from '../rewriting/blocks.ts'
import { applyEdits } from '../rewriting/edits.ts'
import type { Edit } from '../rewriting/edits.ts'
import { Draft } from '../rewriting/draft.ts'
import type { Opened } from '../rewriting/draft.ts'
import {
  declaredEncoding,
  escapeAttribute,
  escapeXml,
  findAttribute,
  isElement,
  openMarkup,
  textOf,
} from '../rewriting/xml.ts'
import type { XmlElement } from '../rewriting/xml.ts'
import { localName, parseXliff } from './units.ts'
import type { Xliff, XliffUnit } from './units.ts'

const syntax: Syntax = { write: escapeXml, isMessage: true }

/**
 * Opens XLIFF 1.2 and 2.x: the sources of units without a translation that counts. Each translation goes to its `target` with the state
 * `translated`; inline elements stand in it as in the source. Throws `document_damaged`.
 */
export function openXliff(bytes: Buffer, _name: string, _format: string, target?: TargetLanguage): Opened {
  const markup = openMarkup(bytes, syntax, declaredEncoding(bytes))
  const xliff = markup && parseXliff(markup.part.source)
  if (!markup || !xliff) throw new AppError('document_damaged')
  const { part, encode } = markup
  const draft = new Draft()
  let [line, counted] = [1, 0]
  for (const unit of xliff.units) {
    for (; counted < unit.source.start; counted++) if (part.source[counted] === '\n') line++
    if (!unit.isTranslatable) {
      if (/\p{L}/u.test(textOf(unit.source))) draft.keep('marked', textOf(unit.source).trim(), { line })
    } else if (isOpen(unit, xliff)) addUnit(part, draft, unit, xliff, line)
  }
  return {
    format: 'xliff',
    draft,
    write(changed) {
      const source = changed.get(part)
      return source === undefined ? bytes : encode(target ? nameLanguage(source, target) : source)
    },
  }
}

/** States of a target that is a translation, in both versions. */
const FINAL = /^(translated|final|signed-off|reviewed|needs-review-.*)$/

/** Tells whether a unit lacks a translation: a target like its source, or with the state of a beginning, is none. */
function isOpen({ segment, source, target, isApproved }: XliffUnit, { isVersion2 }: Xliff): boolean {
  if (!target || !textOf(target).trim()) return true
  if (isApproved) return false
  const state = (isVersion2 ? segment : target).attributes.state ?? ''
  return state ? !FINAL.test(state) : textOf(target).trim() === textOf(source).trim()
}

function addUnit(part: Part, draft: Draft, unit: XliffUnit, xliff: Xliff, line: number): void {
  const { segment, source, target, content } = unit
  const text = part.source
  const tag = text.slice(source.start, source.open)
  const name = /^<([^\s/>]+)/.exec(tag)?.[1]?.replace(/source$/, 'target') ?? 'target'
  const state = ' state="translated"'
  const closing = `</${name}>`
  const old =
    target &&
    text
      .slice(target.start, target.open)
      .replace(/\s*\/?>$/, '')
      .replace(/\sstate(-qualifier)?\s*=\s*("[^"]*"|'[^']*')/g, '')
  const open = `${old ?? `<${name}`}${xliff.isVersion2 ? '' : state}>`
  // A new target stands below the source as the source stands in its unit.
  const indent = /(\r?\n)?[ \t]*$/.exec(text.slice(0, source.start))?.[0] ?? ''
  const place: Range & { open: string; close: string } = target
    ? { start: target.start, end: target.end, open, close: closing }
    : { start: content.end, end: content.end, open: indent + open, close: closing }
  draft.add(
    part,
    readNodes(text, content),
    { line },
    {
      target: place,
      also: xliff.isVersion2 ? [markTranslated(text, segment)] : [],
    },
  )
}

/** Version 2 notes the state at the segment. */
function markTranslated(text: string, segment: XmlElement): Edit {
  const state = findAttribute(text, segment, 'state')
  if (state) return { ...state, parts: ['translated'] }
  const at = segment.start + (/^<[^\s/>]+/.exec(text.slice(segment.start, segment.open))?.[0].length ?? 0)
  return { start: at, end: at, parts: [' state="translated"'] }
}

/** Elements around text; all others are one thing, with the code that they hold. */
const AROUND = /^(g|mrk|pc)$/

function readNodes(text: string, element: XmlElement): Node[] {
  return element.children.map((child): Node => {
    const { start, end } = child
    if (!isElement(child)) return { kind: 'text', start, end, text: child.text }
    const { translate, mtype } = child.attributes
    const isKept = translate === 'no' || mtype === 'protected' || child.close === end
    if (isKept || !AROUND.test(localName(child))) return { kind: 'fixed', start, end, copied: true }
    const copy = { open: text.slice(start, child.open), close: text.slice(child.close, end) }
    return { kind: 'group', start, end, inner: readNodes(text, child), copy }
  })
}

/** Names the language of the translations at each file, or in version 2 at the root. */
function nameLanguage(source: string, target: TargetLanguage): string {
  const xliff = parseXliff(source)
  if (!xliff) return source
  const name = xliff.isVersion2 ? 'trgLang' : 'target-language'
  const edits = (xliff.isVersion2 ? [xliff.root] : xliff.files).flatMap((element): Edit[] => {
    const attribute = findAttribute(source, element, name)
    if (attribute && parseTargetLanguage(attribute.text) === target) return []
    if (attribute) return [{ ...attribute, parts: [escapeAttribute(target)] }]
    const own = findAttribute(source, element, xliff.isVersion2 ? 'srcLang' : 'source-language')
    const at = own
      ? own.end + 1
      : element.start + (/^<[^\s/>]+/.exec(source.slice(element.start, element.open))?.[0].length ?? 0)
    return [{ start: at, end: at, parts: [` ${name}="${escapeAttribute(target)}"`] }]
  })
  return applyEdits(source, edits)
}
