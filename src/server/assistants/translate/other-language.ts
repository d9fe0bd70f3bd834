import type { TargetLanguage } from '#contract/translate/languages.ts'

/** Letters that weigh as much as one Chinese character, so that English names in Chinese text do not outweigh it. */
const LETTERS_PER_CHARACTER = 4

/** Chooses the target language of a text where nobody names one: English for Chinese, Chinese for all else. */
export function getOtherLanguage(text: string): TargetLanguage {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0
  const characters = count(/\p{Script=Han}/gu)
  // Japanese has Chinese characters too.
  const others = count(/\p{L}/gu) - characters
  const isChinese =
    characters * LETTERS_PER_CHARACTER > others && !/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
  return isChinese ? 'en' : 'zh-CN'
}
