/** Target languages: code (BCP 47) → Chinese name. */
export const targetLanguages = {
  'zh-CN': '简体中文',
  'zh-TW': '繁体中文',
  en: '英语',
  ja: '日语',
  ko: '韩语',
  fr: '法语',
  de: '德语',
  es: '西班牙语',
  pt: '葡萄牙语',
  it: '意大利语',
  nl: '荷兰语',
  pl: '波兰语',
  sv: '瑞典语',
  ru: '俄语',
  uk: '乌克兰语',
  tr: '土耳其语',
  ar: '阿拉伯语',
  fa: '波斯语',
  he: '希伯来语',
  el: '希腊语',
  hi: '印地语',
  th: '泰语',
  vi: '越南语',
  id: '印尼语',
  ms: '马来语',
} as const

export type TargetLanguage = keyof typeof targetLanguages

const codes = Object.keys(targetLanguages) as TargetLanguage[]

/** Returns the `quick_action` of a question in the channel `fanyi`, which names its target language: `translate_zh_cn`. */
export const toQuickAction = (target: TargetLanguage): string =>
  `translate_${target.toLowerCase().replace('-', '_')}`

export const findTargetLanguage = (quickAction: string | null): TargetLanguage | undefined =>
  codes.find((target) => toQuickAction(target) === quickAction)
