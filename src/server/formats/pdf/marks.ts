import { formatScript } from '../text/markdown.ts'

/**
 * Marks within the text of a page, until it is written: pairs of noncharacters, which Unicode keeps for such a use
 * (The Unicode Standard, 23.7) and no text has.
 */
const PAIRS = {
  sup: ['\uFDD0', '\uFDD1'],
  sub: ['\uFDD2', '\uFDD3'],
  strike: ['\uFDD4', '\uFDD5'],
  link: ['\uFDD6', '\uFDD7'],
} as const

export type Mark = keyof typeof PAIRS

/** A link is followed by its index as one character, from this one of a private plane. */
const FIRST_LINK = 0x10_0000
const MAX_LINKS = 0xfffd

const NONCHARACTERS = /[\uFDD0-\uFDEF]/g

/** Takes out of a text from a file what would be read as a mark. */
export const dropNoncharacters = (text: string): string => text.replace(NONCHARACTERS, '')

/** Marks a text, its white space at either end excepted. */
export function markText(text: string, mark: Mark, link = 0): string {
  const inner = text.trim()
  if (!inner) return text
  const [begin, end] = PAIRS[mark]
  const index = mark === 'link' ? String.fromCodePoint(FIRST_LINK + Math.min(link, MAX_LINKS)) : ''
  return text.replace(inner, () => begin + index + inner + end)
}

/** Returns a text without its marks. */
export const dropMarks = (text: string): string => text.replace(/\uFDD6.|[\uFDD0-\uFDEF]/gsu, '')

export const startsWithScript = (text: string): boolean => /^[\uFDD0\uFDD2]/.test(text)

/** Writes the marks as Markdown. `links` has the addresses of the page, in the order of their indexes. */
export function formatMarks(text: string, links: string[] = []): string {
  if (!/[\uFDD0-\uFDD7]/.test(text)) return text
  return joinMarks(text)
    .replace(/\uFDD0([^\uFDD0\uFDD1]*)\uFDD1/g, (_, inner: string) => formatScript(inner, 'sup'))
    .replace(/\uFDD2([^\uFDD2\uFDD3]*)\uFDD3/g, (_, inner: string) => formatScript(inner, 'sub'))
    .replace(/[\uFDD4\uFDD5]/g, '~~')
    .replace(/\uFDD6(.)([^\uFDD6\uFDD7]*)\uFDD7/gsu, (_, index: string, inner: string) => {
      const address = links[(index.codePointAt(0) ?? 0) - FIRST_LINK]
      return address && !isAddress(inner, address) ? `[${inner}](${address})` : inner
    })
    .replace(NONCHARACTERS, '')
}

/** Tells whether the text of a link is its address, or a part of it that a line's end cut off. */
const isAddress = (text: string, address: string): boolean => {
  const shown = text.replace(/\s+/g, '').replace(/^[<(]*(?:https?:\/\/|mailto:)?|[/>).,;]+$/gi, '')
  return shown.length > 3 && decode(address).includes(shown)
}

function decode(address: string): string {
  try {
    return decodeURI(address)
  } catch {
    return address
  }
}

/** Writes the marks as plain text: scripts by Unicode's own characters where it has all of them. */
export function formatPlainMarks(text: string): string {
  const script = (inner: string, kind: 'sup' | 'sub'): string => {
    const written = formatScript(inner, kind)
    return written.startsWith('<') ? inner : written
  }
  return text
    .replace(/\uFDD0([^\uFDD0\uFDD1]*)\uFDD1/g, (_, inner: string) => script(inner, 'sup'))
    .replace(/\uFDD2([^\uFDD2\uFDD3]*)\uFDD3/g, (_, inner: string) => script(inner, 'sub'))
    .replace(/\uFDD6./gsu, '')
    .replace(NONCHARACTERS, '')
}

/** Joins marks of one kind that follow each other: a line's end, or a change of font, parts them in the file. */
function joinMarks(text: string): string {
  const joined = text.replace(/\uFDD1\uFDD0|\uFDD3\uFDD2/g, '').replace(/\uFDD5(\s*)\uFDD4/g, '$1')
  const again = /\uFDD6(.)([^\uFDD6\uFDD7]*)\uFDD7(\s*)\uFDD6\1/gsu
  let before = ''
  let after = joined
  while (after !== before) {
    before = after
    after = before.replace(again, '\uFDD6$1$2$3')
  }
  return after
}
