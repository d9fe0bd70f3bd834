import type { TargetLanguage } from '#contract/translate/languages.ts'
import { parseTargetLanguage } from '#contract/translate/target-language.ts'
import { parsePo, writePoString } from './po.ts'
import type { PoEntry } from './po.ts'
import { countForms, pluralForms } from './plural-forms.ts'

/** Returns a field of the header entry, the translation of the empty string. */
const getField = (entries: readonly PoEntry[], name: string): string | undefined =>
  new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(entries.find(isHeader)?.strings[0]?.text ?? '')?.[1]?.trim()

export const isHeader = ({ id, context }: PoEntry): boolean => id.text === '' && !context

/**
 * Returns the plural forms that translations into a language have: the file's own, or those of the language where the file is a
 * template, or of another language and without plurals that were translated.
 */
export function findPluralForms(entries: readonly PoEntry[], target: TargetLanguage | undefined): string {
  const own = getField(entries, 'Plural-Forms') ?? ''
  if (!target) return own || pluralForms.en
  const language = getField(entries, 'Language')
  const hasPlurals = entries.some(({ plural, strings }) => plural && strings.some(({ text }) => text))
  const isOther = language && parseTargetLanguage(language) !== target && !hasPlurals
  return countForms(own) === undefined || isOther ? pluralForms[target] : own
}

/**
 * Changes the header of a file that has translations: its language, and of a template what only a template may leave open, without
 * which msgfmt refuses the file: its plural forms, encoding and the flag `fuzzy`. All other bytes stay.
 */
export function finishHeader(
  source: string,
  {
    target,
    forms,
    eol,
    isUtf8,
  }: { target: TargetLanguage | undefined; forms: string; eol: string; isUtf8: boolean },
): string {
  const entries = parsePo(source)
  const header = entries.find(isHeader)
  const [string] = header?.strings ?? []
  if (!header || !string) return source
  const language = getField(entries, 'Language')
  const isTemplate = /charset=CHARSET\b/.test(string.text)
  const fields: Field[] = []
  if (target && (!language || parseTargetLanguage(language) !== target))
    fields.push(['Language', target.replace('-', '_')])
  const ownForms = getField(entries, 'Plural-Forms')
  if (ownForms === undefined ? entries.some(({ plural }) => plural) : ownForms !== forms)
    fields.push(['Plural-Forms', forms])
  if (isUtf8 || isTemplate) fields.push(['Content-Type', 'text/plain; charset=UTF-8'])
  const text = fields.reduce(setField, string.text)
  if (text === string.text) return source
  const head = source.slice(0, string.start)
  const [mark] = isTemplate ? header.marks : []
  const before = mark ? head.slice(0, mark.start) + head.slice(mark.end) : head
  return before + writePoString(text, eol) + source.slice(string.end)
}

type Field = [name: string, value: string]

/** Sets a field in the text of a header, which its file may break into lines anywhere. */
function setField(header: string, [name, value]: Field): string {
  const field = `${name}: ${value}`
  const pattern = new RegExp(`^${name}:.*$`, 'im')
  return pattern.test(header)
    ? header.replace(pattern, () => field)
    : `${header.replace(/[^\n]$/, '$&\n')}${field}\n`
}
