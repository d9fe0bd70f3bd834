import type { Range } from '../rewriting/blocks.ts'
import { readLines } from '../text/lines.ts'

/** A string with its range from the first quote to the last one, over all its lines. */
export type PoString = Range & { text: string }
export type PoEntry = {
  /** Line of its `msgid`, from 1. */
  line: number
  /** Places of the flag `fuzzy` and of former sources (`#|`), which are gone once the entry is translated. */
  marks: Range[]
  isFuzzy: boolean
  context: PoString | undefined
  id: PoString
  plural: PoString | undefined
  /** Translations, one for each plural form. */
  strings: PoString[]
}

type OpenEntry = Omit<PoEntry, 'id'> & { id: PoString | undefined }
const createEntry = (): OpenEntry => ({
  line: 0,
  marks: [],
  isFuzzy: false,
  context: undefined,
  id: undefined,
  plural: undefined,
  strings: [],
})

const KEYWORD = /^(\s*(msgctxt|msgid_plural|msgid|msgstr(?:\[\d{1,2}\])?)\s*)"(.*)"\s*$/
const MORE = /^(\s*)"(.*)"\s*$/

/** Parses the entries of a PO file (GNU gettext manual, "The Format of PO Files"), without obsolete ones (`#~`). */
export function parsePo(source: string): PoEntry[] {
  const entries: PoEntry[] = []
  let entry = createEntry()
  let current: PoString | undefined
  const end = (): void => {
    const { id } = entry
    if (id && entry.strings.length > 0) entries.push({ ...entry, id })
    entry = createEntry()
    current = undefined
  }
  for (const { text, start, line, next } of readLines(source)) {
    const keyword = KEYWORD.exec(text)
    const more = keyword ? null : MORE.exec(text)
    if (keyword) {
      const [, head = '', name = '', raw = ''] = keyword
      if (entry.strings.length > 0 && /^msg(ctxt|id)$/.test(name)) end()
      const from = start + head.length
      current = { start: from, end: from + raw.length + 2, text: unescapePo(raw) }
      if (name === 'msgctxt') entry.context = current
      else if (name === 'msgid') Object.assign(entry, { id: current, line })
      else if (name === 'msgid_plural') entry.plural = current
      else entry.strings.push(current)
    } else if (more && current) {
      const [, lead = '', raw = ''] = more
      current.text += unescapePo(raw)
      current.end = start + lead.length + raw.length + 2
    } else {
      // Comments stand before their entry.
      if (entry.strings.length > 0 || /^\s*#~/.test(text)) end()
      current = undefined
      if (text.startsWith('#|')) entry.marks.push({ start, end: next })
      else if (/^#,.*\bfuzzy\b/.test(text)) {
        entry.isFuzzy = true
        entry.marks.push(findFlag(text, start, next))
      }
    }
  }
  end()
  return entries
}

/** Finds the flag with its comma, or its line where it is the only flag. */
function findFlag(text: string, start: number, next: number): Range {
  if (/^#,\s*fuzzy\s*$/.test(text)) return { start, end: next }
  const flag = /,\s*fuzzy(?=\s*,|\s*$)/.exec(text.slice(1))
  const at = start + 1 + (flag?.index ?? 0)
  return { start: at, end: at + (flag?.[0].length ?? 0) }
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' }
const unescapePo = (raw: string): string =>
  raw.replace(/\\([0-7]{1,3}|x[\da-fA-F]{1,2}|.)/g, (_, code: string) =>
    /^[0-7]/.test(code)
      ? String.fromCharCode(Number.parseInt(code, 8))
      : code.length > 1
        ? String.fromCharCode(Number.parseInt(code.slice(1), 16))
        : (ESCAPES[code] ?? code),
  )

const CODES = new Map(Object.entries(ESCAPES).map(([code, character]) => [character, `\\${code}`]))
/** Writes a string with its quotes; one of several lines begins with an empty one, as gettext writes it. */
export function writePoString(text: string, eol: string): string {
  const quote = (line: string): string =>
    `"${line.replace(/[\\"]/g, '\\$&').replace(/\p{Cc}/gu, (each) => CODES.get(each) ?? '')}"`
  const lines = text.split(/(?<=\n)/)
  return lines.length > 1 ? ['""', ...lines.map(quote)].join(eol) : quote(text)
}
