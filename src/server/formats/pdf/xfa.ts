import { escapeText } from '../text/markdown.ts'

/** A node of the page that pdf.js makes of a form in XML (XFA 3.3). */
export type XfaNode = {
  name?: string
  value?: string
  attributes?: Record<string, unknown>
  children?: (XfaNode | null)[]
}

const BLOCKS = new Set(['div', 'p', 'li', 'label', 'input', 'textarea', 'select', 'button', 'br'])

/** Formats a page of a form: its texts in the order of the form, and the fields that are filled in with their labels. */
export function formatXfa(page: XfaNode | null): string {
  const out: string[] = []
  let line = ''
  const end = (): void => {
    const text = line.replace(/\s+/g, ' ').trim()
    if (text && text !== out.at(-1)) out.push(text)
    line = ''
  }
  const visit = (node: XfaNode): void => {
    const { name = '', value = '', attributes = {}, children = [] } = node
    if (name === 'svg' || name === 'button' || attributes.hidden) return
    if (BLOCKS.has(name)) end()
    const field = formatField(node)
    if (field !== undefined) {
      if (field) out.push(field)
      return
    }
    if (value) line += escapeText(value)
    for (const child of children) if (child) visit(child)
    if (BLOCKS.has(name)) end()
  }
  if (page) visit(page)
  end()
  return out.join('\n\n')
}

/** Formats a field: an empty text where it is not filled in, nothing where a node is no field. */
function formatField({ name = '', value, attributes = {}, children = [] }: XfaNode): string | undefined {
  const label =
    typeof attributes['aria-label'] === 'string' ? attributes['aria-label'].replace(/\s+/g, ' ').trim() : ''
  const write = (text: string): string => {
    const shown = escapeText(text.trim()).replace(/\r\n?|\n/g, '\n  ')
    return shown && (label ? `- ${escapeText(label)}: ${shown}` : `- ${shown}`)
  }
  if (name === 'input' && /^(?:checkbox|radio)$/.test(String(attributes.type)))
    return write(attributes.checked ? '☑' : '☐')
  if (name === 'input') return write(textOf(attributes.value))
  if (name === 'textarea') return write(textOf(value ?? attributes.value))
  if (name !== 'select') return undefined
  const chosen = children.find((option) => option?.attributes?.selected)
  return write(textOf(chosen?.value))
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
