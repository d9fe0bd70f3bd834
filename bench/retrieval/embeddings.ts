import { extractQueryTerms } from '#server/documents/knowledge/knowledge.ts'
import { learnTranslations } from './lexicon.ts'
import type { Translations } from './lexicon.ts'
import type { Embed } from './model-double.ts'
import { readXquad } from './xquad.ts'
import type { Language, Question } from './xquad.ts'

const DIMENSIONS = 512
const HAN = /\p{Script=Han}/u
/** Shares of a told vector's length, squared: two texts of one paragraph have a cosine of 0.7, of one article 0.45, else 0.3. */
const SHARES = { common: 0.3, article: 0.15, paragraph: 0.25, noise: 0.3 }

/** Embeds a text as the sum of its words' directions, which are random and weighed by rarity: it knows less than the words do. */
export function createWordEmbedding(data: string, dimensions = DIMENSIONS): Embed {
  const add = createAdder(data, dimensions)
  return (text) => add(listWords(text).map((word) => [word, 1]))
}

/**
 * Does the same, but a Chinese word stands for its English translations, and for nothing where they are unknown. It knows no
 * answer: translations are learned from the questions and sentences that XQuAD has in both languages, those of odd articles for
 * the questions of even ones and the other way round. A real model knows a language, not 600 sentences of it.
 */
export function createLexiconEmbedding(data: string): Embed {
  const [zh, en] = [readXquad(data, 'zh'), readXquad(data, 'en')]
  const halves = [0, 1].map((half): Translations => {
    const isOfOther = ({ article }: { article: number }): boolean => article % 2 !== half
    const questions = zh.questions.flatMap((question, at) =>
      isOfOther(question) ? [[question.text, en.questions[at]!.text] as const] : [],
    )
    const sentences = zh.paragraphs.flatMap((paragraph, at) =>
      isOfOther(paragraph) ? pairSentences(paragraph.text, en.paragraphs[at]!.text) : [],
    )
    return learnTranslations([...questions, ...sentences].map(([a, b]) => [listWords(a), listWords(b)]))
  })
  const articles = new Map(zh.questions.map(({ text, article }) => [text, article]))
  const add = createAdder(data, DIMENSIONS)
  return (text) => {
    const translations = halves[(articles.get(text) ?? 0) % 2]!
    return add(
      listWords(text).flatMap((word): [string, number][] =>
        HAN.test(word) ? [...(translations.get(word) ?? [])] : [[word, 1]],
      ),
    )
  }
}

/**
 * Is told the paragraph that a text is about, in any language, and adds as much noise as models have: it knows the answers and
 * says nothing of a model's quality. It shows the search's results for vectors as good as that.
 */
export function createToldEmbedding(data: string, asked: Language, searched: Language): Embed {
  const { paragraphs } = readXquad(data, searched)
  const questions = new Map(readXquad(data, asked).questions.map((question) => [question.text, question]))
  const getDirection = createDirections(DIMENSIONS)
  const findSubject = (text: string): Pick<Question, 'article' | 'paragraph'> => {
    const content = text.slice(text.indexOf('\n') + 1).slice(0, 60)
    const paragraph = paragraphs.findIndex((one) => one.text.includes(content))
    return questions.get(text) ?? { paragraph, article: paragraphs[paragraph]?.article ?? -1 }
  }
  return (text) => {
    const { article, paragraph } = findSubject(text)
    const vector = Array.from({ length: DIMENSIONS }, () => 0)
    for (const [share, seed] of [
      [SHARES.common, 'common'],
      [SHARES.article, `article ${article}`],
      [SHARES.paragraph, `paragraph ${paragraph}`],
      [SHARES.noise, `noise ${text}`],
    ] as const) {
      const direction = getDirection(seed)
      for (let at = 0; at < DIMENSIONS; at++) vector[at]! += Math.sqrt(share) * direction[at]!
    }
    return vector
  }
}

const listWords = (text: string): string[] =>
  extractQueryTerms(text)
    .filter(({ kind, weight }) => kind === 'word' && weight >= 0.5)
    .map(({ text: word }) => word)

/** Pairs the sentences of a paragraph in both languages, where their numbers are equal. */
function pairSentences(zh: string, en: string): (readonly [string, string])[] {
  const first = zh.split(/(?<=[。！？])/).filter((one) => one.trim())
  const second = en.split(/(?<=[.!?]["”)]?)\s+(?=[\p{Lu}"“\d])/u)
  return first.length === second.length ? first.map((one, at) => [one, second[at]!] as const) : []
}

/** Returns a function that adds up words, each times its rarity. A text without any has a direction of its own. */
function createAdder(data: string, dimensions: number): (words: [word: string, share: number][]) => number[] {
  const paragraphs = [...readXquad(data, 'zh').paragraphs, ...readXquad(data, 'en').paragraphs]
  const getRarity = countRarity(paragraphs.map(({ text }) => text))
  const getDirection = createDirections(dimensions)
  return (words) => {
    const vector = Array.from({ length: dimensions }, () => 0)
    for (const [word, share] of words.length ? words : [['', 1] as const]) {
      const weight = share * getRarity(word)
      const direction = getDirection(word)
      for (let at = 0; at < dimensions; at++) vector[at]! += weight * direction[at]!
    }
    return vector
  }
}

/** Returns a function for a word's rarity among texts; an unknown word counts as the rarest. */
function countRarity(texts: string[]): (word: string) => number {
  const holders = new Map<string, number>()
  for (const text of texts)
    for (const word of listWords(text)) holders.set(word, (holders.get(word) ?? 0) + 1)
  return (word) => Math.log(1 + texts.length / ((holders.get(word) ?? 0) + 0.5))
}

/** Returns a function from a word to a direction of signs, always the same, at nearly a right angle to all others. */
function createDirections(dimensions: number): (word: string) => Int8Array {
  const directions = new Map<string, Int8Array>()
  return (word) => {
    const known = directions.get(word)
    if (known) return known
    let seed = 0x811c9dc5
    for (let at = 0; at < word.length; at++) seed = Math.imul(seed ^ word.charCodeAt(at), 0x01000193)
    const direction = Int8Array.from({ length: dimensions }, () => {
      // Mulberry32.
      seed = (seed + 0x6d2b79f5) | 0
      let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
      return (mixed ^ (mixed >>> 14)) & 1 ? 1 : -1
    })
    directions.set(word, direction)
    return direction
  }
}
