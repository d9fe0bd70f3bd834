import { findDelimiter } from './read.ts'
import type { Opened } from '../rewriting/draft.ts'
import { openPlain } from '../plain/rewrite.ts'
import { isTranslatable } from '../rewriting/blocks.ts'
import type { Syntax } from '../rewriting/blocks.ts'

/** Opens values separated by commas, tabs, semicolons or bars. Separators and quotes stay as they are. */
export const openCsv = (bytes: Buffer, name: string): Opened =>
  openPlain(bytes, 'csv', { write: (text) => text }, (part, draft) => {
    const { source } = part
    const delimiter = /\.(tsv|tab)$/i.test(name) ? '\t' : findDelimiter(source)
    const mustQuote = new RegExp(`["\\r\\n${delimiter === '|' ? '\\|' : delimiter}]`)
    let [row, column, at] = [1, 0, 0]
    while (at < source.length) {
      const start = at
      // Some programs put a space before the quote.
      const open = start + (/^ *(?=")/.exec(source.slice(start, start + 20))?.[0].length ?? 0)
      const close = source[open] === '"' ? findQuote(source, open) : -1
      if (close >= 0) at = close + 1
      while (at < source.length && source[at] !== delimiter && source[at] !== '\n' && source[at] !== '\r')
        at++
      // A value with text behind its closing quote could not be quoted again.
      const isQuoted = close >= 0 && at === close + 1
      const range = isQuoted ? { start: open + 1, end: close } : { start, end: at }
      const raw = source.slice(range.start, range.end)
      const text = isQuoted ? raw.replaceAll('""', '"') : raw
      const quote = (value: string): string => value.replaceAll('"', '""')
      const write = (value: string, old: string): string => {
        if (isQuoted) return quote(value)
        // A translation in a second language follows a value without quotes.
        if (!old) return value.replaceAll(delimiter, ' ').replace(/[\r\n]+/g, ' ')
        return mustQuote.test(value) ? `"${quote(value)}"` : value
      }
      const place = { range: `${toColumn(column)}${row}` }
      // A formula is a program.
      if (/^\s*[=@]/.test(text)) {
        if (isTranslatable(text)) draft.keep('formula_text', '', place)
      } else {
        draft.add(part, [{ kind: 'text', ...range, text }], place, { syntax: { write } })
      }
      if (source[at] === delimiter) column++
      else {
        if (source[at] === '\r' && source[at + 1] === '\n') at++
        row++
        column = 0
      }
      at++
    }
  })

function findQuote(source: string, start: number): number {
  for (let at = source.indexOf('"', start + 1); at >= 0; at = source.indexOf('"', at + 2))
    if (source[at + 1] !== '"') return at
  return -1
}

const toColumn = (index: number): string =>
  (index >= 26 ? toColumn(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))

/** Keys whose values are for programs. */
const PROGRAM_KEY =
  /^(_?id|.*_id|.*Id|uuid|guid|key|slug|type|kind|class|className|code|lang|language|locale|url|uri|href|src|link|path|file|filename|email|phone|color|colour|icon|image|format|version|date|time|timestamp|created_at|updated_at|hash|md5|sha\d*|token|\$schema|\$ref)$/
const STRING = /"((?:[^"\\\r\n]|\\.)*)"(\s*:)?/g

const jsonSyntax: Syntax = { write: (text) => JSON.stringify(text).slice(1, -1), isMessage: true }

/** Opens JSON and lines of JSON: values of text. Keys, numbers, names for programs and every byte around them stay. */
export const openJson = (bytes: Buffer): Opened =>
  openPlain(bytes, 'json', jsonSyntax, (part, draft) => {
    const { source } = part
    let key = ''
    let line = 1
    let counted = 0
    for (const { 0: whole, 1: inner = '', 2: colon, index } of source.matchAll(STRING)) {
      if (colon) {
        key = inner
        continue
      }
      for (; counted < index; counted++) if (source[counted] === '\n') line++
      const text = parseString(inner)
      const start = index + 1
      if (text === undefined) continue
      if (PROGRAM_KEY.test(key) || isName(text)) {
        if (isTranslatable(text)) draft.keep('identifier', key, { line })
        continue
      }
      draft.add(part, [{ kind: 'text', start, end: index + whole.length - 1, text }], { line })
    }
  })

function parseString(inner: string): string | undefined {
  try {
    return JSON.parse(`"${inner}"`) as string
  } catch {
    return undefined
  }
}

/** Tells whether a text is one word of ASCII that no language has: an identifier, a path, a code, a date. */
const isName = (text: string): boolean =>
  /^[\x21-\x7e]+$/.test(text) &&
  (/[\d_/\\.:#@=<>{}[\]$%^&*+|~]/.test(text.slice(0, -1)) ||
    /[a-z][A-Z]|^[A-Z]{2,}$|^[a-z]{2}-[A-Z]{2}$/.test(text))
