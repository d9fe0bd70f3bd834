import { decodeBytes } from './byte-decoder.ts'
import { countLetters, LANGUAGES, loadModel, measureCost, measureLetters } from './character-model.ts'

/** An encoding with the languages that are written in it, and how much less often than GB18030 it is met, nats. */
type Candidate = { label: string; languages: string[]; prior: number }

const list = (names: string): string[] => names.split(' ')
const LATIN = list(LANGUAGES.latin)
const OTHER_ALPHABETS = [
  LANGUAGES.cyrillic,
  LANGUAGES.greek,
  LANGUAGES.arabic,
  LANGUAGES.hebrew,
  LANGUAGES.thai,
].flatMap(list)
const ALL = Object.values(LANGUAGES).flatMap(list)

const CANDIDATES: Candidate[] = [
  { label: 'gb18030', languages: ['zh', 'zh-Hant'], prior: 0 },
  { label: 'utf-8', languages: ALL, prior: 0 },
  { label: 'big5', languages: ['zh-Hant'], prior: 3 },
  { label: 'shift_jis', languages: ['ja'], prior: 3 },
  { label: 'euc-kr', languages: ['ko'], prior: 3 },
  { label: 'euc-jp', languages: ['ja'], prior: 5 },
  { label: 'windows-1252', languages: list('fr de es pt it nl ca sv da nb fi is ga sq'), prior: 4 },
  { label: 'windows-1251', languages: list('ru uk bg sr be mk'), prior: 4 },
  { label: 'windows-1250', languages: list('pl cs sk hu ro hr sl'), prior: 6 },
  { label: 'windows-1253', languages: ['el'], prior: 6 },
  { label: 'windows-1254', languages: ['tr', 'az'], prior: 6 },
  { label: 'windows-1255', languages: ['he'], prior: 6 },
  { label: 'windows-1256', languages: list('ar fa ur'), prior: 6 },
  { label: 'windows-1257', languages: list('lt lv et'), prior: 6 },
  { label: 'windows-1258', languages: ['vi'], prior: 6 },
  { label: 'windows-874', languages: ['th'], prior: 6 },
  { label: 'koi8-u', languages: list('ru uk'), prior: 7 },
  { label: 'ibm866', languages: list('ru uk'), prior: 8 },
  { label: 'iso-8859-2', languages: list('pl cs sk hu ro hr sl'), prior: 8 },
  { label: 'iso-8859-5', languages: list('ru uk bg sr be mk'), prior: 9 },
]
const WIDE: Candidate[] = [
  { label: 'utf-16le', languages: ALL, prior: 5 },
  { label: 'utf-16be', languages: ALL, prior: 8 },
  { label: 'utf-32le', languages: ALL, prior: 8 },
  { label: 'utf-32be', languages: ALL, prior: 10 },
]

/** Bytes of the first look, which most candidates do not outlive, and of the second. */
const FIRST_BYTES = 512
const SECOND_BYTES = 12 * 1024
/** A candidate stays in the race within this distance from the best, nats. */
const DISTANCE = 60
/** The letters of ASCII tell Latin languages apart, and say nothing about others, nats. */
const MAX_LETTERS_COST = 6

export type Guess = { encoding: string; cost: number }

/**
 * Ranks encodings by how usual the text would be in one of their languages, the best first. Costs are nats of one sample, and
 * comparable. `bonus` is what a declared encoding is trusted, nats.
 */
export function guessEncodings(bytes: Buffer, declared?: string, bonus = 0): Guess[] {
  const start = bytes.subarray(0, FIRST_BYTES)
  // A file of UTF-16 that was cut off may have half a character; its spaces and line ends have a zero.
  const wide = WIDE.filter(
    ({ label }) => bytes.length % (label.includes('32') ? 4 : 2) === 0 || start.includes(0),
  )
  const trust = (candidate: Candidate): Candidate =>
    candidate.label === declared ? { ...candidate, prior: candidate.prior - bonus } : candidate
  let ranked = rank([...CANDIDATES, ...wide].map(trust), start)
  if (bytes.length > FIRST_BYTES) {
    const candidates = ranked.map(({ candidate }) => candidate)
    const hasWide = candidates.some(({ label }) => /^utf-(16|32)/.test(label))
    ranked = rank(candidates, hasWide ? bytes.subarray(0, SECOND_BYTES) : takeLines(bytes, SECOND_BYTES))
  }
  return ranked.map(({ candidate, cost }) => ({ encoding: candidate.label, cost }))
}

/** Ranks candidates by a sample of the bytes, the best first, without those that are far behind. */
function rank(candidates: Candidate[], sample: Buffer): Ranked[] {
  const letters = rankLetters(sample)
  let limit = Infinity
  return candidates
    .map((candidate) => {
      const { text } = decodeBytes(sample, candidate.label)
      const ranked = rankLanguages(text, candidate, letters, limit - candidate.prior)
      const cost = ranked.cost + candidate.prior
      limit = Math.min(limit, cost + DISTANCE)
      return { ...ranked, cost }
    })
    .filter(({ cost }) => cost <= limit)
    .sort((one, other) => one.cost - other.cost)
}

type Ranked = { candidate: Candidate; cost: number }

/** Finds the language in which a text is the most usual; its languages are the candidate's for the next sample. */
function rankLanguages(
  text: string,
  candidate: Candidate,
  letters: Map<string, number>,
  limit: number,
): Ranked {
  let least = limit
  const costs = candidate.languages.map((language) => {
    const cost = measureCost(text, loadModel(language), least + DISTANCE) + (letters.get(language) ?? 0)
    least = Math.min(least, cost)
    return { language, cost }
  })
  const best = costs.reduce((one, other) => (other.cost < one.cost ? other : one))
  const languages = costs.filter(({ cost }) => cost <= best.cost + DISTANCE).map(({ language }) => language)
  return { candidate: { ...candidate, languages }, cost: best.cost }
}

/**
 * Returns how much less usual the letters of ASCII are in each language than in others, nats: in one of Latin letters than in the
 * best of them, in one of another alphabet where they are the most.
 */
function rankLetters(sample: Uint8Array): Map<string, number> {
  const counts = countLetters(sample)
  const costs = LATIN.map((language) => measureLetters(counts, language))
  const least = Math.min(...costs)
  const isLatin = counts.reduce((sum, count) => sum + count, 0) > sample.filter((byte) => byte > 0x7f).length
  return new Map([
    ...LATIN.map((language, index): [string, number] => [
      language,
      Math.min(MAX_LETTERS_COST, (costs[index] ?? 0) - least),
    ]),
    ...OTHER_ALPHABETS.map((language): [string, number] => [language, isLatin ? MAX_LETTERS_COST : 0]),
  ])
}

/** Most bytes of a line before the first one that is not ASCII: more would leave no room for those that tell encodings apart. */
const MAX_ASCII_BYTES = 256

/** Takes lines that are not plain ASCII, whose bytes are the same in all encodings. */
function takeLines(bytes: Buffer, max: number): Buffer {
  const parts: Buffer[] = []
  let taken = 0
  let start = 0
  for (let at = 0; at < bytes.length && taken < max; at++) {
    if (bytes[at]! < 0x80) continue
    start = Math.max(bytes.lastIndexOf(0x0a, at) + 1, at - MAX_ASCII_BYTES)
    const next = bytes.indexOf(0x0a, at)
    const end = Math.min(next < 0 ? bytes.length : next + 1, start + max - taken)
    parts.push(bytes.subarray(start, end))
    taken += end - start
    at = Math.max(at, end - 1)
  }
  return parts.length ? Buffer.concat(parts) : bytes.subarray(0, max)
}
