import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto'

/** A token of 256 random bits, for a cookie or a link. */
export const createToken = (): string => randomBytes(32).toString('base64url')

/** How a token is kept: it has too many bits to be guessed from its hash. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** How something guessable (a code, an address) is kept: keyed, so that a copy of the database does not give it away. */
export const hashWithSecret = (appSecret: string, ...parts: string[]): string =>
  createHmac('sha256', appSecret).update(parts.join('\n')).digest('base64url')

/** Six random digits. */
export const createCode = (): string => String(randomInt(0, 1_000_000)).padStart(6, '0')

/** Letters and digits that nobody takes for each other. */
const NAME_CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** A few random characters that tell people apart, and nothing about them. */
export const createNameSuffix = (): string =>
  Array.from({ length: 4 }, () => NAME_CHARACTERS[randomInt(NAME_CHARACTERS.length)]).join('')

/** A short random word for links that people pass on. */
export const createInviteCode = (): string => randomBytes(6).toString('base64url').replace(/[-_]/g, 'x')
