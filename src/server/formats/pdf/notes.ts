import { AnnotationType } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Output } from '../reading/output.ts'
import { escapeText } from '../text/markdown.ts'
import { isHidden } from './annotations.ts'
import type { Annotation } from './annotations.ts'

/** Values of a box that say no more than that it is checked. */
const CHECKED_VALUE = /^(?:yes|on|true|checked|x|\d{1,2}|oui|ja|是)$/i

/** Formats what people wrote upon a page: the fields of its form, then comments and text boxes. Reports what is hidden or not read. */
export function formatNotes(annotations: Annotation[], page: number, output: Output): string {
  // One field may have several places on a page, and fields of different names the same label.
  const fields = new Map<string, string>()
  const notes = new Set<string>()
  for (const annotation of annotations) {
    const { annotationType: type } = annotation
    const text = type === AnnotationType.WIDGET ? formatField(annotation) : formatComment(annotation)
    if (text && type === AnnotationType.WIDGET) fields.set(`${annotation.fieldName ?? ''} ${text}`, text)
    else if (text) notes.add(text)
    if (text && isHidden(annotation)) output.skip('hidden', text.slice(0, 40), { page })
    if (type === AnnotationType.STAMP && !text) output.skip('picture', '图章', { page })
    if (type === AnnotationType.FILEATTACHMENT)
      output.skip('unsupported', `附件 ${annotation.file?.filename ?? ''}`.trim(), { page })
  }
  return [[...fields.values()].join('\n'), [...notes].join('\n\n')].filter(Boolean).join('\n\n')
}

/** Formats a comment with its author. A link's text describes the link; a reply with a state says that the comment was accepted or so. */
function formatComment(annotation: Annotation): string {
  const { annotationType: type, titleObj, contentsObj, textContent, stateModel } = annotation
  if (type === AnnotationType.LINK || stateModel) return ''
  const text = contentsObj?.str?.trim() || textContent?.join('\n').trim()
  if (!text) return ''
  const author = titleObj?.str?.trim()
  const lines = escapeText(text).split(/\r\n?|\n/)
  return `> 批注${author ? `（${escapeText(author)}）` : ''}：${lines.join('\n> ')}`
}

function formatField(field: Annotation): string {
  const value = formatValue(field)
  if (!value) return ''
  const label = field.alternativeText?.replace(/\s+/g, ' ').trim() || shortenName(field.fieldName ?? '')
  return `- ${escapeText(label)}: ${escapeText(value).replace(/\r\n?|\n/g, '\n  ')}`
}

/** Shortens the path of a field that was made from XML: `form1[0].#subform[0].Row[2].Name[0]` to `form1.Row[2].Name`. */
const shortenName = (name: string): string => name.replaceAll('[0]', '').replaceAll('.#subform', '')

/** Formats the value of a field; an empty one, a button and a password have none. */
function formatValue(field: Annotation): string {
  const { fieldValue: value } = field
  if (field.password) return ''
  if (field.checkBox) {
    const name = typeof field.exportValue === 'string' ? field.exportValue.trim() : ''
    const isChecked = typeof value === 'string' && value !== 'Off' && value === field.exportValue
    return `${isChecked ? '☑' : '☐'} ${CHECKED_VALUE.test(name) ? '' : name}`.trim()
  }
  if (field.radioButton) {
    // A button without an appearance does not say its own value.
    const isChosen = value !== 'Off' && (field.buttonValue ?? value) === value
    return isChosen && typeof value === 'string' ? value.trim() : ''
  }
  if (field.fieldType === 'Btn') return ''
  if (Array.isArray(value)) return value.map((choice: unknown) => findChoice(field, choice)).join('、')
  return typeof value === 'string' ? value.trim() : ''
}

function findChoice({ options }: Annotation, value: unknown): string {
  const shown = options?.find(({ exportValue }) => exportValue === value)?.displayValue ?? value
  return typeof shown === 'string' ? shown.trim() : ''
}
