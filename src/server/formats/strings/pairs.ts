import type { Range } from '../rewriting/blocks.ts'

/** A pair of a `.strings` file: its key, and its value's range between the quotes. */
export type StringsPair = { line: number; key: string; value: Range & { text: string } }

const TOKEN =
  /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\r\n]*|"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'|([\w.$/:-]+)|[=;{}()]|\n/g

/** Parses the pairs of a `.strings` file, an old property list of Apple: `"key" = "value";` with comments of C. */
export function parseStrings(source: string): StringsPair[] {
  const pairs: StringsPair[] = []
  let line = 1
  let key: { text: string; line: number } | undefined
  let hasEquals = false
  for (const { 0: token, 1: double, 2: single, 3: bare, index } of source.matchAll(TOKEN)) {
    const raw = double ?? single ?? bare
    if (raw !== undefined) {
      const start = index + (bare === undefined ? 1 : 0)
      if (key && hasEquals) {
        // A value without quotes is a word for a program.
        if (bare === undefined)
          pairs.push({
            line: key.line,
            key: key.text,
            value: { start, end: start + raw.length, text: unescapeString(raw) },
          })
        key = undefined
      } else key = { text: unescapeString(raw), line }
      hasEquals = false
    } else if (token === '=') hasEquals = true
    else if (/^[;{}()]$/.test(token)) {
      key = undefined
      hasEquals = false
    }
    for (const character of token) if (character === '\n') line++
  }
  return pairs
}

const ESCAPES: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\n': '',
}
const unescapeString = (raw: string): string =>
  raw.replace(
    /\\(?:[Uu]([\da-fA-F]{4})|([0-7]{3})|([\s\S]))/g,
    (_, hex?: string, octal?: string, one?: string) =>
      hex
        ? String.fromCharCode(Number.parseInt(hex, 16))
        : octal
          ? String.fromCharCode(Number.parseInt(octal, 8))
          : (ESCAPES[one ?? ''] ?? one ?? ''),
  )

/** Escapes a value for either kind of quotes. */
export const escapeString = (text: string): string =>
  text
    .replace(/[\\"]/g, '\\$&')
    .replace(/[\n\t\r]/g, (character) => ({ '\n': '\\n', '\t': '\\t' })[character] ?? '\\r')
