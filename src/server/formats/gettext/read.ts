import type { Document } from '../detect-format.ts'
import { readAll } from '../reading/input.ts'
import type { Output } from '../reading/output.ts'
import { decodeText } from '../text/encoding.ts'
import { writePairs } from '../text/pairs.ts'
import { isHeader } from './header.ts'
import { parsePo } from './po.ts'

/** Reads the sources of a PO file, each with its translations. */
export async function readPo({ input }: Document, output: Output): Promise<void> {
  const bytes = readAll(input, output.limits.whole_bytes)
  const declared = /charset=([\w-]+)/i.exec(bytes.toString('latin1', 0, 8192))?.[1]
  const { text, encoding } = decodeText(bytes, declared)
  output.encoding = encoding
  const pairs = parsePo(text)
    .filter((entry) => !isHeader(entry))
    .map(({ line, id, plural, strings }) => ({
      line,
      text: plural ? `${id.text} / ${plural.text}` : id.text,
      other: strings.flatMap((string) => string.text || []).join(' / '),
    }))
  writePairs(pairs, output)
}
