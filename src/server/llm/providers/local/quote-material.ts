import { foldFigures, listPowers } from '#contract/documents/exponents.ts'
import { LINE_NUMBER } from '#contract/documents/sentences.ts'

export type Material = { cards: { n: string; title: string; text: string }[]; question: string }

const MAX_QUOTES = 2
/** Share of the question's words, weighted by rarity in the passages, that a sentence with its neighbours must have. */
const MIN_COVERAGE = 0.4
/** A further sentence is quoted if its score is at least this share of the best one's. */
const MIN_SHARE_OF_BEST = 0.8
const NOTICE = '（我是**本地演示模型**，不理解内容，只会摘录原文；接入真实模型后可以得到真正的回答。）'

const SENTENCE = new RegExp(String.raw`(?:[^。！？!?\n.]|\.(?!\s)|(?<=${LINE_NUMBER})\.)+[。！？!?.]?`, 'g')

/** Reads numbered passages and the question behind them, as features put them into a prompt; null where there are none. */
export function parseMaterial(prompt: string): Material | null {
  const at = prompt.lastIndexOf('\n\n问题：')
  if (at < 0) return null
  const material = prompt.slice(0, at)
  const cards = [...material.matchAll(/^\[(\d+)\] ([^\n]*)\n([^]*?)(?=\n\n\[\d+\] |$(?![^]))/gm)]
  const question = prompt.slice(at + '\n\n问题：'.length)
  if (!cards.length && !/没有找到与问题有关的/.test(material)) return null
  return { cards: cards.map(([, n = '', title = '', text = '']) => ({ n, title, text })), question }
}

/**
 * Uses passages without understanding them: quotes the sentences that have most of the question's words, or says that none has
 * enough of them.
 */
export function quoteMaterial({ cards, question }: Material): string {
  const sentences = cards.flatMap(({ n, title, text }) => {
    const cardSentences = (text.match(SENTENCE) ?? []).map((one) => one.trim()).filter(Boolean)
    return cardSentences.map((sentence, at) => ({
      n,
      sentence,
      units: toUnits(sentence),
      around: toUnits([title, cardSentences[at - 1], sentence, cardSentences[at + 1]].join('\n')),
    }))
  })
  const weights = [...toUnits(question)].map((unit) => {
    const holders = sentences.filter(({ units }) => units.has(unit)).length
    return { unit, weight: Math.log((sentences.length + 1) / (holders + 0.5)) }
  })
  const total = sum(weights)
  const share = (units: Set<string>): number => sum(weights.filter(({ unit }) => units.has(unit))) / total
  const ranked = sentences
    .map(({ n, sentence, units, around }) => ({
      n,
      sentence,
      overlap: share(units),
      coverage: share(around),
    }))
    .filter(({ overlap, coverage }) => overlap > 0 && coverage >= MIN_COVERAGE)
    .map((one) => ({ ...one, score: one.overlap + one.coverage / 2 }))
    .sort((a, b) => b.score - a.score)
  const best = ranked
    .filter(({ score }) => score >= ranked[0]!.score * MIN_SHARE_OF_BEST)
    .slice(0, MAX_QUOTES)
  if (!best.length) return `在给出的资料中没有找到与问题有关的内容。\n\n${NOTICE}`
  const quotes = best.map(({ n, sentence }) => `- ${sentence.replace(/[\\`*_<>]/g, '\\$&')} [${n}]`)
  return `资料中与问题最接近的原文：\n\n${quotes.join('\n')}\n\n${NOTICE}`
}

const sum = (units: { weight: number }[]): number => units.reduce((all, { weight }) => all + weight, 0)

/** Words that tell nothing about a text's subject: question words, and words that only join others. */
const EMPTY_HAN =
  /什么|哪些|哪里|哪个|哪一|哪|谁|多少|几|怎么样|怎么|怎样|如何|为什么|为何|何时|何地|是否|请问|可以|[的了是在和与及或被把对于从到由为以就都而也有吗呢吧啊这那其中]/g
const EMPTY_LATIN = new Set(
  'a an and are as at be by did do does for from had has have how in is it its of on or that the their this to was were what when where which who whom whose why with'.split(
    ' ',
  ),
)

/** The units by which texts are compared: every two adjacent Chinese characters, whole words of other scripts, and powers. */
function toUnits(text: string): Set<string> {
  const foldedText = foldFigures(text)
  const units = new Set(listPowers(foldedText))
  const plain = foldedText.replace(EMPTY_HAN, ' ')
  for (const [run] of plain.matchAll(/\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu)) {
    if (!/\p{Script=Han}/u.test(run)) {
      if (!EMPTY_LATIN.has(run)) units.add(run)
    } else if (run.length === 1) units.add(run)
    else for (let at = 0; at + 1 < run.length; at++) units.add(run.slice(at, at + 2))
  }
  return units
}
