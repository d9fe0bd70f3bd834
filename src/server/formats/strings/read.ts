import type { Document } from '../detect-format.ts'
import { readAll } from '../reading/input.ts'
import type { Output } from '../reading/output.ts'
import { decodeText } from '../text/encoding.ts'
import { writePairs } from '../text/pairs.ts'
import { parseStrings } from './pairs.ts'

/** Reads the texts of a `.strings` file with their keys. */
export async function readStrings({ input }: Document, output: Output): Promise<void> {
  const { text, encoding } = decodeText(readAll(input, output.limits.whole_bytes))
  output.encoding = encoding
  const pairs = parseStrings(text).map(({ line, key, value }) => ({
    line,
    text: value.text,
    other: key === value.text ? undefined : key,
  }))
  writePairs(pairs, output)
}
