import { findCitations, removeCitations } from '#contract/conversations/citations.ts'
import { foldFigures } from '#contract/documents/exponents.ts'
import type { CitationReview } from '#contract/web-search.ts'
import { findFences } from './fences.ts'
import { extractTerms, foldText } from './terms.ts'

/** A source that an answer may cite. `text` is null where nobody here has read it: a page of the web. */
export type CitableSource = { n: number; title: string; text: string | null }

/** Least share of a sentence's terms, weighted by their rarity, that its sources must have. */
const MIN_SUPPORT = 0.45
/** Fewest letters and digits of a sentence that says something. */
const MIN_CLAIM_CHARS = 6
const MAX_UNSUPPORTED = 50

/**
 * Checks an answer against what it cites. Finds numbers that no source has, and sentences that cite nothing, or whose sources
 * lack their words, numbers or names. A sentence without a citation of its own has the next one in its paragraph. With `cites`
 * false the answer was not asked to cite: all sources count for each sentence.
 */
export function reviewAnswer(
  text: string,
  sources: readonly CitableSource[],
  { cites = true } = {},
): CitationReview {
  const byNumber = new Map(sources.map((source) => [source.n, readSource(source)]))
  const weigh = createWeights([...byNumber.values()])
  const invalid = new Set<number>()
  const unsupported: string[] = []
  for (const sentences of listParagraphs(text)) {
    let cited: number[] = []
    for (const sentence of sentences.toReversed()) {
      const numbers = listCitations(sentence)
      for (const n of numbers) if (!byNumber.has(n)) invalid.add(n)
      if (numbers.length) cited = numbers
      if (!isClaim(sentence)) continue
      const support = cites
        ? cited.filter((n) => byNumber.has(n)).map((n) => byNumber.get(n) ?? null)
        : [...byNumber.values()]
      if (!isSupported(sentence, support, weigh)) unsupported.push(sentence)
    }
  }
  const order = new Map(unsupported.map((sentence) => [sentence, text.indexOf(sentence)]))
  return {
    invalid: [...invalid].sort((a, b) => a - b),
    unsupported: unsupported.sort((a, b) => order.get(a)! - order.get(b)!).slice(0, MAX_UNSUPPORTED),
  }
}

/** Counts the sentences of an answer that say something that sources could support. */
export const countClaims = (text: string): number => listParagraphs(text).flat().filter(isClaim).length

const listCitations = (text: string): number[] => findCitations(text).flatMap(({ numbers }) => numbers)

const LIST_MARK = /^\s*(?:>\s*)*(?:[-*+•]\s+|\d{1,3}(?:[、)）]|\.(?!\d))\s*|[（(]\d{1,3}[)）]\s*)?/
const SENTENCE =
  /.+?(?:[。！？!?；]+|\.(?=\s|[[【［]|$)|$)[”’"」』）)*]*(?:\s*[[【［](?:citation:)?\d[^\]】］]{0,40}[\]】］])*/g

/** Lists the sentences of an answer by paragraphs, each with the citations behind it, without code and headings. */
function listParagraphs(text: string): string[][] {
  const prose = text.split('\n')
  for (const { from, end } of findFences(prose)) prose.fill('', from, end)
  return prose
    .join('\n')
    .split(/\n\s*\n/)
    .flatMap((paragraph) => {
      const lines = paragraph.split('\n').filter((line) => !/^\s*(#{1,6}\s|\|?[\s:|-]+$)/.test(line))
      const sentences = lines.flatMap((line) => line.replace(LIST_MARK, '').match(SENTENCE) ?? [])
      return [sentences.map((sentence) => sentence.trim()).filter(Boolean)]
    })
}

/** Sentences that say that there is no answer, or nothing about the matter: introductions, courtesy. */
const NO_CLAIM =
  /没有找到|找不到|未找到|没有提到|没有提及|未提及|未提到|无法(找到|确定|回答)|不足以回答|not (find|found|mentioned)|^(你好|您好|好的|当然|希望|欢迎|如果[你您]|如需|如有|请问|抱歉|对不起|我是|我可以|我能|Hello|Hi\b|Sorry|I am|I can\b)/i

function isClaim(sentence: string): boolean {
  const bare = removeCitations(sentence).trim()
  if (/[？?：:]["”」』）)*]*$/.test(bare) || NO_CLAIM.test(bare)) return false
  return bare.replace(/[^\p{L}\p{N}]/gu, '').length >= MIN_CLAIM_CHARS
}

type ReadSource = { text: string; terms: Set<string>; numbers: Set<string> } | null

function readSource({ title, text }: CitableSource): ReadSource {
  if (text === null) return null
  const whole = `${title}\n${text}`
  return { text: foldText(whole), terms: new Set(listTerms(whole)), numbers: listNumbers(whole) }
}

/** Lists the words of a text; for Chinese, the pairs of characters. */
const listTerms = (text: string): string[] =>
  [...extractTerms(text)]
    .filter(({ kind, text: term }) => kind === 'pair' || !HAN.test(term))
    .map(({ text: term }) => term)

const HAN = /\p{Script=Han}/u

type Weigh = (term: string) => number

/** Weighs terms: one that many of the sources have says little. */
function createWeights(sources: readonly ReadSource[]): Weigh {
  const availableSources = sources.filter((source) => source !== null)
  return (term) => {
    const holders = availableSources.filter(({ terms }) => terms.has(term)).length
    return Math.log(1 + (availableSources.length + 1) / (holders + 1))
  }
}

function isSupported(sentence: string, support: readonly ReadSource[], weigh: Weigh): boolean {
  if (!support.length) return false
  const availableSources = support.filter((source) => source !== null)
  if (availableSources.length < support.length) return true
  const bare = removeCitations(sentence)
  for (const number of listNumbers(bare, false))
    if (!availableSources.some(({ numbers }) => numbers.has(number))) return false
  for (const name of listNames(bare))
    if (!availableSources.some(({ text }) => text.includes(name))) return false
  // Words of one language do not occur in a source of another.
  if (isHan(bare) !== isHan(availableSources.map(({ text }) => text).join(' '))) return true
  let [totalWeight, foundWeight] = [0, 0]
  for (const term of listTerms(bare)) {
    const weight = weigh(term)
    totalWeight += weight
    if (availableSources.some(({ terms }) => terms.has(term))) foundWeight += weight
  }
  return foundWeight >= totalWeight * MIN_SUPPORT
}

/** Tells whether a text is Chinese: another script has several letters for one Chinese character. */
function isHan(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? []
  return letters.filter((letter) => HAN.test(letter)).length * 4 > letters.length
}

/** Lists titles and quotations, and words with a capital letter inside a sentence, all folded. */
function listNames(text: string): string[] {
  const quoted = [...text.matchAll(/[《“「『"]([^》”」』"]{2,40})[》”」』"]/g)].map(([, name]) => name!)
  const capitals = [...text.matchAll(/(?<=[^\s.!?]\s*)\b\p{Lu}[\p{L}\p{N}]+/gu)].map(([name]) => name)
  return [...quoted, ...capitals].map((name) => foldText(name.trim()))
}

const DIGITS = '〇零一二三四五六七八九'
const VALUES: Record<string, number> = { 两: 2, 十: 10, 百: 100, 千: 1000 }

/**
 * Lists the numbers of a text: `1,234.50` is 1234.5, and 10⁶ is `10^6`. Of a source, numbers written out in Chinese are among them,
 * and any base but 10, whose superscript may be the mark of a note.
 */
function listNumbers(text: string, isSource = true): Set<string> {
  const plain = foldFigures(text)
  const numbers = new Set<string>()
  for (const [, figure = '', exponent = ''] of plain.matchAll(FIGURE)) {
    const number = toPlainNumber(figure)
    numbers.add(number + exponent)
    if (isSource && number !== '10') numbers.add(number)
  }
  if (!isSource) return numbers
  for (const [number] of plain.matchAll(/[〇零一二三四五六七八九两十百千]+/g))
    numbers.add(String(parseChineseNumber(number)))
  return numbers
}

const FIGURE = /(\d+(?:,\d{3})*(?:\.\d+)?)(\^-?\d+)?/g

const toPlainNumber = (number: string): string =>
  number
    .replaceAll(',', '')
    .replace(/^0+(?=\d)/, '')
    .replace(/(\.\d*[1-9])0+$|\.0+$/, '$1')

/** Reads numbers like `二〇二四` and `两千零二十四`. */
function parseChineseNumber(text: string): number {
  const values = Array.from(text, (char) => VALUES[char] ?? Math.max(0, DIGITS.indexOf(char) - 1))
  if (values.every((value) => value < 10)) return Number(values.join(''))
  let [total, digit] = [0, 0]
  for (const value of values) {
    if (value < 10) digit = value
    else {
      total += (digit || 1) * value
      digit = 0
    }
  }
  return total + digit
}
