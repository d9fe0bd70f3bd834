import { isSurelyIn } from '#contract/translate/detect-language.ts'
import type { TargetLanguage } from '#contract/translate/languages.ts'
import { stripTags } from '#server/formats/formats.ts'

/** A document is looked at in samples of about this many characters, which are spread over it where it is long. */
const SAMPLE_CHARS = 1_500
const MAX_SAMPLES = 40
/** Least share of the words that must be in the language: a document in two languages is translated without a question. */
const MIN_SHARE = 0.8

/** Tells whether the texts of a document look as if they were in a language already; in doubt they do not. */
export function isAlreadyIn(texts: Iterable<{ text: string }>, language: TargetLanguage): boolean {
  const samples: string[] = []
  let sample = ''
  for (const { text } of texts) {
    sample += `${stripTags(text, ' ')}\n`
    if (sample.length < SAMPLE_CHARS) continue
    samples.push(sample.slice(0, SAMPLE_CHARS))
    sample = ''
  }
  samples.push(sample)
  const step = Math.max(1, Math.floor(samples.length / MAX_SAMPLES))
  let [all, own] = [0, 0]
  for (const each of samples.filter((_, index) => index % step === 0)) {
    const weight = getWeight(each)
    all += weight
    if (isSurelyIn(each, language)) own += weight
  }
  return all > 0 && own >= all * MIN_SHARE
}

/** A Chinese character says about as much as two and a half letters. */
const HAN_WEIGHT = 2.5
const getWeight = (text: string): number =>
  (text.match(/\p{L}/gu)?.length ?? 0) + (text.match(/\p{Script=Han}/gu)?.length ?? 0) * (HAN_WEIGHT - 1)
