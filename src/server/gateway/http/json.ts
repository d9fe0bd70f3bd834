/** What became of bytes: their value, or why they have none. */
export type ParsedJson = { value: unknown } | { refused: 'bad_request' | 'payload_too_large' }

/** Arrays and objects inside each other: what comes after reads and writes them by recursion. */
const MAX_DEPTH = 200

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Parses a body of at most so many values. It is measured before, so that a small one cannot become a huge value. */
export function parseJson(bytes: Buffer, max_values: number): ParsedJson {
  const refused = findViolation(bytes, max_values)
  if (refused) return { refused }
  try {
    return { value: JSON.parse(decoder.decode(bytes)) as unknown }
  } catch {
    return { refused: 'bad_request' }
  }
}

/** Counts what stands outside of strings. Of bytes that are no JSON it may say anything: parsing finds that out. */
function findViolation(bytes: Buffer, max_values: number): 'bad_request' | 'payload_too_large' | null {
  let [values, depth] = [0, 0]
  for (let position = 0; position < bytes.length; position++) {
    const byte = bytes[position]
    if (byte === QUOTE) position = findStringEnd(bytes, position + 1)
    else if (byte === COMMA || byte === COLON) values += 1
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      values += 1
      depth += 1
      if (depth > MAX_DEPTH) return 'bad_request'
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1
    if (values > max_values) return 'payload_too_large'
  }
  return null
}

/** Where the string that begins at `from` has its closing quote; the end when it has none. */
function findStringEnd(bytes: Buffer, from: number): number {
  for (
    let position = bytes.indexOf(QUOTE, from);
    position !== -1;
    position = bytes.indexOf(QUOTE, position + 1)
  ) {
    let escapes = 0
    while (position - escapes > from && bytes[position - escapes - 1] === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return position
  }
  return bytes.length
}
