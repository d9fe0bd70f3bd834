import { isSurelyIn } from '#contract/translate/detect-language.ts'
import type { TargetLanguage } from '#contract/translate/languages.ts'
import { stripTags } from '#server/formats/formats.ts'

/** Letters of a text are looked at in samples of about this many characters, which are spread over a long document. */
const SAMPLE_CHARS = 1_500
const MAX_SAMPLES = 40
/** Least share of the letters that must be in the language: a document in two languages is translated without a question. */
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
  // The rest of a longer document is too short to be sure of.
  if (samples.length === 0) samples.push(sample)
  const step = Math.max(1, Math.floor(samples.length / MAX_SAMPLES))
  let [letters, own] = [0, 0]
  for (const each of samples.filter((_, index) => index % step === 0)) {
    const count = each.match(/\p{L}/gu)?.length ?? 0
    letters += count
    if (isSurelyIn(each, language)) own += count
  }
  return letters > 0 && own >= letters * MIN_SHARE
}
