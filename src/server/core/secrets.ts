import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto'

/** Makes a token of 256 random bits, for a cookie or a link. */
export const createToken = (): string => randomBytes(32).toString('base64url')

/** Hashes a token for storage: it has too many bits to be guessed from its hash. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** Hashes something guessable (a code, an address) with a key, so that a copy of the database does not give it away. */
export const hashWithSecret = (appSecret: string, ...parts: string[]): string =>
  createHmac('sha256', appSecret).update(parts.join('\n')).digest('base64url')

/** Makes six random digits. */
export const createCode = (): string => String(randomInt(0, 1_000_000)).padStart(6, '0')

/** Letters and digits that nobody confuses. */
const NAME_CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Makes a few random characters that tell people apart, and nothing about them. */
export const createNameSuffix = (): string =>
  Array.from({ length: 4 }, () => NAME_CHARACTERS[randomInt(NAME_CHARACTERS.length)]).join('')

/** Makes a short random word for links that people pass on. */
export const createInviteCode = (): string => randomBytes(6).toString('base64url').replace(/[-_]/g, 'x')
