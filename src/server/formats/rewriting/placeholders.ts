import { readIcuArgument } from './icu.ts'
import type { Piece, PieceGroup } from './piece.ts'

/** Command of LaTeX with its earlier arguments, or an exponent or index: the braces behind them are its own. */
const NOT_TEX = String.raw`(?<!\\[a-zA-Z]{1,30}\*?(?:\[[^\]]{0,50}\])?(?:\{[^{}]{0,80}\}){0,4}|\^|(?<![A-Za-z\d])[A-Za-z]_)`
/** Flags, width, precision and length of a conversion of `printf` (C, Java, Python, PHP, Objective-C). */
const WIDTH = String.raw`[-+#0,_^]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|L|q|j|z|t|I64|I32)?`
/** Units that stand behind a number without a space. */
const UNIT = '(?:x%|px|pt|em|dp|ms|[kKMGT]?B|s|h|m|min|k|K|th|nd|rd|st)(?![A-Za-z])'
const ATTRIBUTES = String.raw`(?:\s+[\w:@.-]{1,60}(?:\s*=\s*(?:"[^"<>]{0,500}"|'[^'<>]{0,500}'|[^\s"'<>=]{1,200}))?){0,20}`

/** Each pattern's forms are those of the libraries named beside it. */
const PATTERNS = [
  // Mustache, Vue, i18next, Jinja; ERB
  String.raw`${NOT_TEX}\{\{\{?[^{}\n]{1,200}\}\}\}?|\{%[^{}\n]{1,200}%\}|<%[^%\n]{1,200}%>`,
  // JavaScript, shells; Ruby
  String.raw`[$#]\{[^{}\n]{1,100}\}|%\{[\w.]{1,60}\}(?:[dsf]\b)?`,
  // Python, Java, ICU: `{}`, `{0}`, `{name}`, and names in any script
  String.raw`${NOT_TEX}\{(?:[ ]?[\w.$\-[\]]{1,60}[ ]?|[\p{L}\p{N}_]{1,16})?\}`,
  // .NET, Python, with a format; ICU
  String.raw`${NOT_TEX}\{\d{1,3}(?:,-?\d{1,3})?(?::[^{}\n]{1,40})?\}`,
  String.raw`${NOT_TEX}\{[A-Za-z_][\w.[\]]{0,60}(?:![rsa])?(?::(?=[^{}]*[<>=^.,%A-Za-z])[<>=^+ ,0-]{0,4}\d*[,_]?(?:\.\d+)?[bcdeEfFgGnosxX%]?|:(?=[^{}]*(?:yy|MM|dd|HH|hh|mm|ss))[yMdHhmsSaEzZ:/., '-]{4,30})?\}`,
  String.raw`\{\s*[\w.]{1,60}\s*,\s*(?:number|date|time|spellout|ordinal|duration|list)\s*(?:,[^{}\n]{0,100})?\}`,
  // printf with positions or names; without them not behind a figure, which is a percentage
  String.raw`%\d{1,2}\$${WIDTH}[A-Za-z@]|%\([\w.]{1,60}\)[-+ #0]*\d*(?:\.\d+)?[A-Za-z]|%#@\w{1,60}@`,
  String.raw`(?<!\d)%${WIDTH}[A-Za-z@](?![A-Za-z\d])|(?<!\d)%[\d.]*[dufs](?=${UNIT})|%%`,
  // Symfony, Windows
  String.raw`(?<![\w%])%(?![\dA-F]{2}%)[A-Za-z_][\w.]{0,60}%`,
  // References of i18next and of vue-i18n to other messages
  String.raw`\$t\((?:[^()\n]|\([^()\n]*\)){1,200}\)|(?<![\w.])@(?:\.[a-z]{1,20})?:(?:\([\w.-]{1,80}\)|\{'?[\w.-]{1,80}'?\}|[\w.-]{0,79}\w)`,
  // Tags of HTML, of XLIFF and of React; references to characters
  String.raw`<(\/?)([A-Za-z][\w:.-]{0,40}|\d{1,3})(${ATTRIBUTES})\s*(\/?)>`,
  String.raw`&(?:[a-z]{2,8}\d{0,2}|[A-Z][a-z]{2,7}|#\d{1,7}|#x[\da-fA-F]{1,6});`,
]
const PLACEHOLDER = new RegExp(PATTERNS.join('|'), 'gu')
/** Laravel's `:name` and Qt's `%1` are placeholders only in files of messages: `%50` is a percentage in Turkish and Arabic. */
const MESSAGE_PLACEHOLDER = new RegExp(
  [
    ...PATTERNS,
    String.raw`(?<=^|[\s("'“‘（「>]):[a-z][A-Za-z_]{1,40}(?![\w:])`,
    String.raw`(?<![\w%])%L?[1-9]\d?(?![\w%$.])`,
  ].join('|'),
  'gu',
)
const MAY_HAVE = /[{%@<&$#:]/

/**
 * Splits a text at what a program fills in or reads: `{name}`, `%1$s`, `{{ count }}`, `<b>`, `&nbsp;`. Arguments of ICU with
 * branches, and pairs of tags, are groups. `isMessage`: the text is of a file of a program's messages.
 */
export function splitPlaceholders(text: string, isMessage = false): Piece[] {
  if (!MAY_HAVE.test(text)) return text ? [text] : []
  const stack: Open[] = [{ name: '', raw: '', isSure: true, inner: [] }]
  const add = (piece: Piece): void => void (piece && stack.at(-1)!.inner.push(piece))
  let at = 0
  const pattern = new RegExp(isMessage ? MESSAGE_PLACEHOLDER : PLACEHOLDER)
  const icu = text.includes('{') ? listArguments(text, isMessage) : []
  for (const argument of icu) {
    splitFlat(text.slice(0, argument.start), at, pattern, stack, add)
    add(argument.group)
    at = argument.end
  }
  splitFlat(text, at, pattern, stack, add)
  dissolve(stack, 1)
  return stack[0]!.inner
}

/** A tag that may be closed; a name alone between angle brackets is a tag only where it is closed. */
type Open = { name: string; raw: string; isSure: boolean; inner: Piece[] }

/** Most tags that are open at a time. */
const MAX_DEPTH = 50
const VOID = /^(br|hr|img|input|wbr|x|bx|ex|ph|cp)$/i

function splitFlat(
  text: string,
  from: number,
  pattern: RegExp,
  stack: Open[],
  add: (piece: Piece) => void,
): void {
  let at = from
  pattern.lastIndex = from
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [raw, slash, name = '', attributes = '', single] = match
    if (name && !slash && !single && attributes.trim() && !attributes.includes('=')) continue
    add(text.slice(at, match.index))
    at = match.index + raw.length
    if (name && slash) closeTag(stack, name, raw, add)
    else if (!name || single || VOID.test(name) || stack.length > MAX_DEPTH) add({ raw })
    else stack.push({ name, raw, isSure: attributes.includes('='), inner: [] })
  }
  add(text.slice(at))
}

function closeTag(stack: Open[], name: string, raw: string, add: (piece: Piece) => void): void {
  const index = stack.findLastIndex((open) => open.name === name)
  if (index < 1) return add({ raw })
  dissolve(stack, index + 1)
  const { raw: open, inner } = stack.pop()!
  add({ open, close: raw, inner })
}

/** Dissolves tags that were never closed, from the outermost of them. */
function dissolve(stack: Open[], from: number): void {
  const { inner: level } = stack[from - 1]!
  for (const { raw, isSure, inner } of stack.splice(from)) {
    level.push(isSure ? { raw } : raw)
    for (const piece of inner) level.push(piece)
  }
}

type Argument = { start: number; end: number; group: PieceGroup }

function listArguments(text: string, isMessage: boolean): Argument[] {
  const found: Argument[] = []
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
    const argument = readIcuArgument(text, at, (inner, isPlural) => splitBranch(inner, isPlural, isMessage))
    if (!argument) continue
    found.push({ start: at, ...argument })
    at = argument.end - 1
  }
  return found
}

/** In a branch of a plural `#` stands for the number. */
function splitBranch(text: string, isPlural: boolean, isMessage: boolean): Piece[] {
  const pieces = splitPlaceholders(text, isMessage)
  if (!isPlural) return pieces
  return pieces.flatMap((piece): Piece[] =>
    typeof piece === 'string'
      ? piece.split(/(#)/).flatMap((part) => (part === '#' ? { raw: part } : part ? part : []))
      : [piece],
  )
}

/** Forms of the signs of placeholders that an input method writes. */
const WIDE: Record<string, string> = {
  '％': '%',
  '｛': '{',
  '｝': '}',
  '＄': '$',
  '＜': '<',
  '＞': '>',
  '＠': '@',
}

/** Lists the placeholders of a text, sorted, also those in full width. */
export function listPlaceholders(text: string): string[] {
  const listPieces = (pieces: Piece[]): string[] =>
    pieces.flatMap((piece) =>
      typeof piece === 'string'
        ? []
        : 'raw' in piece
          ? [piece.raw]
          : [piece.open, ...listPieces(piece.inner), piece.close],
    )
  return listPieces(
    splitPlaceholders(text.replace(/[％｛｝＄＜＞＠]/g, (sign) => WIDE[sign] ?? '')),
  ).toSorted()
}
