import { z } from 'zod'
import { targetLanguages } from './languages.ts'
import type { TargetLanguage } from './languages.ts'

const codes = Object.keys(targetLanguages) as TargetLanguage[]

/** Names and codes that say which Chinese is meant, and those that leave it open. */
const CHINESE: [RegExp, TargetLanguage][] = [
  [
    /^(zh[-_]?(tw|hk|mo|hant.*)|cht|traditional chinese|繁[体體](中文|汉语|漢語)?|中文[(（]?繁[体體][)）]?)$/i,
    'zh-TW',
  ],
  [
    /^(zh([-_].*)?|zho|chi|chs|cn|(simplified )?chinese|(简体|簡體)?(中文|汉语|漢語)|简体|中文[(（]?简体[)）]?|普通话)$/i,
    'zh-CN',
  ],
]

/** A language by its names: its Chinese one with 语 or 文, its English one, and its own. */
const codeByName = new Map(
  codes.flatMap((code) =>
    [
      targetLanguages[code],
      targetLanguages[code].replace(/语$/, '文'),
      ...['en', code].map(getName(code)),
    ].map((name): [string, TargetLanguage] => [name.toLowerCase(), code]),
  ),
)

function getName(code: TargetLanguage) {
  return (reader: string): string => new Intl.DisplayNames([reader], { type: 'language' }).of(code) ?? code
}

/** Finds the language that a text names, in any case: a code, with a region or without, or a name. Null for other text. */
export function parseTargetLanguage(text: string): TargetLanguage | null {
  const name = text.trim()
  const chinese = CHINESE.find(([names]) => names.test(name))
  if (chinese) return chinese[1]
  const [language] = name.toLowerCase().split(/[-_]/)
  return codes.find((code) => code.toLowerCase() === language) ?? codeByName.get(name.toLowerCase()) ?? null
}

const languageNames = Object.entries(targetLanguages).map(([code, name]) => `${code}（${name}）`)

/** A filter by language: text that names none finds nothing. */
export const filterLanguage = z
  .string()
  .min(1)
  .max(60)
  .transform((text) => parseTargetLanguage(text) ?? ('unknown' as const))

/** Apart from the names, which the browser shows without the schema library. */
export const targetLanguage = z
  .string()
  .min(1)
  .max(60)
  .meta({ examples: codes })
  .transform((text, context) => {
    const language = parseTargetLanguage(text)
    if (language) return language
    context.addIssue({ code: 'custom', message: `没有这个语言，可以是：${languageNames.join('、')}` })
    return z.NEVER
  })
  .describe('目标语言')
