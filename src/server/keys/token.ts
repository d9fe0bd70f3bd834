import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { tokenHash } from '../core/secrets.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BYTES = 32
/** Base62 digits of 32 bytes, and of a CRC-32. */
const [BODY, CHECK] = [43, 6]

export const API_KEY = 'sk-wq-'
export const PROVISION_KEY = 'pk-wq-'
type Prefix = typeof API_KEY | typeof PROVISION_KEY

/** A key as it is made: the secret itself (given out once), its hash and its masked form (kept). */
export type NewKey = { raw_value: string; token_hash: string; value: string }

/** 256 random bits in base62 behind a prefix that scanners recognise, and a checksum that finds typing errors. */
export function newKey(prefix: Prefix): NewKey {
  const secret = prefix + base62(BigInt(`0x${randomBytes(BYTES).toString('hex')}`), BODY)
  const raw_value = secret + checksum(secret)
  const from = prefix.length
  return {
    raw_value,
    token_hash: tokenHash(raw_value),
    value: `${raw_value.slice(0, from + 4)}…${raw_value.slice(-4)}`,
  }
}

/** Whether a text has the form of a key, its checksum included: what has not is refused without a query. */
export function isWellFormed(prefix: Prefix, token: string): boolean {
  if (token.length !== prefix.length + BODY + CHECK || !token.startsWith(prefix)) return false
  return (
    /^[0-9A-Za-z]+$/.test(token.slice(prefix.length)) &&
    checksum(token.slice(0, -CHECK)) === token.slice(-CHECK)
  )
}

const checksum = (text: string): string => base62(BigInt(crc32(text)), CHECK)

function base62(number: bigint, digits: number): string {
  let [text, rest] = ['', number]
  for (; rest > 0n; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text
  return text.padStart(digits, '0')
}
