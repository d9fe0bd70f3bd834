/** Reduces a text to its words: no marks of Markdown, no white space, no escapes. */
export function normalize(text: string): string {
  return (
    text
      .replace(/<!--.*?-->|<\/?su[bp]>/gs, '')
      .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/\]\((?:[^()\n]|\([^()\n]*\))*\)/g, ']')
      .replace(/<br>/g, '')
      .replace(/&(?:#(\d+)|(lt|gt|amp|quot|nbsp));/g, (_, code: string, name: string) =>
        code ? String.fromCodePoint(Number(code)) : ({ lt: '<', gt: '>', amp: '&', quot: '"' }[name] ?? ''),
      )
      .normalize('NFKC')
      .replaceAll('\u2044', '/')
      // Leaders of a table of contents.
      .replace(/(?:\s?\.){4,}/g, '')
      // Readers choose their own quotation marks, and bullets of old fonts are no characters.
      .replace(/["'\u2018\u2019\u201C\u201D\u2032\u2033]|[^\P{C}\n]/gu, '')
      .replace(/[\u2010-\u2015\u2212]/g, '')
      .replace(/[\s*_~`#\\>|$[\]{}\u200B\uFEFF-]/g, '')
      .toLowerCase()
  )
}

/** Lists the sentences of a text beside its tables. */
export const listSentences = (markdown: string): string[] =>
  markdown
    .split('\n')
    .filter((line) => !/^\s*\|/.test(line))
    .flatMap(toSentences)

/** Splits a line into sentences of three letters or more; pictures and rules have none. */
const toSentences = (line: string): string[] =>
  line
    .replace(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ x]\]\s*)?/, '')
    .split(/(?<=[.!?。！？；])\s+/)
    .filter((sentence) => normalize(sentence).length >= 3)

/** Lists the cells with text of all tables, without their marks and white space. */
export const listCells = (markdown: string): string[] =>
  listCellTexts(markdown).map(normalize).filter(Boolean)

/** Lists the cells of all tables as they are written. */
export function listCellTexts(markdown: string): string[] {
  return markdown
    .split('\n')
    .filter((line) => /^\s*\|/.test(line) && !/^[\s|:-]+$/.test(line))
    .flatMap((line) => line.replaceAll('\\|', '\u0001').split('|').slice(1, -1))
    .map((cell) => cell.replaceAll('\u0001', '|').trim())
}
