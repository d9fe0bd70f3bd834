import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { hashToken } from '#server/core/secrets.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BYTES = 32
/** Base62 digits of 32 bytes, and of a CRC-32. */
const [BODY_DIGITS, CHECK_DIGITS] = [43, 6]

export const API_KEY = 'sk-wq-'
export const PROVISION_KEY = 'pk-wq-'
type Prefix = typeof API_KEY | typeof PROVISION_KEY

/** A key as it is made: the secret itself (given out once), its hash and its masked form (kept). */
export type GeneratedKey = { raw_value: string; token_hash: string; value: string }

/** 256 random bits in base62 behind a prefix that scanners recognise, and a checksum that finds typing errors. */
export function generateKey(prefix: Prefix): GeneratedKey {
  const unsigned = prefix + base62(BigInt(`0x${randomBytes(BYTES).toString('hex')}`), BODY_DIGITS)
  const rawValue = unsigned + checksum(unsigned)
  const from = prefix.length
  return {
    raw_value: rawValue,
    token_hash: hashToken(rawValue),
    value: `${rawValue.slice(0, from + 4)}…${rawValue.slice(-4)}`,
  }
}

/** Tells whether a text has the form of a key and a valid checksum. Any other text is refused without a query. */
export function isWellFormedKey(prefix: Prefix, token: string): boolean {
  if (token.length !== prefix.length + BODY_DIGITS + CHECK_DIGITS || !token.startsWith(prefix)) return false
  return (
    /^[0-9A-Za-z]+$/.test(token.slice(prefix.length)) &&
    checksum(token.slice(0, -CHECK_DIGITS)) === token.slice(-CHECK_DIGITS)
  )
}

const checksum = (text: string): string => base62(BigInt(crc32(text)), CHECK_DIGITS)

function base62(number: bigint, digits: number): string {
  let [text, rest] = ['', number]
  for (; rest > 0n; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text
  return text.padStart(digits, '0')
}
