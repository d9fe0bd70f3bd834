import { decodeBytes } from './byte-decoder.ts'
import type { DecodedText } from './byte-decoder.ts'

const ESCAPE = 0x1b
const SHIFT_OUT = 0x0e
const SHIFT_IN = 0x0f
const NEWLINE = 0x0a
/** Escapes to JIS X 0208 and JIS X 0212. */
const JAPANESE = ['\x1B$@', '\x1B$B', '\x1B$(D']

/** All that begins with a tilde in HZ; the end of a file may cut it off. */
const HZ = /~(?:[~\n]|\r\n|\{(?:[!-w][!-~])*(?:~\}|.?$)|$)/g

/**
 * Decodes the encodings of seven bits: ISO-2022-JP (RFC 1468), ISO-2022-KR (RFC 1557), ISO-2022-CN with GB 2312 (RFC 1922) and HZ
 * (RFC 1843). Returns nothing where there is no escape of theirs.
 */
export function decodeIso2022(bytes: Buffer): DecodedText | undefined {
  if (!bytes.includes('\x1B$') && !bytes.includes('~{')) return undefined
  if (bytes.some((byte) => byte > 0x7f)) return undefined
  if (JAPANESE.some((escape) => bytes.includes(escape))) return decodeBytes(bytes, 'iso-2022-jp')
  if (bytes.includes('\x1B$)C')) return { text: decodeShifts(bytes, 'euc-kr'), encoding: 'iso-2022-kr' }
  if (bytes.includes('\x1B$)A')) return { text: decodeShifts(bytes, 'gb18030'), encoding: 'iso-2022-cn' }
  const text = bytes.toString('latin1')
  // Every pair between the tildes has to be one of GB 2312, and every tilde one of HZ: code has `~{` too.
  if (!/~\{(?:[!-w][!-~])+~\}/.test(text) || text.replace(HZ, '').includes('~')) return undefined
  return { text: decodeHz(text), encoding: 'hz-gb-2312' }
}

/** Decodes a text whose characters of two bytes stand between shifts: there they lack the highest bit. */
function decodeShifts(bytes: Buffer, encoding: string): string {
  const eightBits: number[] = []
  let isShifted = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === ESCAPE && bytes[at + 1] === 0x24) at += 3
    else if (byte === SHIFT_OUT || byte === SHIFT_IN) isShifted = byte === SHIFT_OUT
    else {
      if (byte === NEWLINE) isShifted = false
      eightBits.push(isShifted && byte > 0x20 ? byte | 0x80 : byte)
    }
  }
  return decodeBytes(Buffer.from(eightBits), encoding).text
}

const decodeHz = (text: string): string =>
  text
    .split('\n')
    .map((line) =>
      line.replace(/~\{([^~]*(?:~(?!\})[^~]*)*)~\}|~~/g, (_, pairs: string | undefined) =>
        pairs === undefined
          ? '~'
          : decodeBytes(
              Buffer.from(pairs, 'latin1').map((byte) => byte | 0x80),
              'gb18030',
            ).text,
      ),
    )
    .join('\n')
