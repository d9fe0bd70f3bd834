/**
 * Bytes of a text in the encoding that it was read in. What a character is written as that it does not have is said by
 * `replace`; without that there is nothing.
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
 * What each sequence of one, two or (gb18030) four bytes is read as, the other way round: the platform decodes these encodings
 * and encodes none of them. Of sequences that are read as the same character the first is taken.
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
