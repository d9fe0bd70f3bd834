/** What became of bytes: their value, or why they have none. */
export type Parsed = { value: unknown } | { refused: 'bad_request' | 'payload_too_large' }

/** Arrays and objects inside each other: what comes after reads and writes them by recursion. */
const DEEPEST = 200

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Parses a body of at most so many values. It is measured before, so that a small one cannot become a huge value. */
export function parseJson(bytes: Buffer, most_values: number): Parsed {
  const refused = refusalOf(bytes, most_values)
  if (refused) return { refused }
  try {
    return { value: JSON.parse(decoder.decode(bytes)) as unknown }
  } catch {
    return { refused: 'bad_request' }
  }
}

/** Counts what stands outside of strings. Of bytes that are no JSON it may say anything: parsing finds that out. */
function refusalOf(bytes: Buffer, most_values: number): 'bad_request' | 'payload_too_large' | null {
  let [values, depth] = [0, 0]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at + 1)
    else if (byte === COMMA || byte === COLON) values += 1
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      values += 1
      depth += 1
      if (depth > DEEPEST) return 'bad_request'
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1
    if (values > most_values) return 'payload_too_large'
  }
  return null
}

/** Where the string that begins at `from` has its closing quote; the end when it has none. */
function endOfString(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(QUOTE, from); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let escapes = 0
    while (at - escapes > from && bytes[at - escapes - 1] === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return at
  }
  return bytes.length
}
