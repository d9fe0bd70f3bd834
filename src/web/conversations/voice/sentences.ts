import { removeCitations } from '#contract/conversations/citations.ts'

/** Ends of sentences; a Latin full stop counts only before a blank. */
const END = /[。！？!?；;…]/
/** Characters that belong to the sentence before them. */
const CLOSING = /[。！？!?；;…”’」』）)】》"']/
const ABBREVIATION = /(?:^|[\s(（])(?:[A-Za-z]|[Dd]r|[Mm]rs?|[Mm]s|[Pp]rof|vs|etc|e\.g|i\.e|No|Fig|St)$/
/** The beginning of a fence, perhaps in a list or a quotation. */
const FENCE = /^[\s>]*(?:[-*+]\s+|\d{1,9}[.)]\s+)?(`{3,}(?=[^`]*$)|~{3,})/
/** Characters beyond which a sentence is split at its commas. */
const LONG = 160

/**
 * Returns the sentences of a Markdown text to be read aloud, without markup, code, formulas and pictures. Unless `isComplete`,
 * the end that may still change is held back, so that a growing text's sentences are always the first ones of the whole.
 */
export function splitSentences(markdown: string, isComplete: boolean): string[] {
  const lines = markdown.split('\n')
  const sentences: string[] = []
  let fence = ''
  let formula = false
  for (const [index, line] of lines.entries()) {
    const isGrowing = !isComplete && index === lines.length - 1
    const fenceMark = FENCE.exec(line)?.[1] ?? ''
    if (fence) {
      if (fenceMark.startsWith(fence) && line.replace(/^[\s>]+/, '').trim() === fenceMark && !isGrowing)
        fence = ''
    } else if (/^\s*(\$\$|\\\[)/.test(line) || formula) {
      const isClosed: boolean = formula ? /(\$\$|\\\])/.test(line) : /(\$\$.+\$\$|\\\[.+\\\])/.test(line)
      formula = !isClosed
    } else if (fenceMark) fence = fenceMark
    else if (!isGrowing || !isUndecided(line))
      sentences.push(...splitLine(toPlainText(line, isGrowing), isGrowing))
  }
  return sentences
}

/** Tells whether the beginning of a line may become a fence, a formula, a table or a list. */
const isUndecided = (line: string): boolean =>
  /^[\s>#*+\-_=`~$\\|\d.)[\]]*$/.test(line) || /^\s*\|/.test(line)

/** Removes markup from a line. In a growing line, text behind an unclosed mark is left out. */
function toPlainText(line: string, isGrowing: boolean): string {
  const text = line
    .replace(/^\s*(?:>\s?)*\s*(?:#{1,6}\s+|[*+-]\s+(?:\[[ xX]\]\s+)?|\d{1,9}[.)]\s+)?/, '')
    .replace(/^\s*\|?[\s:|-]+\|[\s:|-]*$/, '')
  const cells = /^\s*\|/.test(text) ? text.replaceAll('|', '，').replace(/^[，\s]+|[，\s]+$/g, '') : text
  const plainText = removeCitations(cells)
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\$[^$\n]+\$|\\\(.+?\\\)/g, '')
    .replace(/`+([^`]*)`+/g, '$1')
    .replace(/<[^>]+>/g, '')
    .replace(/https?:\/\/[^\s，。）)]+/g, '')
  const shownSafely = isGrowing ? plainText.slice(0, findUnclosed(plainText)) : plainText
  return shownSafely.replace(/\*+|~~|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
}

function findUnclosed(text: string): number {
  const at = text.search(/[[`$<\\]|https?:/)
  return at < 0 ? text.length : at
}

function splitLine(text: string, isGrowing: boolean): string[] {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    if (!isSentenceEnd(text, at)) continue
    let end = at + 1
    while (end < text.length && CLOSING.test(text.charAt(end))) end += 1
    if (isGrowing && end === text.length) break
    parts.push(text.slice(from, end))
    from = end
    at = end - 1
  }
  if (!isGrowing) parts.push(text.slice(from))
  return parts
    .flatMap(splitLongSentence)
    .map((part) => part.trim())
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
}

function isSentenceEnd(text: string, at: number): boolean {
  const char = text.charAt(at)
  if (END.test(char)) return true
  if (char !== '.' || !/\s/.test(text.charAt(at + 1))) return false
  return !ABBREVIATION.test(text.slice(0, at))
}

/** Splits a long sentence behind commas. */
function splitLongSentence(sentence: string): string[] {
  if (sentence.length <= LONG) return [sentence]
  const parts: string[] = []
  let from = 0
  for (const comma of sentence.matchAll(/[，,、：:]/g)) {
    if (comma.index + 1 - from < LONG / 2) continue
    parts.push(sentence.slice(from, comma.index + 1))
    from = comma.index + 1
  }
  const rest = sentence.slice(from)
  for (let at = 0; at < rest.length; at += LONG * 2) parts.push(rest.slice(at, at + LONG * 2))
  return parts
}
