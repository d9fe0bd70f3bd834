import type { TargetLanguage } from '#contract/translate/languages.ts'
import { openPlain } from '../plain/rewrite.ts'
import type { Part, Range, Syntax } from '../rewriting/blocks.ts'
import type { Draft, Opened, Unit } from '../rewriting/draft.ts'
import { findPluralForms, finishHeader, isHeader } from './header.ts'
import { countForms, getSingularForm } from './plural-forms.ts'
import { parsePo, writePoString } from './po.ts'
import type { PoEntry, PoString } from './po.ts'

/**
 * Opens a PO file or its template: the sources of entries that have no translation yet, or a fuzzy one. Each translation goes to its
 * `msgstr`; comments, contexts, obsolete entries and other translations are the same bytes.
 */
export function openPo(bytes: Buffer, name: string, _format: string, target?: TargetLanguage): Opened {
  const eol = bytes.includes('\r\n') ? '\r\n' : '\n'
  let forms = ''
  const syntax: Syntax = { write: (text) => writePoString(text, eol), isMessage: true }
  const declared = /charset=([\w-]+)/i.exec(bytes.toString('latin1', 0, 8192))?.[1]
  const opened = openPlain(
    bytes,
    'po',
    syntax,
    (part, draft) => {
      const entries = parsePo(part.source)
      forms = findPluralForms(entries, target)
      for (const entry of entries) if (!isHeader(entry)) addEntry(part, draft, entry, { forms, eol })
    },
    { declared, finish: (source, isUtf8) => finishHeader(source, { target, forms, eol, isUtf8 }) },
  )
  return { ...opened, name: name.replace(/\.pot$/i, '.po') }
}

function addEntry(
  part: Part,
  draft: Draft,
  { line, marks, isFuzzy, id, plural, strings }: PoEntry,
  { forms, eol }: { forms: string; eol: string },
): void {
  const isOpen = (string: PoString): boolean => isFuzzy || !string.text
  const add = (
    source: PoString,
    target: Range & { open: string },
    dropped: Range[],
    twin?: Unit,
  ): Unit | undefined =>
    draft.add(
      part,
      [{ kind: 'text', ...source }],
      { line },
      {
        target: { ...target, close: '' },
        dropped,
        twins: twin && [twin],
      },
    )
  if (!plural) {
    const [string] = strings
    if (string && isOpen(string)) add(id, { ...string, open: '' }, marks)
    return
  }
  const count = countForms(forms) ?? strings.length
  const last = strings.at(-1)
  if (!last || !strings.some(isOpen)) return
  // A template has two forms, whatever the language has.
  const surplus = strings.length > count ? [{ start: strings[count - 1]!.end, end: last.end }] : []
  let dropped = [...(isFuzzy ? marks : []), ...surplus]
  let unit: Unit | undefined
  for (let form = 0; form < count; form++) {
    const string = strings[form]
    if (string && !isOpen(string)) continue
    const target = string
      ? { start: string.start, end: string.end, open: '' }
      : { start: last.end, end: last.end, open: `${eol}msgstr[${form}] ` }
    const isSingular = count > 1 && form === getSingularForm(count)
    const added = isSingular ? add(id, target, dropped) : add(plural, target, dropped, unit)
    if (!isSingular) unit = added
    dropped = []
  }
  if (count > 2 && unit) draft.keep('plural_forms', '', { line })
}
