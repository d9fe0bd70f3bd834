/**
 * Encodes a text in the encoding in which it was read. `replace` returns what stands for a character that the encoding lacks;
 * without it the result is then undefined.
 */
export function encodeText(
  text: string,
  encoding: string,
  replace?: (character: string) => string,
): Buffer | undefined {
  if (encoding === 'utf-8') return Buffer.from(text)
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le')
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16()
  if (encoding.startsWith('utf-32')) return encodeUtf32(text, encoding === 'utf-32le')
  return encodeByTable(text, encoding, replace)
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

const tables = new Map<string, Map<string, Buffer>>()

function encodeByTable(
  text: string,
  encoding: string,
  replace?: (character: string) => string,
): Buffer | undefined {
  const table = tables.get(encoding) ?? createTable(encoding)
  tables.set(encoding, table)
  const parts: Buffer[] = []
  for (const character of text) {
    const bytes = table.get(character) ?? (replace && Buffer.from(replace(character), 'latin1'))
    if (!bytes) return undefined
    parts.push(bytes)
  }
  return Buffer.concat(parts)
}

/**
 * Maps each character to the first sequence of one or two bytes that is decoded as it: the platform decodes these encodings, and
 * encodes none of them.
 */
function createTable(encoding: string): Map<string, Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const table = new Map<string, Buffer>()
  const add = (...bytes: number[]): boolean => {
    const sequence = Buffer.from(bytes)
    try {
      const text = decoder.decode(sequence)
      if (!table.has(text)) table.set(text, sequence)
      return true
    } catch {
      return false
    }
  }
  for (let first = 0; first < 256; first++) {
    if (add(first)) continue
    for (let second = 0x30; second < 256; second++) add(first, second)
  }
  return table
}
