import type { TargetLanguage } from '#contract/translate/languages.ts'

const ONE = 'nplurals=1; plural=0;'
const TWO = 'nplurals=2; plural=(n != 1);'
const TWO_ABOVE_ONE = 'nplurals=2; plural=(n > 1);'
const EAST_SLAVIC =
  'nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);'

/** Plural forms of languages, as gettext's own table has them; those that it lacks by CLDR. */
export const pluralForms: Record<TargetLanguage, string> = {
  'zh-CN': ONE,
  'zh-TW': ONE,
  ja: ONE,
  ko: ONE,
  th: ONE,
  vi: ONE,
  id: ONE,
  ms: ONE,
  en: TWO,
  de: TWO,
  nl: TWO,
  sv: TWO,
  es: TWO,
  it: TWO,
  el: TWO,
  he: TWO,
  pt: TWO,
  tr: TWO,
  hi: TWO,
  fr: TWO_ABOVE_ONE,
  fa: TWO_ABOVE_ONE,
  pl: 'nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);',
  ru: EAST_SLAVIC,
  uk: EAST_SLAVIC,
  ar: 'nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);',
}

/** Returns the number of forms that a header's field names; nothing for a template's. */
export function countForms(field: string | undefined): number | undefined {
  const count = Number(/nplurals\s*=\s*(\d{1,2})/.exec(field ?? '')?.[1])
  return count > 0 ? count : undefined
}

/** Returns the number of the form for one thing: of Arabic's six the first is for none. */
export const getSingularForm = (forms: number): number => (forms === 6 ? 1 : 0)
