import { createHash } from 'node:crypto'
import type { PromptTraits } from '../catalogue/family-schema.ts'

/** Names that a platform takes, and how long those are that take the place of others. */
export type FittingNames = PromptTraits['tool_names']

const HASH_CHARS = 8

/** A name that begins as the given one does and ends with its hash, so that no two of them become one. */
export function toHashedName(name: string, { chars }: FittingNames): string {
  const hash = createHash('sha256').update(name).digest('hex')
  if (chars <= 2 * HASH_CHARS) return hash.slice(0, chars)
  return `${toWord(name).slice(0, chars - HASH_CHARS - 1)}_${hash.slice(0, HASH_CHARS)}`
}

/** Letters, digits and underscores, beginning with a letter: what every platform takes. */
export function toWord(name: string): string {
  const word = name.replace(/[^a-zA-Z0-9_-]/g, '_')
  return /^[a-zA-Z]/.test(word) ? word : `x${word}`
}
