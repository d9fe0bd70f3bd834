import { AppError } from '#server/core/app-error.ts'
import { openPlain } from '../plain/rewrite.ts'
import type { Part, Syntax } from '../rewriting/blocks.ts'
import { Draft } from '../rewriting/draft.ts'
import type { Opened } from '../rewriting/draft.ts'
import {
  declaredEncoding,
  descendants,
  elements,
  escapeXml,
  openMarkup,
  parseElements,
  textOf,
} from '../rewriting/xml.ts'
import type { XmlElement } from '../rewriting/xml.ts'
import { escapeString, parseStrings } from './pairs.ts'

const stringsSyntax: Syntax = { write: escapeString, isMessage: true }

/** Opens a `.strings` file: its values. Keys, comments and the encoding stay. */
export const openStrings = (bytes: Buffer): Opened =>
  openPlain(bytes, 'strings', stringsSyntax, (part, draft) => {
    for (const { line, value } of parseStrings(part.source))
      draft.add(part, [{ kind: 'text', ...value }], { line })
  })

/** Keys of a rule whose values are shown: its forms, and the text around them. */
const SHOWN = /^(zero|one|two|few|many|other|NSStringLocalizedFormatKey)$/

/** Opens a `.stringsdict` file, the plural forms of Apple. Throws `document_damaged`. */
export function openStringsdict(bytes: Buffer): Opened {
  const markup = openMarkup(bytes, { write: escapeXml, isMessage: true }, declaredEncoding(bytes))
  if (!markup) throw new AppError('document_damaged')
  const { part, encode } = markup
  const draft = new Draft()
  const roots = parseElements(part.source)
  for (const root of roots) addForms(part, draft, root)
  return {
    format: 'stringsdict',
    draft,
    write: (changed) => {
      const source = changed.get(part)
      return source === undefined ? bytes : encode(source)
    },
  }
}

function addForms(part: Part, draft: Draft, element: XmlElement): void {
  for (const dict of descendants(element, 'dict')) {
    let key = ''
    for (const child of elements(dict)) {
      if (child.name === 'key') key = textOf(child)
      else if (child.name === 'string' && SHOWN.test(key) && child.close > child.open)
        draft.add(part, [{ kind: 'text', start: child.open, end: child.close, text: textOf(child) }])
    }
    addForms(part, draft, dict)
  }
}
