import { foldFigures, listPowers } from '#contract/documents/exponents.ts'
import { LINE_NUMBER } from '#contract/documents/sentences.ts'

/** Share of the words of an answer's sentence that its source must have. */
const MIN_SHARE = 0.3
const SENTENCE_END = new RegExp(String.raw`(?<=[。！？!?；])|(?<=\.)(?<!(?:${LINE_NUMBER})\.)\s+|\n`)

/**
 * The sentence of a passage that supports the last sentence of an answer: the one that has most of its words. Null where none has
 * enough of them, for example where the languages differ.
 */
export function findCitedSentence(answer: string, passage: string): string | null {
  const claim = listWords(splitIntoSentences(answer).at(-1) ?? '')
  const ranked = splitIntoSentences(passage)
    .map((sentence) => ({ sentence, common: claim.intersection(listWords(sentence)).size }))
    .sort((a, b) => b.common - a.common || a.sentence.length - b.sentence.length)
  const best = ranked[0]
  return best && best.common > 0 && best.common >= claim.size * MIN_SHARE ? best.sentence : null
}

const splitIntoSentences = (text: string): string[] =>
  text
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))

/** Words, numbers and powers; for Chinese, pairs of characters. */
function listWords(text: string): Set<string> {
  const foldedText = foldFigures(text)
  const runs = foldedText.match(/\p{Script=Han}+|[\p{L}\p{N}]+(?:\.\d+)?/gu) ?? []
  const words = runs.flatMap((run) => (/\p{Script=Han}/u.test(run) ? listPairs(run) : [run]))
  return new Set([...words, ...listPowers(foldedText)])
}

const listPairs = (run: string): string[] =>
  run.length === 1 ? [run] : Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2))
