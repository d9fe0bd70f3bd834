import { createTable } from './encoding-table.ts'

type Replace = (character: string) => string

/**
 * Encodes a text in the encoding in which it was read. `replace` returns what stands for a character that the encoding lacks, in
 * ASCII; without it the result is then undefined.
 */
export function encodeText(text: string, encoding: string, replace?: Replace): Buffer | undefined {
  if (encoding === 'utf-8') return Buffer.from(text)
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le')
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16()
  if (encoding.startsWith('utf-32')) return encodeUtf32(text, encoding === 'utf-32le')
  const shifts = SHIFTS[encoding]
  if (shifts) return encodeWithShifts(text, shifts, replace)
  const table = loadTable(encoding)
  const parts: Uint8Array[] = []
  for (const character of text) {
    const bytes = table(character) ?? (replace && Buffer.from(replace(character), 'latin1'))
    if (!bytes) return undefined
    parts.push(bytes)
  }
  return Buffer.concat(parts)
}

function encodeUtf32(text: string, isLittle: boolean): Buffer {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const bytes = Buffer.alloc(points.length * 4)
  for (const [index, point] of points.entries()) {
    if (isLittle) bytes.writeUInt32LE(point, index * 4)
    else bytes.writeUInt32BE(point, index * 4)
  }
  return bytes
}

type Table = (character: string) => Uint8Array | undefined

const tables = new Map<string, Table>()

function loadTable(encoding: string): Table {
  const table = tables.get(encoding) ?? createTable(encoding)
  tables.set(encoding, table)
  return table
}

/** An encoding of seven bits: between `open` and `close` stand the pairs of `base`, without their highest bits. */
type Shifts = { base: string; start: string; open: string; close: string; escape?: Record<string, string> }

/** RFC 1468, RFC 1557, RFC 1922 and RFC 1843. */
const SHIFTS: Record<string, Shifts> = {
  'iso-2022-jp': { base: 'euc-jp', start: '', open: '\x1B$B', close: '\x1B(B' },
  'iso-2022-kr': { base: 'euc-kr', start: '\x1B$)C', open: '\x0E', close: '\x0F' },
  'iso-2022-cn': { base: 'gb18030', start: '', open: '\x1B$)A\x0E', close: '\x0F' },
  'hz-gb-2312': { base: 'gb18030', start: '', open: '~{', close: '~}', escape: { '~': '~~' } },
}

function encodeWithShifts(text: string, shifts: Shifts, replace?: Replace): Buffer | undefined {
  const { base, start, open, close, escape = {} } = shifts
  const table = loadTable(base)
  let encoded = start
  let isOpen = false
  for (const character of text) {
    const pair = character > '\x7F' ? table(character) : undefined
    const isPair = pair?.length === 2 && pair.every((byte) => byte > 0xa0)
    const ascii = character > '\x7F' ? replace?.(character) : (escape[character] ?? character)
    if (!isPair && ascii === undefined) return undefined
    if (isPair !== isOpen) encoded += isPair ? open : close
    isOpen = isPair
    encoded += isPair ? String.fromCharCode(...pair.map((byte) => byte & 0x7f)) : ascii
  }
  return Buffer.from(isOpen ? encoded + close : encoded, 'latin1')
}
