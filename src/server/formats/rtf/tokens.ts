/** A part of the file: a control word, a byte, a character with a meaning, a brace, or plain text. */
export type Token = { word?: string; value?: number; byte?: number; symbol?: string; text?: string }

const TOKEN = /\\([a-z]+)(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)/gi

/**
 * Yields the parts of a file. What follows its end is none of them, unless it has paragraphs: then the file has a brace too many.
 * Bytes that a program put there as they are (`\bin`) are left out,
 * whatever they are.
 */
export function* readTokens(source: string): Generator<Token> {
  const pattern = new RegExp(TOKEN)
  const lastParagraph = Math.max(source.lastIndexOf('\\par'), source.lastIndexOf('\\cell'))
  let depth = 0
  for (let match = pattern.exec(source); match; match = pattern.exec(source)) {
    const [, word, digits, hex, symbol, brace, text] = match
    if (word === 'bin') pattern.lastIndex += Math.max(0, Number(digits ?? 0))
    else if (word) yield { word, ...(digits === undefined ? {} : { value: Number(digits) }) }
    else if (hex) yield { byte: Number.parseInt(hex, 16) }
    // A backslash at the end of a line ends a paragraph.
    else if (symbol === '\r' || symbol === '\n') yield { word: 'par' }
    else if (symbol) yield { symbol: `\\${symbol}` }
    else if (brace) {
      yield { symbol: brace }
      depth += brace === '{' ? 1 : -1
      if (depth <= 0 && pattern.lastIndex > lastParagraph) return
    } else yield { text: text! }
  }
}
