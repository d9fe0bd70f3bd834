import { AppError } from '#server/core/app-error.ts'
import type { Document } from '../detect-format.ts'
import { decodeXml } from '../containers/xml.ts'
import { readAll } from '../reading/input.ts'
import type { Output } from '../reading/output.ts'
import { textOf } from '../rewriting/xml.ts'
import { writePairs } from '../text/pairs.ts'
import { parseXliff } from './units.ts'

/** Reads the sources of XLIFF, each with its translation. Throws `document_damaged`. */
export async function readXliff({ input }: Document, output: Output): Promise<void> {
  const text = decodeXml(readAll(input, output.limits.whole_bytes))
  const xliff = parseXliff(text)
  if (!xliff) throw new AppError('document_damaged')
  let [line, counted] = [1, 0]
  const pairs = xliff.units.map(({ source, target }) => {
    for (; counted < source.start; counted++) if (text[counted] === '\n') line++
    return { line, text: textOf(source), other: target && textOf(target) }
  })
  writePairs(pairs, output)
}
