import { parseFragment } from 'parse5'
import { AppError } from '#server/core/app-error.ts'
import type { Place } from '#contract/readings.ts'
import { plainText } from '../rewriting/blocks.ts'
import type { BlockOptions, GroupNode, Node, Part, Range, Syntax } from '../rewriting/blocks.ts'
import { Draft } from '../rewriting/draft.ts'
import type { Opened } from '../rewriting/draft.ts'
import { getText } from './document.ts'
import { tokenizeHtml } from './tokens.ts'
import type { HtmlToken } from './tokens.ts'
import { escapeAttribute, escapeXml, findAttribute, openMarkup } from '../rewriting/xml.ts'

/** Opens a web page. Throws `document_damaged` where its bytes could not be written again. */
export function openHtml(bytes: Buffer): Opened {
  const head = bytes.toString('latin1', 0, 4096)
  const markup = openMarkup(bytes, htmlSyntax, /charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1])
  if (!markup) throw new AppError('document_damaged')
  const draft = new Draft()
  addHtml(markup.part, draft)
  const write = (changed: Map<Part, string>): Uint8Array => {
    const source = changed.get(markup.part)
    return source === undefined ? bytes : markup.encode(source)
  }
  return { format: 'html', draft, write }
}

export const htmlSyntax: Syntax = { write: (text) => escapeXml(text).replaceAll('\u00A0', '&#160;') }
const attributeSyntax: Syntax = { write: escapeAttribute }

const toNameSet = (names: string): Set<string> => new Set(names.split(' '))
/** Elements within a text; every other one ends it. */
const INLINE = toNameSet(
  'a abbr acronym b bdi bdo big cite data del dfn em font i ins label mark nobr q ruby rb s small span strike strong sub sup time tt u',
)
/** Elements that stand in a text as one thing. */
const ATOMS = toNameSet(
  'code kbd samp var svg math img input object picture audio video canvas meter progress',
)
/** Elements whose content is no text of the page. */
const SKIPPED = toNameSet('script style pre xmp textarea template iframe noembed noframes applet')
const READINGS = toNameSet('rt rp rtc')
const VOID = toNameSet('area base br col embed hr img input link meta param source track wbr')
/** Elements whose content is text alone. */
const PLAIN = toNameSet('title option')

/** Adds the texts of a page, or of a range in it: its blocks, and attributes that are shown or read aloud. */
export function addHtml(part: Part, draft: Draft, place: Place = {}, within?: Range): void {
  const { source } = part
  const heading: string[] = []
  const tokens = [...tokenizeHtml(source, within)]
  let frames: Frame[] = []
  let nodes: Node[] = []
  let dropped: Range[] = []
  let isPlain = false
  const level = (): Node[] => frames.at(-1)?.inner ?? nodes
  /** Dissolves elements that were opened and not closed in their block. */
  const flatten = (from: number): void => {
    const open = frames.slice(from)
    frames = frames.slice(0, from)
    for (const { inner } of open) level().push(...inner)
  }
  const end = (name: string): void => {
    flatten(0)
    const last = nodes.findLast((node) => node.kind !== 'text' || node.text.trim())
    const options: BlockOptions = { syntax: htmlSyntax, dropped }
    if (last && !isPlain) options.beside = { at: last.end, open: '<br/>', close: '' }
    const level = Number(/^h([1-6])$/.exec(name)?.[1] ?? 0)
    const unit = draft.add(part, nodes, heading.length ? { ...place, heading: [...heading] } : place, options)
    if (unit && level) {
      heading.length = Math.min(heading.length, level - 1)
      heading.push(plainText(nodes).trim().slice(0, 200))
    }
    nodes = []
    dropped = []
    isPlain = false
  }
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    const { kind, name, start } = token
    if (kind === 'text') level().push(...readText(source, token))
    else if (kind === 'close') {
      const index = INLINE.has(name) ? frames.findLastIndex((frame) => frame.name === name) : -1
      if (index >= 0) {
        flatten(index + 1)
        const frame = frames.pop()
        if (frame) level().push(closeFrame(source, frame, token))
      } else if (!INLINE.has(name) && !ATOMS.has(name)) end(name)
    } else if (kind === 'open') {
      addAttributes(part, draft, token, place)
      const isAtom = ATOMS.has(name)
      const isKept = isAtom || SKIPPED.has(name) || READINGS.has(name) || isNotTranslated(source, token)
      if (isKept) {
        const last = findLast(tokens, at, source)
        const range = { start, end: tokens[last]?.end ?? source.length }
        keepElement(draft, name, source.slice(range.start, range.end), place)
        if (READINGS.has(name)) dropped.push(range)
        else if (isAtom || INLINE.has(name))
          level().push({ kind: 'fixed', ...range, copied: !/^(img|input|svg)$/.test(name) })
        else if (!/^(script|style|template)$/.test(name)) end(name)
        at = last
      } else if (name === 'br') level().push({ kind: 'fixed', start, end: token.end, copied: true })
      else if (INLINE.has(name)) frames.push({ name, start, open: token.end, inner: [] })
      else if (!/^(wbr|source|track|link|meta)$/.test(name)) {
        end('')
        isPlain = PLAIN.has(name)
      }
    }
  }
  end('')
}

type Frame = { name: string; start: number; open: number; inner: Node[] }

/** Reads a text; white space becomes a node of its own, so that it stays when the text beside it changes. */
function readText(source: string, { start, end }: Range): Node[] {
  const raw = source.slice(start, end)
  const [, before = '', core = '', after = ''] = /^([ \t\r\n\f]*)(.*?)([ \t\r\n\f]*)$/s.exec(raw) ?? []
  const first = start + before.length
  const nodes: Node[] = []
  if (before) nodes.push({ kind: 'text', start, end: first, text: ' ' })
  if (core)
    nodes.push({
      kind: 'text',
      start: first,
      end: first + core.length,
      text: decodeHtml(core.replace(/[ \t\r\n\f]+/g, ' ')),
    })
  if (after && core) nodes.push({ kind: 'text', start: end - after.length, end, text: ' ' })
  return nodes
}

/** Closes an inline element: it is a group where it has words, else one thing (a picture in a link, a symbol). */
function closeFrame(source: string, { start, open, inner }: Frame, { start: close, end }: HtmlToken): Node {
  if (!/[\p{L}\p{N}]/u.test(plainText(inner))) return { kind: 'fixed', start, end }
  const tag = source.slice(start, open).replace(/\s(id|name)\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi, '')
  const group: GroupNode = {
    kind: 'group',
    start,
    end,
    inner,
    copy: { open: tag, close: source.slice(close, end) },
  }
  return group
}

/** Finds the token with which an element ends. */
function findLast(tokens: HtmlToken[], from: number, source: string): number {
  const first = tokens[from]
  if (!first || VOID.has(first.name) || source[first.end - 2] === '/') return from
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at]
    if (token?.name !== first.name) continue
    if (token.kind === 'open' && source[token.end - 2] !== '/') depth++
    else if (token.kind === 'close' && --depth === 0) return at
  }
  return from
}

const isNotTranslated = (source: string, { start, end }: HtmlToken): boolean => {
  const tag = source.slice(start, end)
  return /\stranslate\s*=\s*["']?no\b/i.test(tag) || /\sclass\s*=\s*["'][^"']*\bnotranslate\b/i.test(tag)
}

function keepElement(draft: Draft, name: string, raw: string, place: Place): void {
  const text = raw.replace(/<[^>]*>/g, '')
  if (/^(pre|xmp|textarea)$/.test(name) && /\p{L}/u.test(text)) draft.keep('code', name, place)
  else if (name === 'math') draft.keep('equation', '', place)
  else if (name === 'svg' && /\p{L}/u.test(text)) draft.keep('picture', 'svg', place)
  else if (/^(iframe|object|applet)$/.test(name)) draft.keep('embedded', name, place)
  else if (READINGS.has(name) && name !== 'rp') draft.keep('phonetic', '', place)
}

const SHOWN = ['alt', 'title', 'placeholder', 'aria-label']

function addAttributes(part: Part, draft: Draft, { name, start, end }: HtmlToken, place: Place): void {
  const { source } = part
  const tag = source.slice(start, end)
  if (!tag.includes('=')) return
  const names = SHOWN.filter((each) => tag.includes(each))
  if (
    name === 'meta' &&
    /(name|property)\s*=\s*["'](og:|twitter:)?(description|title|keywords)["']/i.test(tag)
  )
    names.push('content')
  if (name === 'input' && /type\s*=\s*["']?(submit|button|reset)\b/i.test(tag)) names.push('value')
  if (/^(track|option|optgroup)$/.test(name)) names.push('label')
  for (const each of names) {
    const attribute = findAttribute(source, { start, open: end }, each)
    if (!attribute) continue
    const text = decodeHtml(source.slice(attribute.start, attribute.end)).replace(/[\t\r\n]/g, ' ')
    draft.add(part, [{ kind: 'text', start: attribute.start, end: attribute.end, text }], place, {
      syntax: attributeSyntax,
    })
  }
}

const entities = new Map<string, string>()

/** Decodes references. HTML has two thousand names for characters; those that occur are looked up once. */
export function decodeHtml(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi, (whole) => {
    const character = entities.get(whole) ?? parseFragment(whole).childNodes.map(getText).join('')
    entities.set(whole, character)
    return character
  })
}
