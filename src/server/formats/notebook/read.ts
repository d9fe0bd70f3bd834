import { stripVTControlCharacters } from 'node:util'
import { AppError } from '#server/core/app-error.ts'
import type { Document } from '../detect-format.ts'
import { readAll } from '../reading/input.ts'
import type { Output } from '../reading/output.ts'
import { decodeText } from '../text/encoding.ts'
import { formatCode } from '../text/markdown.ts'
import { Sections } from '../text/sections.ts'

/** A result longer than this is data, not reading. */
const MAX_OUTPUT_CHARS = 4000

type Cell = { cell_type?: unknown; source?: unknown; outputs?: unknown }

/** Reads a Jupyter notebook: text, code and the text of results, in their order. */
export async function readNotebook({ input }: Document, output: Output): Promise<void> {
  const { text, encoding } = decodeText(readAll(input, output.limits.whole_bytes))
  output.encoding = encoding
  const notebook = parseJson(text)
  const metadata = getRecord(getRecord(notebook.metadata).kernelspec)
  const language = typeof metadata.language === 'string' ? metadata.language : 'python'
  const worksheets = getList(notebook.worksheets).flatMap((sheet) => getList(getRecord(sheet).cells))
  const cells = [...getList(notebook.cells), ...worksheets].map((cell): Cell => getRecord(cell))
  output.begin('section', 1)
  const sections = new Sections(output)
  for (const cell of cells) {
    const source = joinLines(cell.source ?? getRecord(cell).input)
    if (cell.cell_type === 'code') {
      if (source.trim()) sections.block(formatCode(source, language))
      for (const result of getList(cell.outputs)) writeResult(getRecord(result), sections, output)
    } else writeMarkdown(source, sections)
  }
  sections.end()
  output.endUnit()
}

function writeMarkdown(source: string, sections: Sections): void {
  const [, marks = '', title = ''] = /^\s{0,3}(#{1,6})\s+([^\n]*)/.exec(source) ?? []
  if (!marks) return sections.block(source)
  sections.heading(marks.length, title)
  return sections.block(source.replace(/^[^\n]*\n?/, ''))
}

function writeResult(result: Record<string, unknown>, sections: Sections, output: Output): void {
  const data = getRecord(result.data)
  const text = joinLines(result.text ?? data['text/markdown'] ?? data['text/plain'] ?? result.traceback)
  // Results may have the colour codes of a terminal.
  const plain = stripVTControlCharacters(text)
  if (Object.keys(data).some((type) => type.startsWith('image/'))) output.skip('picture', '运行结果中的图片')
  if (!plain.trim()) return
  if (plain.length > MAX_OUTPUT_CHARS) output.skip('too_large', '运行结果')
  sections.block(formatCode(plain.slice(0, MAX_OUTPUT_CHARS)))
}

function parseJson(text: string): Record<string, unknown> {
  try {
    return getRecord(JSON.parse(text))
  } catch (cause) {
    throw new AppError('document_damaged', { cause })
  }
}

const getRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const getList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const joinLines = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join('') : typeof value === 'string' ? value : ''
