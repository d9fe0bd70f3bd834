import type { Document } from '../detect-format.ts'
import { readAll } from '../reading/input.ts'
import type { Output } from '../reading/output.ts'
import { Sections } from '../text/sections.ts'
import type { BlockWriter } from '../text/sections.ts'
import { parseRtf } from './parse.ts'

/** Reads Rich Text Format 1.9.1: paragraphs, lists, tables, outline levels, equations, headers, notes, comments and boxes. */
export async function readRtf({ input }: Document, output: Output): Promise<void> {
  output.begin('section', 1)
  const sections = new Sections(output)
  writeRtf(readAll(input, output.limits.whole_bytes).toString('latin1'), output, sections)
  sections.end()
  output.endUnit()
}

/** Writes rich text, a character a byte. */
export function writeRtf(source: string, output: Output, sections: BlockWriter): void {
  const { headers, body, footers, notes, hidden } = parseRtf(source, output)
  for (const header of new Set(headers)) if (/\p{L}/u.test(header)) sections.block(header)
  body.write(sections)
  for (const footer of new Set(footers)) if (/\p{L}/u.test(footer)) sections.block(footer)
  for (const note of notes) sections.block(note)
  if (hidden.length) output.skip('hidden', `文字 ${hidden.join(' … ')}`)
}
